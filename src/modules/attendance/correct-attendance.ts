import type { AttendanceMark, MarkedRow } from "./rules/attendance-mark.ts";
import type { Course } from "../../domain/course.ts";
import { markSession, type MarkSessionDeps } from "./mark-session.ts";

/** What an instructor says about one learner's session, having looked at the record as it was at `seen`. */
export type WantedCorrection = MarkedRow & { eventId: string; reason: string | null };

/**
 * Corrects one learner's attendance in one session, or with a status of null goes back to what the classroom says.
 * It is stored before anything else, then written into the trail and into the grade; an interruption is made good by
 * the worker.
 * @param actor The instructor's person id.
 * @returns as `markSession`: the learner is `missed` when the record had changed since it was looked at.
 * @throws as `markSession`
 */
export function correctAttendance(
  deps: MarkSessionDeps,
  course: Course,
  actor: string,
  { eventId, reason, ...row }: WantedCorrection,
): Promise<AttendanceMark> {
  return markSession(deps, course, actor, { eventId, rows: [row], everybody: null, reason });
}
