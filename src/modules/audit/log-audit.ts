import type { App } from "../../app.ts";

export type LogAuditDeps = Pick<App, "audit" | "logger">;

const pageSize = 500;

/**
 * Puts new entries into the tool's own log, those of the command line, too: a log that is kept elsewhere has deeds that nobody
 * can change here. Names nobody. After a crash entries may stand there twice, with the same ids.
 * @returns how many.
 */
export async function logAudit({ audit, logger }: LogAuditDeps): Promise<number> {
  for (let count = 0; ;) {
    const entries = await audit.listUnlogged(pageSize);
    for (const { id, at, who, what, registrationId } of entries)
      logger.info({ audit: { id, at: new Date(at).toISOString(), who, what, registrationId } }, "audit log");
    await audit.logged(entries.map(({ id }) => id));
    count += entries.length;
    if (entries.length < pageSize) return count;
  }
}
