import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { GradebookTraits } from "../../domain/lms-product.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { LineItems } from "../../lms/line-items.ts";
import type { Scores } from "../../lms/scores.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/registrations.ts";
import { sendAfterMove, type SendAfterMoveDeps } from "./emptied-column.ts";
import { isAsked } from "./look-at-column.ts";
import { attendanceColumn, type Column, eventOfColumn, type MissingColumn } from "./rules/column.ts";

export type MissingColumnsDeps = Pick<App, "columns">;
export type AnswerMissingDeps = CourseAuditDeps & SendAfterMoveDeps & MissingColumnsDeps;

export type ColumnMissed = Column & { missing: MissingColumn };

type MissingAnswer = { columnId: string; answer: "make" | "leave" };

/** Missing columns that the policy fills, also those left out. */
export function missingAmong(columns: readonly Column[], { policy }: Pick<Course, "policy">): ColumnMissed[] {
  return columns.flatMap((column) => {
    const { missing = null } = column;
    return missing === null || !isAsked(policy, column.key) ? [] : [{ ...column, missing }];
  });
}

/** Columns that the policy fills, with 0 points in the gradebook: nothing counts, and no instructor has said that it is meant so. */
export function withoutPointsAmong(columns: readonly Column[], { policy }: Pick<Course, "policy">): Column[] {
  return columns.filter(
    ({ key, lineItemUrl, points, keptAtZero = false }) =>
      points === 0 && lineItemUrl !== null && !keptAtZero && isAsked(policy, key),
  );
}

/** Until it has points. @returns false when there was nothing to answer */
export async function keepAtZero(
  { columns }: MissingColumnsDeps,
  course: Pick<Course, "registrationId" | "id" | "policy">,
  columnId: string,
): Promise<boolean> {
  const all = await columns.listOfCourse(course.registrationId, course.id);
  return withoutPointsAmong(all, course).some(({ id }) => id === columnId) && columns.keepAtZero(columnId);
}

export async function missingColumns(
  { columns }: MissingColumnsDeps,
  course: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<ColumnMissed[]> {
  return missingAmong(await columns.listOfCourse(course.registrationId, course.id), course);
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
      ? await sendAfterMove(deps, column, () => deps.columns.wantBack(column.id, at))
      : column.key !== attendanceColumn && (await deps.columns.leaveOut(column.id, at));
  if (!done) return false;
  const what = answer === "make" ? "column-made-again" : "column-left-out";
  const session = eventOfColumn(column.key);
  const on = session === null ? null : { eventId: session, title: column.label ?? null, startsAt: null };
  await writeCourseAudit(deps, course, actor, { what, session: on });
  return true;
}

export type RemoveOldColumnDeps = CourseAuditDeps &
  RequireActiveRegistrationDeps &
  Pick<App, "columns"> & {
    lineItems: Pick<LineItems, "remove">;
  };

export type OldColumn = Column & { lineItemUrl: string };

/** The attendance column, where sessions have their own and the gradebook still has it. */
export async function oldColumn(deps: MissingColumnsDeps, course: Course): Promise<OldColumn | null> {
  if (course.policy.kind !== "column-per-session") return null;
  const key = { registrationId: course.registrationId, courseId: course.id, key: attendanceColumn };
  const column = await deps.columns.find(key);
  const lineItemUrl = column?.lineItemUrl ?? null;
  return column === null || lineItemUrl === null ? null : { ...column, lineItemUrl };
}

/** A link's own column is deleted only in the LMS. */
export function isOurs({ linkId }: Pick<Column, "linkId">): boolean {
  return linkId === null;
}

/** With its grades. @param actor Person id. @returns false: none of ours @throws NamedError "column-not-removed" */
export async function removeOldColumn(
  deps: RemoveOldColumnDeps,
  course: Course,
  actor: string,
): Promise<boolean> {
  const column = await oldColumn(deps, course);
  if (column === null || !isOurs(column)) return false;
  const registration = await requireActiveRegistration(deps, course);
  const target = { registration, scopes: course.gradeScopes };
  await deps.lineItems.remove(target, column.lineItemUrl).catch((thrown: unknown) => {
    if (!(thrown instanceof NamedError)) throw thrown;
    throw refusal("column-not-removed", { values: { reason: thrown.message }, status: 502 });
  });
  const missing = { at: deps.clock.now(), tied: false, leftOut: false };
  await deps.columns.lose(column.id, column.lineItemUrl, missing);
  await writeCourseAudit(deps, course, actor, { what: "column-removed", before: column.label ?? null });
  return true;
}

export type GradebookNotes = {
  /** Whose grades are read before sending; "nobody" without the right to. */
  checked: "everybody" | "graded-only" | "nobody";
  /** Sending a score removes "Excused". */
  endsExcused: boolean;
  /** Takes our score but goes on showing the teacher's. */
  keepsTeachersGrade: boolean;
  /** The points a teacher set; scores are converted. Null also for 0. */
  otherPoints: number | null;
};

/** What instructors should know about their gradebook. @param column The page's column; null while there is none. */
export function gradebookNotes(
  deps: { scores: Pick<Scores, "canReadResults"> },
  gradebook: GradebookTraits,
  course: Pick<Course, "gradeScopes" | "policy">,
  column: Pick<Column, "points"> | null,
): GradebookNotes {
  const { resultsInclude, sendingEndsExcused, keepsTeachersGrade } = gradebook;
  const checked = deps.scores.canReadResults(course.gradeScopes) ? resultsInclude : "nobody";
  const points = column?.points || null;
  const wanted = course.policy.kind === "no-grades" ? null : course.policy.points;
  const otherPoints = points === null || wanted === null || points === wanted ? null : points;
  return { checked, endsExcused: sendingEndsExcused, keepsTeachersGrade, otherPoints };
}
