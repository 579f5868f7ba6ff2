import type { App } from "../../app.ts";
import { attendanceColumn, type Column, eventOfColumn, type MissingColumn } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { isAsked } from "./lose-column.ts";

export type MissingColumnsDeps = Pick<App, "columns">;
export type AnswerMissingDeps = CourseAuditDeps &
  Pick<App, "columns" | "wake"> & {
    deliveries: Pick<DeliveryStore, "retryColumn">;
  };

/** A column of the course that the gradebook has no more. */
export type ColumnMissed = Column & { missing: MissingColumn };

/** What an instructor says about a column that was removed: make a new one, or go on without. */
export type MissingAnswer = { columnId: string; answer: "make" | "leave" };

/** The columns that the course's policy fills and the gradebook has no more, with those that were left out. */
export async function missingColumns(
  deps: MissingColumnsDeps,
  { registrationId, id, policy }: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<ColumnMissed[]> {
  const columns = await deps.columns.listOfCourse(registrationId, id);
  return columns.flatMap((column) => {
    const { missing = null } = column;
    return missing === null || !isAsked(policy, column.key) ? [] : [{ ...column, missing }];
  });
}

/**
 * Carries out what an instructor said about a column that was removed. To go on without the column of all attendance is to
 * give no grades: that is a change of policy and not made here.
 * @param actor Person id of the instructor.
 * @returns false when there was nothing to answer (any more)
 */
export async function answerMissing(
  deps: AnswerMissingDeps,
  course: Course,
  { columnId, answer }: MissingAnswer,
  actor: string,
): Promise<boolean> {
  const column = (await missingColumns(deps, course)).find(({ id }) => id === columnId);
  if (column === undefined) return false;
  const { at } = column.missing;
  const done =
    answer === "make"
      ? await makeAgain(deps, column)
      : column.key !== attendanceColumn && (await deps.columns.leaveOut(column.id, at));
  if (!done) return false;
  const what = answer === "make" ? "column-made-again" : "column-left-out";
  const session = eventOfColumn(column.key);
  const on = session === null ? null : { eventId: session, title: column.label ?? null, startsAt: null };
  await writeCourseAudit(deps, course, actor, { what, session: on });
  return true;
}

/** Scores are due before the column is wanted, and once more after: none is overlooked wherever this process ends. */
async function makeAgain(deps: AnswerMissingDeps, column: ColumnMissed): Promise<boolean> {
  const { registrationId, courseId, key: columnKey } = column;
  const now = deps.clock.now();
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + wantingTakes);
  if (!(await deps.columns.wantBack(column.id, column.missing.at))) return false;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now);
  deps.wake("deliveries");
  return true;
}

/** How long (ms) scores wait for the column to be wanted: one that was tried before would fall asleep again. */
const wantingTakes = 2_000;
