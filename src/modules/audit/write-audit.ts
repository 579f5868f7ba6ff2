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
  deps: AuditDeps,
  done: Pick<AuditEntry, "what" | "registrationId" | "on">,
): Promise<void> {
  const at = deps.clock.now();
  // Sixteen digits keep ids in the order of time.
  const id = deps.ids.id(`audit_${String(at).padStart(16, "0")}`);
  const request = currentRequest();
  const by = {
    ...(request === null ? {} : { request }),
    ...(deps.personId === undefined ? {} : { personId: deps.personId }),
    ...(deps.operator === undefined ? {} : { operator: deps.operator }),
  };
  await deps.audit.add({ id, at, who: deps.who, ...by, ...done });
}
