import type { ShowAttendanceApp } from "./show-attendance.ts";
import type { MarksApp } from "./run-mark.ts";
import type { App } from "../../app.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { Course } from "../../domain/course.ts";
import { wholeGrid } from "./grid-learners.ts";
import type { AttendanceMark } from "./rules/attendance-mark.ts";
import type { TableMark } from "./rules/marks-in-table.ts";
import { markSessions } from "./mark-session.ts";
import { everyGridRow, type GridRow } from "./show-grid.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { allDays } from "../scheduling/rules/day-range.ts";

/** What a mark of a table changes. */
export type MarkChange = TableMark & {
  /** As it came; null: nothing is recorded. */
  before: string | null;
  /** Revision of the record that was compared; 0 for none. */
  seen: number;
};

/** Everybody and everything that a table of marks may speak of. */
export type MarkableCourse = { sessions: readonly CourseSession[]; rows: readonly GridRow[] };

/** Sessions begun or with facts, earliest first, and all learners with their current marks. */
export async function markableCourse(app: ShowAttendanceApp, course: Course): Promise<MarkableCourse> {
  const rows: GridRow[] = [];
  let sessions: readonly CourseSession[] = [];
  for await (const some of everyGridRow(app, course, wholeGrid, allDays)) {
    ({ sessions } = some);
    rows.push(...some.rows);
  }
  return { sessions, rows };
}

/** @returns what differs from what is recorded, in the order of sessions, then of learners. */
export async function compareMarks(
  { attendance }: Pick<App, "attendance">,
  course: Course,
  { sessions, rows }: MarkableCourse,
  marks: readonly TableMark[],
): Promise<MarkChange[]> {
  const wanted = new Map(marks.map((mark) => [keyOf(mark), mark]));
  const changes: MarkChange[] = [];
  for (const [at, { eventId }] of sessions.entries()) {
    // What the table of the course shows already needs no record.
    const differing = rows.flatMap(({ personId, cells }) => {
      const mark = wanted.get(keyOf({ eventId, personId }));
      const cell = cells[at];
      const shown = cell?.kind === "status" ? cell.status : null;
      return mark === undefined || mark.status === shown ? [] : [mark];
    });
    if (differing.length === 0) continue;
    const records = await attendance.listOfEvent(course.registrationId, course.id, eventId);
    const recordOf = new Map(records.map((record) => [record.personId, record]));
    for (const mark of differing) {
      const record = recordOf.get(mark.personId);
      const before = record === undefined ? null : (currentAttendanceOf(record)?.status ?? null);
      if (before !== mark.status) changes.push({ ...mark, before, seen: record?.revision ?? 0 });
    }
  }
  return changes;
}

/** What was compared, saved as an instructor's marks; the note of an earlier one stays. @throws As `markSession`. */
export async function saveMarks(
  app: MarksApp,
  course: Course,
  actor: string,
  { changes, reason }: { changes: readonly Omit<MarkChange, "before">[]; reason: string | null },
): Promise<AttendanceMark[]> {
  const wanted = [];
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
    wanted.push({ eventId, rows, everybody: null, reason });
  }
  return markSessions(app, course, actor, wanted);
}

function keyOf({ eventId, personId }: Pick<TableMark, "eventId" | "personId">): string {
  return JSON.stringify([eventId, personId]);
}
