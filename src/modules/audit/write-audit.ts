import type { App } from "../../app.ts";
import { currentRequest } from "../../kernel/request-scope.ts";
import type { AuditEntry } from "./rules/audit.ts";

export type AuditDeps = Pick<App, "audit" | "clock" | "ids"> & {
  who: AuditEntry["who"];
  personId?: string;
  /** E-mail address of a named operator. */
  operator?: string;
};

/** Called after the deed has taken effect. */
export async function writeAudit(
  app: AuditDeps,
  done: Pick<AuditEntry, "what" | "registrationId" | "on">,
): Promise<void> {
  const at = app.clock.now();
  // Sixteen digits keep ids in the order of time.
  const id = app.ids.id(`audit_${String(at).padStart(16, "0")}`);
  const request = currentRequest();
  const by = {
    ...(request === null ? {} : { request }),
    ...(app.personId === undefined ? {} : { personId: app.personId }),
    ...(app.operator === undefined ? {} : { operator: app.operator }),
  };
  await app.audit.add({ id, at, who: app.who, ...by, ...done });
}

const pageSize = 500;

/**
 * Puts new entries into the tool's own log, those of the command line, too: a log that is kept elsewhere has deeds that no one
 * can change here. Names nobody. After a crash entries may stand there twice, with the same ids.
 * @returns how many.
 */
export async function logAudit({ audit, logger }: Pick<App, "audit" | "logger">): Promise<number> {
  for (let count = 0; ;) {
    const entries = await audit.listUnlogged(pageSize);
    for (const { id, at, who, what, registrationId } of entries)
      logger.info({ audit: { id, at: new Date(at).toISOString(), who, what, registrationId } }, "audit log");
    await audit.logged(entries.map(({ id }) => id));
    count += entries.length;
    if (entries.length < pageSize) return count;
  }
}
