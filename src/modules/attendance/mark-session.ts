import type { App } from "../../app.ts";
import type { AttendanceMark, MarkedClass, MarkedRow } from "./rules/attendance-mark.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { namedActor } from "../audit/write-course-audit.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { claimLasts } from "../../kernel/with-claim.ts";
import { carryOut, type RunMarkDeps } from "./run-mark.ts";

export type MarkSessionDeps = RunMarkDeps & Pick<App, "wake">;

/** What an instructor says about a session. */
export type WantedMark = {
  eventId: string;
  /** Learners marked by name; taken before `everybody`. */
  rows: readonly MarkedRow[];
  everybody: MarkedClass | null;
  reason: string | null;
};

/** Somebody who pressed a button waits so long at most (ms); the rest is done without them. */
const patience = 4_000;

/**
 * Marks learners of a session as an instructor says: some by name, or all of them, or all about whom nothing is
 * known. What was said is stored first; from then on it takes effect whatever happens, here or in the worker, and
 * pressing again changes nothing. Corrections and their lines in the audit trail are written together with grades.
 * @param actor The instructor's person id.
 * @returns the mark; its state is still "facts" when a large class is being gone through, and `missed` names learners
 * whose record had changed since it was looked at: they are left as they are.
 * @throws NamedError "session-unknown", "learner-unknown"
 */
export async function markSession(
  deps: MarkSessionDeps,
  course: Course,
  actor: string,
  wanted: WantedMark,
): Promise<AttendanceMark> {
  await refuseStrangers(deps, course, wanted);
  const at = deps.clock.now();
  const mark: AttendanceMark = {
    id: deps.ids.id("mark"),
    registrationId: course.registrationId,
    courseId: course.id,
    by: await namedActor(deps, actor),
    at,
    ...wanted,
    state: "facts",
    reached: "",
    written: 0,
    writtenInClass: 0,
    missed: [],
  };
  if (wanted.rows.length === 0 && wanted.everybody === null) return { ...mark, state: "done" };
  const holder = deps.ids.id("hold");
  await deps.attendanceMarks.insert(mark, holder, at + claimLasts);
  try {
    return await carryOut(deps, mark, holder, at + patience);
  } finally {
    deps.wake("marks");
  }
}

/** What a form names must be of this course: nobody else is marked, and no event of another course. */
async function refuseStrangers(
  deps: MarkSessionDeps,
  course: Course,
  { eventId, rows }: WantedMark,
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const sessions = await listSessions(deps, course);
  const listed = sessions.some((session) => session.eventId === eventId);
  // Facts are kept also of a session that nobody can read any more.
  if (!listed && (await deps.attendance.listOfEvent(key.registrationId, course.id, eventId)).length === 0) {
    throw refusal("session-unknown", { status: 404 });
  }
  const ids = rows.map(({ personId }) => personId);
  const members = new Set((await deps.members.findMany(key, ids)).map(({ personId }) => personId));
  for (const personId of ids.filter((id) => !members.has(id))) {
    if ((await deps.attendance.find({ ...key, eventId, personId })) !== null) continue;
    throw refusal("learner-unknown", { status: 404 });
  }
}
