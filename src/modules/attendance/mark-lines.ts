import { type AttendanceMark, type MarkedRow, attendanceBefore } from "./rules/attendance-mark.ts";
import { type AttendanceFacts, currentAttendanceOf } from "../../domain/attendance.ts";
import type { CourseAuditEntry } from "../audit/rules/course-audit.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { courseAuditPrefix } from "../audit/write-course-audit.ts";

type LineBase = Omit<CourseAuditEntry, "what" | "on" | "before" | "after" | "count">;

function lineOf(mark: AttendanceMark, session: CourseSession, last: string): LineBase {
  const { registrationId, courseId, at, by, reason } = mark;
  const { eventId, title, startsAt } = session;
  return {
    // From the mark, so that repetitions write each line once.
    id: `${courseAuditPrefix(at)}_${mark.id}_${last}`,
    registrationId,
    courseId,
    at,
    by,
    session: { eventId, title, startsAt },
    reason,
  };
}

export function lineAboutRow(
  mark: AttendanceMark,
  session: CourseSession,
  row: MarkedRow,
  facts: AttendanceFacts,
) {
  return {
    ...lineOf(mark, session, row.personId),
    what: row.status === null ? ("attendance-taken-back" as const) : ("attendance-corrected" as const),
    before: attendanceBefore(facts)?.status ?? null,
    after: currentAttendanceOf(facts)?.status ?? null,
    count: null,
  };
}

export function lineAboutClass(mark: AttendanceMark, session: CourseSession): CourseAuditEntry {
  return {
    ...lineOf(mark, session, "class"),
    what: mark.everybody?.who === "blanks" ? "attendance-blanks-filled" : "attendance-set-all",
    on: null,
    before: null,
    after: mark.everybody?.status ?? null,
    count: mark.writtenInClass,
  };
}
