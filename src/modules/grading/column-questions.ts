import type { LineItems } from "../../lms/line-items.ts";
import type { App } from "../../app.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import type { GradebookTraits } from "../../domain/lms-product.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { Scores } from "../../lms/scores.ts";
import { type ActiveRegistrationApp, requireActiveRegistration } from "../registration/registrations.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import type { GradingApp } from "./grade-members.ts";
import type { AnswersApp } from "./send-again.ts";
import { isAsked, sendAfterMove } from "./check-column.ts";
import {
  attendanceColumn,
  type Column,
  type EmptiedColumn,
  eventOfColumn,
  type MissingColumn,
  type OfferedLineItem,
} from "./rules/column.ts";
import { gradeAfterChange } from "./regrade.ts";

export type ColumnMissed = Column & { missing: MissingColumn };

/** Missing columns that the policy fills, including those that instructors left out. */
export function missingAmong(columns: readonly Column[], { policy }: Pick<Course, "policy">): ColumnMissed[] {
  return columns.flatMap((column) => {
    const { missing = null } = column;
    return missing === null || !isAsked(policy, column.key) ? [] : [{ ...column, missing }];
  });
}

/** Columns that the policy fills and that have 0 points in the gradebook, so nothing counts. No instructor has said that this is intended. */
export function withoutPointsAmong(columns: readonly Column[], { policy }: Pick<Course, "policy">): Column[] {
  return columns.filter(
    ({ key, lineItemUrl, points, keptAtZero = false }) =>
      points === 0 && lineItemUrl !== null && !keptAtZero && isAsked(policy, key),
  );
}

/** Keeps a column at 0 points until a teacher gives it points. @returns false if there was no such question */
export async function keepAtZero(
  { columns }: Pick<App, "columns">,
  course: Pick<Course, "registrationId" | "id" | "policy">,
  columnId: string,
): Promise<boolean> {
  const all = await columns.listOfCourse(course.registrationId, course.id);
  return withoutPointsAmong(all, course).some(({ id }) => id === columnId) && columns.keepAtZero(columnId);
}

