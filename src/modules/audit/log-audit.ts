import type { App } from "../../app.ts";
import { entriesOf } from "./check-audit.ts";

export type LogAuditDeps = Pick<App, "audit" | "auditWitness" | "logger">;

/**
 * Puts new entries into the tool's own log, those of the command line, too: whoever keeps that log elsewhere has digests
 * that nobody can change here. Names nobody. After a crash entries may stand there twice, with the same numbers.
 * @returns how many.
 */
export async function logAudit(deps: LogAuditDeps): Promise<number> {
  const { auditWitness, logger } = deps;
  const { loggedSeq } = await auditWitness.find();
  let [last, count] = [loggedSeq, 0];
  for await (const { at, who, what, registrationId, link } of entriesOf(deps, loggedSeq)) {
    const { seq, digest } = link;
    const done = { seq, at: new Date(at).toISOString(), who, what, registrationId, digest };
    logger.info({ audit: done }, "audit log");
    last = seq;
    count += 1;
  }
  if (count > 0) await auditWitness.logged(last);
  return count;
}
