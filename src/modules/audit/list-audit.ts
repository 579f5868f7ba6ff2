import type { AuditEntry } from "./rules/audit.ts";
import type { AuditStore } from "./store/audit-store.ts";

const pageSize = 100;

/**
 * One page of the audit log, newest first.
 * @param before Where the page before ended; null for the first page.
 * @param registrationId Only what was done to this one; everything when null.
 * @returns the entries, and where this page ended when there are more.
 */
export async function listAudit(
  deps: { audit: AuditStore },
  before: string | null,
  registrationId: string | null = null,
): Promise<{ entries: AuditEntry[]; olderThan: string | null }> {
  const found = await deps.audit.list(before, pageSize + 1, registrationId);
  const entries = found.slice(0, pageSize);
  return { entries, olderThan: found.length > pageSize ? (entries.at(-1)?.id ?? null) : null };
}
