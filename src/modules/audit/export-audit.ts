import { type AuditDeps, writeAudit } from "./write-audit.ts";

const pageSize = 500;

/**
 * The audit log as lines of JSON, oldest first. That it was exported is noted after its last line.
 * @param after The id of the entry before the first line; empty for all.
 */
export async function* exportAudit(deps: AuditDeps, after = ""): AsyncGenerator<string> {
  let [last, count] = [after, 0];
  for (;;) {
    const entries = await deps.audit.listAfter(last, pageSize);
    for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
    count += entries.length;
    last = entries.at(-1)?.id ?? last;
    if (entries.length < pageSize) break;
  }
  await writeAudit(deps, { what: "audit-log-exported", registrationId: null, on: String(count) });
}
