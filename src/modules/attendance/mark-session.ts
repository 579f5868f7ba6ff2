import type { AnsweredWord, AttendanceMark, MarkedClass, MarkedRow } from "./rules/records.ts";
import { wholeGrid } from "./grid-learners.ts";
import type { TableMark } from "./rules/marks-in-table.ts";
import { type GridRow, everyGridRow } from "./show-grid.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { allDays } from "../scheduling/rules/time-zone.ts";
import { type GridCellDetail, showGridCell } from "./show-learner.ts";
import type { ShowAttendanceApp } from "./show-attendance.ts";
import { type KnownStatus, currentAttendanceOf } from "../../domain/attendance.ts";
import { newestMark } from "../../domain/counting-facts.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import { byKey } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { leaseMs } from "../../kernel/with-claim.ts";
import { auditedById } from "../audit/audit.ts";
import { type CountingApp, factsOfEvents } from "../grading/counting-facts.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { type MarksApp, carryOut } from "./run-mark.ts";

type RequestedMark = {
  eventId: string;
  /** Learners marked individually, before `everybody`. */
  rows: readonly MarkedRow[];
  everybody: MarkedClass | null;
  reason: string | null;
  /** The learner's message that the mark answers. */
  answers?: AnsweredWord;
};

/** How long a page waits (ms). The worker does the rest. */
const waitMs = 4_000;

/**
 * Stores a mark before it takes effect, here or in the worker. Pressing again changes nothing.
 * @returns the mark, in state "facts" while a large class is being marked. `missed` learners had changed, so their marks stay as they are.
 * @throws NamedError "session-unknown", "learner-unknown"
 */
export async function markSession(app: MarksApp, course: Course, actor: string, requested: RequestedMark) {
  const { rows, everybody, answers } = requested;
  const nothing = rows.length === 0 && everybody === null && answers === undefined;
  const marks = await newMarks(app, course, actor, [requested]);
  const [mark] = nothing
    ? marks.map((one) => ({ ...one, state: "done" as const }))
    : await carryOutAll(app, marks);
  if (mark === undefined) throw new Error("the request made no mark");
  return mark;
}

/** Stores the marks of several sessions, all before the first one takes effect. @returns, @throws As `markSession`, in the same order. */
export async function markSessions(
  app: MarksApp,
  course: Course,
  actor: string,
  requested: readonly RequestedMark[],
): Promise<AttendanceMark[]> {
  return carryOutAll(app, await newMarks(app, course, actor, requested));
}

async function newMarks(
  app: MarksApp,
  course: Course,
  actor: string,
  requested: readonly RequestedMark[],
): Promise<AttendanceMark[]> {
  const sessions = new Set((await listSessions(app, course)).map(({ eventId }) => eventId));
  for (const one of requested) await refuseStrangers(app, course, one, sessions);
  const by = await auditedById(app, actor);
  return requested.map((one) => ({
    id: app.ids.id("mark"),
    ...keyOfCourse(course),
    by,
    at: app.clock.now(),
    answers: null,
    ...one,
    state: "facts",
    reached: "",
    written: 0,
    writtenInClass: 0,
    missed: [],
  }));
}

async function carryOutAll(app: MarksApp, marks: readonly AttendanceMark[]): Promise<AttendanceMark[]> {
  const holder = app.ids.id("hold");
  const begun = app.clock.now();
  for (const mark of marks) await app.attendanceMarks.insert(mark, holder, begun + leaseMs);
  const until = begun + waitMs;
  const done: AttendanceMark[] = [];
  try {
    for (const mark of marks) {
      if (app.clock.now() <= until) done.push(await carryOut(app, mark, holder, until));
      else {
        await app.attendanceMarks.release(mark.id, holder, mark.at);
        done.push(mark);
      }
    }
    return done;
  } finally {
    app.wake("marks");
  }
}

/** A form may only name people of this course. */
async function refuseStrangers(
  app: MarksApp,
  course: Course,
  { eventId, rows, answers }: RequestedMark,
  sessions: ReadonlySet<string>,
): Promise<void> {
  const key = keyOfCourse(course);
  const listed = sessions.has(eventId);
  // A session that can no longer be read keeps its facts and its learners' messages.
  if (
    !listed &&
    answers === undefined &&
    (await app.attendance.listOfEvent(key.registrationId, course.id, eventId)).length === 0
  ) {
    throw refusal("session-unknown", { status: 404 });
  }
  const ids = rows.map(({ personId }) => personId);
  const members = new Set((await app.members.findMany(key, ids)).map(({ personId }) => personId));
  for (const personId of ids.filter((id) => !members.has(id))) {
    if ((await app.attendance.find({ ...key, eventId, personId })) !== null) continue;
    throw refusal("learner-unknown", { status: 404 });
  }
}

export type Tap = {
  eventId: string;
  personId: string;
  /** The status that the page showed; "" if nothing was recorded. */
  was: string;
  /** "" returns to the classroom's record. */
  status: KnownStatus | "";
  /** Null keeps the present note. */
  note: string | null;
};

/** The status and note that would undo this tap. */
type TakesBack = { status: KnownStatus | ""; note: string };

type Tapped =
  | { kind: "marked"; detail: GridCellDetail; takesBack: TakesBack }
  /** Another instructor has changed the mark since, so nothing was saved. */
  | { kind: "changed"; detail: GridCellDetail };

