import type { AttendanceMark, MarkedRow } from "./rules/attendance-mark.ts";
import type { Course } from "../../domain/course.ts";
import { markSession, type MarkSessionDeps } from "./mark-session.ts";

/** An instructor's correction of one learner's session; `seen` is the record's revision they saw. */
export type WantedCorrection = MarkedRow & { eventId: string; reason: string | null };

/**
 * Stored first, then written into the trail and the grade; the worker completes an interrupted one. A status of null
 * returns to the classroom's.
 * @param actor The instructor's person id.
 * @returns and throws as `markSession`; the learner is `missed` when the record had changed.
 */
export function correctAttendance(
  deps: MarkSessionDeps,
  course: Course,
  actor: string,
  { eventId, reason, ...row }: WantedCorrection,
): Promise<AttendanceMark> {
  return markSession(deps, course, actor, { eventId, rows: [row], everybody: null, reason });
}
