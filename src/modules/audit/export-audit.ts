import { type AuditDeps, writeAudit } from "./write-audit.ts";
import { entriesOf } from "./check-audit.ts";

/**
 * The audit log as lines of JSON, oldest first, each with what proves its place. That it was exported is noted after its
 * last line. @param after The number before the first line.
 */
export async function* exportAudit(deps: AuditDeps, after = 0): AsyncGenerator<string> {
  const end = await deps.audit.end();
  for await (const entry of entriesOf(deps, after)) {
    if (entry.link.seq > end.seq) break;
    yield `${JSON.stringify(entry)}\n`;
  }
  await writeAudit(deps, { what: "audit-log-exported", registrationId: null, on: String(end.seq) });
}
