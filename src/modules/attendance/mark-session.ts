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
  const nothing = wanted.rows.length === 0 && wanted.everybody === null;
  const marks = await newMarks(deps, course, actor, [wanted]);
  const [mark] = nothing
    ? marks.map((one) => ({ ...one, state: "done" as const }))
    : await carryOutAll(deps, marks);
  if (mark === undefined) throw new Error("a mark was asked for");
  return mark;
}

/** The marks of several sessions, all stored before the first takes effect. @returns, @throws As `markSession`, in the same order. */
export async function markSessions(
  deps: MarkSessionDeps,
  course: Course,
  actor: string,
  wanted: readonly WantedMark[],
): Promise<AttendanceMark[]> {
  return carryOutAll(deps, await newMarks(deps, course, actor, wanted));
}

async function newMarks(
  deps: MarkSessionDeps,
  course: Course,
  actor: string,
  wanted: readonly WantedMark[],
): Promise<AttendanceMark[]> {
  const sessions = new Set((await listSessions(deps, course)).map(({ eventId }) => eventId));
  for (const one of wanted) await refuseStrangers(deps, course, one, sessions);
  const by = await namedActor(deps, actor);
  return wanted.map((one) => ({
    id: deps.ids.id("mark"),
    registrationId: course.registrationId,
    courseId: course.id,
    by,
    at: deps.clock.now(),
    ...one,
    state: "facts",
    reached: "",
    written: 0,
    writtenInClass: 0,
    missed: [],
  }));
}

async function carryOutAll(
  deps: MarkSessionDeps,
  marks: readonly AttendanceMark[],
): Promise<AttendanceMark[]> {
  const holder = deps.ids.id("hold");
  const begun = deps.clock.now();
  for (const mark of marks) await deps.attendanceMarks.insert(mark, holder, begun + leaseMs);
  const until = begun + waitMs;
  const done: AttendanceMark[] = [];
  try {
    for (const mark of marks) {
      if (deps.clock.now() <= until) done.push(await carryOut(deps, mark, holder, until));
      else {
        await deps.attendanceMarks.release(mark.id, holder, mark.at);
        done.push(mark);
      }
    }
    return done;
  } finally {
    deps.wake("marks");
  }
}

/** A form may name only people of this course. */
async function refuseStrangers(
  deps: MarkSessionDeps,
  course: Course,
  { eventId, rows }: WantedMark,
  sessions: ReadonlySet<string>,
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const listed = sessions.has(eventId);
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
