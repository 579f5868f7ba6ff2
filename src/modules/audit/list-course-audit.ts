import type { CourseAuditEntry } from "./rules/course-audit.ts";
import type { CourseAuditFilter, CourseAuditStore } from "./store/course-audit-store.ts";

const pageSize = 50;

/** One page of a course's audit trail, newest first; `before` and the result are as of `listAudit`. */
export async function listCourseAudit(
  deps: { courseAudit: Pick<CourseAuditStore, "list"> },
  filter: CourseAuditFilter,
  before: string | null,
): Promise<{ entries: CourseAuditEntry[]; olderThan: string | null }> {
  const found = await deps.courseAudit.list(filter, before, pageSize + 1);
  const entries = found.slice(0, pageSize);
  return { entries, olderThan: found.length > pageSize ? (entries.at(-1)?.id ?? null) : null };
}
