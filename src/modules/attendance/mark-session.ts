import type { App } from "../../app.ts";
import type { AttendanceMark, MarkedClass, MarkedRow } from "./rules/attendance-mark.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { namedActor } from "../audit/write-course-audit.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { leaseMs } from "../../kernel/with-claim.ts";
import { carryOut, type RunMarkDeps } from "./run-mark.ts";

export type MarkSessionDeps = RunMarkDeps & Pick<App, "wake">;

export type WantedMark = {
  eventId: string;
  /** Learners marked by name, before `everybody`. */
  rows: readonly MarkedRow[];
  everybody: MarkedClass | null;
  reason: string | null;
};

/** Of a page (ms); the rest is done without it. */
const waitMs = 4_000;

/**
 * The mark is stored first and then takes effect, here or in the worker; pressing again changes nothing. Corrections,
 * their audit lines and grades are written together. @param actor The instructor's person id.
 * @returns the mark; its state may still be "facts" for a large class; `missed` learners had changed and are left as
 *   they are.
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
  await deps.attendanceMarks.insert(mark, holder, at + leaseMs);
  try {
    return await carryOut(deps, mark, holder, at + waitMs);
  } finally {
    deps.wake("marks");
  }
}

/** A form may name only people of this course. */
async function refuseStrangers(
  deps: MarkSessionDeps,
  course: Course,
  { eventId, rows }: WantedMark,
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const sessions = await listSessions(deps, course);
  const listed = sessions.some((session) => session.eventId === eventId);
  // A session that cannot be read any more keeps its facts.
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
