import type { AuditEntry } from "./rules/audit.ts";
import type { CourseAuditEntry } from "./rules/course-audit.ts";
import type { AuditStore, CourseAuditFilter, CourseAuditStore } from "./store/audit-store.ts";
import { type AuditDeps, writeAudit } from "./write-audit.ts";

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

const coursePageSize = 50;

/** One page of a course's audit trail, newest first; `before` and the result are as of `listAudit`. */
export async function listCourseAudit(
  deps: { courseAudit: Pick<CourseAuditStore, "list"> },
  filter: CourseAuditFilter,
  before: string | null,
): Promise<{ entries: CourseAuditEntry[]; olderThan: string | null }> {
  const found = await deps.courseAudit.list(filter, before, coursePageSize + 1);
  const entries = found.slice(0, coursePageSize);
  return { entries, olderThan: found.length > coursePageSize ? (entries.at(-1)?.id ?? null) : null };
}

const exportBatchSize = 500;

/**
 * The audit log as lines of JSON, oldest first. That it was exported is noted after its last line.
 * @param after The id of the entry before the first line; empty for all.
 */
export async function* exportAudit(deps: AuditDeps, after = ""): AsyncGenerator<string> {
  let [last, count] = [after, 0];
  for (;;) {
    const entries = await deps.audit.listAfter(last, exportBatchSize);
    for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
    count += entries.length;
    last = entries.at(-1)?.id ?? last;
    if (entries.length < exportBatchSize) break;
  }
  await writeAudit(deps, { what: "audit-log-exported", registrationId: null, on: String(count) });
}
