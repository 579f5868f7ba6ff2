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

export type ColumnMissed = Column & { missing: MissingColumn };

export type MissingAnswer = { columnId: string; answer: "make" | "leave" };

/** Missing columns that the policy fills, also those left out. */
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
 * Going on without the attendance column is a change of policy, not made here. @param actor Person id. @returns false
 * when there was nothing to answer
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

/** Scores are due before the column is wanted and again after, so that a crash loses none. */
async function makeAgain(deps: AnswerMissingDeps, column: ColumnMissed): Promise<boolean> {
  const { registrationId, courseId, key: columnKey } = column;
  const now = deps.clock.now();
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + waitMs);
  if (!(await deps.columns.wantBack(column.id, column.missing.at))) return false;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now);
  deps.wake("deliveries");
  return true;
}

/** Scores wait so long (ms): one tried before would become idle again. */
const waitMs = 2_000;