/** Marks one learner, if the mark is still the one that was seen. @throws NamedError "session-unknown", "learner-unknown" */
export async function markOne(
  app: ShowAttendanceApp & MarksApp,
  course: Course,
  actor: string,
  { eventId, personId, ...tap }: Tap,
): Promise<Tapped> {
  const readCell = () => showGridCell(app, course, { eventId, personId });
  const seen = await readCell();
  const row = tappedRow(seen, tap);
  if (row === null) return { kind: "changed", detail: seen };
  const { missed } = await correctAttendance(app, course, actor, { ...row, eventId, reason: null });
  const detail = await readCell();
  const takesBack = correctionOf(seen.row);
  return missed.length > 0 ? { kind: "changed", detail } : { kind: "marked", detail, takesBack };
}

/** The row of the mark that a tap makes; null if the learner's mark isn't the one that was seen. */
export function tappedRow(
  { row }: GridCellDetail,
  { was, status, note }: Pick<Tap, "was" | "status" | "note">,
): MarkedRow | null {
  if ((row.current?.status ?? "") !== was) return null;
  const notes = status === "" ? "" : (note ?? correctionOf(row).note);
  return {
    personId: row.personId,
    seen: row.revision,
    confirms: true,
    status: status === "" ? null : status,
    notes: notes === "" ? null : notes,
  };
}

function correctionOf({ facts }: GridCellDetail["row"]): TakesBack {
  const newest = newestMark(facts);
  if (newest === undefined || newest.status === null) return { status: "", note: "" };
  return { status: newest.status, note: newest.notes ?? "" };
}

/** An instructor's correction of one learner's session. `seen` is the revision of the record that they saw. */
type RequestedCorrection = MarkedRow & { eventId: string; reason: string | null };

/** Makes one mark. A null status returns to the classroom's record. @returns and throws as `markSession` */
export function correctAttendance(
  app: MarksApp,
  course: Course,
  actor: string,
  { eventId, reason, ...row }: RequestedCorrection,
): Promise<AttendanceMark> {
  return markSession(app, course, actor, { eventId, rows: [row], everybody: null, reason });
}

/**
 * Undoes what one of their marks for a whole class filled in, where nobody has changed it since. @param at When the mark was made (ms).
 * @returns for how many learners. @throws NamedError "session-unknown"
 */
export async function undoClass(
  app: MarksApp,
  course: Course,
  actor: string,
  { eventId, at }: { eventId: string; at: number },
): Promise<number> {
  const records = await app.attendance.listOfEvent(course.registrationId, course.id, eventId);
  const rows = records.flatMap(({ personId, revision, corrections: [newest] }) =>
    newest?.by === actor && newest.at === at && newest.status !== null
      ? [{ personId, status: null, notes: null, seen: revision, confirms: false }]
      : [],
  );
  const { written } = await markSession(app, course, actor, { eventId, rows, everybody: null, reason: null });
  return written;
}

export type MarkChange = TableMark & {
  /** As reported; null if nothing is recorded. */
  before: string | null;
  /** Revision of the record that was compared; 0 if there is none. */
  seen: number;
};

/** The sessions and learners that an imported table of marks can name. */
export type MarkableCourse = { sessions: readonly CourseSession[]; rows: readonly GridRow[] };

/** Sessions that have begun or have facts, earliest first, and all learners with their present marks. */
export async function markableCourse(app: ShowAttendanceApp, course: Course): Promise<MarkableCourse> {
  const rows: GridRow[] = [];
  let sessions: readonly CourseSession[] = [];
  for await (const batch of everyGridRow(app, course, wholeGrid, allDays)) {
    ({ sessions } = batch);
    rows.push(...batch.rows);
  }
  return { sessions, rows };
}

/** @returns the marks that differ from what is recorded, in the order of sessions, then of learners. */
export async function compareMarks(
  app: CountingApp,
  course: Course,
  { sessions, rows }: MarkableCourse,
  marks: readonly TableMark[],
): Promise<MarkChange[]> {
  const markOf = byKey(marks, keyOf);
  const changes: MarkChange[] = [];
  for (const [at, session] of sessions.entries()) {
    const { eventId } = session;
    // A mark that equals the recorded one needs no correction.
    const differing = rows.flatMap(({ personId, cells }) => {
      const mark = markOf.get(keyOf({ eventId, personId }));
      const cell = cells[at];
      const recorded = cell?.kind === "status" ? cell.status : null;
      return mark === undefined || mark.status === recorded ? [] : [mark];
    });
    if (differing.length === 0) continue;
    const recordOf = byKey(await factsOfEvents(app, course, [session]), ({ personId }) => personId);
    for (const mark of differing) {
      const record = recordOf.get(mark.personId);
      const before = record === undefined ? null : (currentAttendanceOf(record)?.status ?? null);
      if (before !== mark.status) changes.push({ ...mark, before, seen: record?.revision ?? 0 });
    }
  }
  return changes;
}

/** Saves what was compared as an instructor's marks. Notes of earlier marks stay. @throws As `markSession`. */
export async function saveMarks(
  app: MarksApp,
  course: Course,
  actor: string,
  { changes, reason }: { changes: readonly Omit<MarkChange, "before">[]; reason: string | null },
): Promise<AttendanceMark[]> {
  const requested = [];
  for (const eventId of new Set(changes.map((change) => change.eventId))) {
    const records = await app.attendance.listOfEvent(course.registrationId, course.id, eventId);
    const noteOf = new Map(records.map((one) => [one.personId, one.corrections[0]?.notes ?? null]));
    const rows = changes
      .filter((change) => change.eventId === eventId)
      .map(({ personId, status, seen }) => ({
        personId,
        status,
        seen,
        notes: noteOf.get(personId) ?? null,
        confirms: false,
      }));
    requested.push({ eventId, rows, everybody: null, reason });
  }
  return markSessions(app, course, actor, requested);
}

function keyOf({ eventId, personId }: Pick<TableMark, "eventId" | "personId">): string {
  return JSON.stringify([eventId, personId]);
}