export async function missingColumns(
  { columns }: Pick<App, "columns">,
  course: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<ColumnMissed[]> {
  return missingAmong(await columns.listOfCourse(course.registrationId, course.id), course);
}

/**
 * Answers the question about a missing column. Continuing without the attendance column is a change of policy and isn't made here.
 * @param actor Person id. @returns false if there was no such question
 */
export async function answerMissing(
  app: AnswersApp,
  course: Course,
  { columnId, answer }: { columnId: string; answer: "make" | "leave" },
  actor: string,
): Promise<boolean> {
  const column = (await missingColumns(app, course)).find(({ id }) => id === columnId);
  if (column === undefined) return false;
  const { at } = column.missing;
  const done =
    answer === "make"
      ? await sendAfterMove(app, column, () => app.columns.makeAgain(column.id, at))
      : column.key !== attendanceColumn && (await app.columns.leaveOut(column.id, at));
  if (!done) return false;
  const what = answer === "make" ? "column-made-again" : "column-left-out";
  const session = eventOfColumn(column.key);
  const on = session === null ? null : { eventId: session, title: column.label ?? null, startsAt: null };
  await writeCourseAudit(app, course, actor, { what, session: on });
  return true;
}

export type OldColumn = Column & { lineItemUrl: string };

/** The attendance column, if sessions have separate columns and the gradebook still has this one. */
export async function oldColumn(app: Pick<App, "columns">, course: Course): Promise<OldColumn | null> {
  if (course.policy.kind !== "column-per-session") return null;
  const key = { ...keyOfCourse(course), key: attendanceColumn };
  const column = await app.columns.find(key);
  const lineItemUrl = column?.lineItemUrl ?? null;
  return column === null || lineItemUrl === null ? null : { ...column, lineItemUrl };
}

/** Whether we made the column. A link's column can only be deleted in the LMS. */
export function isOurs({ linkId }: Pick<Column, "linkId">): boolean {
  return linkId === null;
}

/**
 * Deletes the old attendance column from the gradebook, with its grades. @param actor Person id. @returns false if we have none. @throws
 * NamedError "column-not-removed"
 */
export async function removeOldColumn(
  app: AnswersApp & ActiveRegistrationApp & { lineItems: Pick<LineItems, "remove"> },
  course: Course,
  actor: string,
): Promise<boolean> {
  const column = await oldColumn(app, course);
  if (column === null || !isOurs(column)) return false;
  const registration = await requireActiveRegistration(app, course);
  const target = { registration, scopes: course.gradeScopes };
  await app.lineItems.remove(target, column.lineItemUrl).catch((thrown: unknown) => {
    if (!(thrown instanceof NamedError)) throw thrown;
    throw refusal("column-not-removed", { values: { reason: thrown.message }, status: 502 });
  });
  // Written before the column is forgotten, because until then the removal can be repeated.
  await writeCourseAudit(app, course, actor, { what: "column-removed", before: column.label ?? null });
  const missing = { at: app.clock.now(), tied: false, leftOut: false };
  await app.columns.lose(column.id, column.lineItemUrl, missing);
  return true;
}

export type GradebookNotes = {
  /** Whose grades are read before sending; "nobody" if we lack the right. */
  checked: "everybody" | "graded-only" | "nobody";
  /** Sending a score ends "Excused". */
  endsExcused: boolean;
  /** The gradebook accepts our score but keeps showing the teacher's. */
  keepsTeachersGrade: boolean;
  /** The points that a teacher set, to which scores are converted; null if they are ours, or 0. */
  otherPoints: number | null;
};

/** What instructors should know about their gradebook. @param column The page's column; null if there is none. */
export function gradebookNotes(
  app: { scores: Pick<Scores, "canReadResults"> },
  gradebook: GradebookTraits,
  course: Pick<Course, "gradeScopes" | "policy">,
  column: Pick<Column, "points"> | null,
): GradebookNotes {
  const { resultsInclude, sendingEndsExcused, keepsTeachersGrade } = gradebook;
  const checked = app.scores.canReadResults(course.gradeScopes) ? resultsInclude : "nobody";
  const points = column?.points || null;
  const policyPoints = course.policy.kind === "no-grades" ? null : course.policy.points;
  const otherPoints = points === null || policyPoints === null || points === policyPoints ? null : points;
  return { checked, endsExcused: sendingEndsExcused, keepsTeachersGrade, otherPoints };
}

export type OfferedColumn = Column & { offered: OfferedLineItem };

/** Our own column of a course whose activity has got a line item since; null if there is nothing to choose. */
export function offeredAmong(
  columns: readonly Column[],
  { policy }: Pick<Course, "policy">,
): OfferedColumn | null {
  const column = columns.find(({ key }) => key === attendanceColumn);
  if (policy.kind !== "one-column" || column?.offered == null || column.lineItemUrl === null) return null;
  return column.linkId === null ? { ...column, offered: column.offered } : null;
}

/** The line item of a duplicated activity. It gets no scores, but totals may count it. Null if there is none. */
export function secondAmong(columns: readonly Column[], { policy }: Pick<Course, "policy">) {
  const column = columns.find(({ key }) => key === attendanceColumn);
  if (policy.kind !== "one-column" || column?.offered == null || column.lineItemUrl === null) return null;
  return column.linkId === null ? null : column.offered;
}

export async function offeredColumn(
  { columns }: Pick<App, "columns">,
  course: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<OfferedColumn | null> {
  const { registrationId, id: courseId } = course;
  const column = await columns.find({ registrationId, courseId, key: attendanceColumn });
  return column === null ? null : offeredAmong([column], course);
}

/**
 * Sends all scores to the activity's own line item from now on. Our column stays in the gradebook with its grades.
 * @param actor Person id. @returns false if there was nothing to choose
 */
export async function useActivityColumn(app: AnswersApp, course: Course, columnId: string, actor: string) {
  const column = await offeredColumn(app, course);
  if (column?.id !== columnId) return false;
  const take = () => app.columns.takeOffered(column.id, column.offered);
  if (!(await sendAfterMove(app, column, take))) return false;
  await writeCourseAudit(app, course, actor, { what: "column-of-activity", before: column.label ?? null });
  return true;
}

/** Keeps sending grades to our column; instructors can still choose the other one later. @returns false if there was nothing to choose */
export async function keepColumn(app: Pick<App, "columns">, course: Course, columnId: string) {
  const column = await offeredColumn(app, course);
  return column?.id === columnId && (await app.columns.leaveOffered(column.id, column.offered));
}

/** Columns whose grades the gradebook has lost, until an instructor says why. */
export function emptiedAmong(columns: readonly Column[]): (Column & { emptied: EmptiedColumn })[] {
  return columns.flatMap(({ emptied = null, ...column }) =>
    emptied === null ? [] : [{ ...column, emptied }],
  );
}

/**
 * term: only sessions after the last grade of the old term count · same: all grades are sent again. The answer applies to all columns of
 * the course. @param actor Person id. @returns false if there was no such question
 */
export async function answerEmptied(app: GradingApp, course: Course, answer: "term" | "same", actor: string) {
  const emptied = emptiedAmong(await app.columns.listOfCourse(course.registrationId, course.id));
  if (emptied.length === 0) return false;
  const end = ({ id, lineItemUrl }: Column) => app.columns.noteEmptied(id, lineItemUrl ?? "", null);
  if (answer === "same") {
    for (const column of emptied) await sendAfterMove(app, column, () => end(column));
    await writeCourseAudit(app, course, actor, { what: "scores-resent" });
    return true;
  }
  const from = Math.max(...emptied.map(({ emptied: { lastAt } }) => lastAt)) + 1;
  await countSessionsFrom(app, course, from, actor, async () => {
    for (const column of emptied) {
      const { registrationId, courseId, key: columnKey } = column;
      await app.deliveries.beginTerm({ registrationId, courseId, columnKey });
      await end(column);
    }
  });
  return true;
}

/** @param from Milliseconds; null counts all sessions. @param actor Person id. */
export async function countSessionsFrom(
  app: GradingApp,
  course: Pick<Course, "id" | "registrationId">,
  from: number | null,
  actor: string,
  andThen: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await gradeAfterChange(app, course, "everybody", async () => {
    await app.courses.setCountsFrom(course.id, from);
    await andThen();
  });
  const what = from === null ? "term-undone" : "term-begun";
  await writeCourseAudit(app, course, actor, { what });
}
