import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { capabilitiesOf } from "../../lms/products/capabilities-of.ts";
import type { Scores, ScoreTarget } from "../../lms/scores.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "./grade-after-change.ts";
import type { Column, EmptiedColumn } from "./rules/column.ts";
import { wasEmptied } from "./rules/compare-with-gradebook.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";

export type LookForEmptiedDeps = Pick<App, "columns" | "deliveries" | "clock"> & {
  scores: Pick<Scores, "readResults" | "canReadResults">;
};

/**
 * Reads whether the gradebook has any grade where ours arrived. A course that was reset for a new term keeps its columns
 * (Moodle, course/reset.php): nothing is sent then until an instructor says what counts. @returns whether it was emptied
 */
export async function lookForEmptied(
  deps: LookForEmptiedDeps,
  target: ScoreTarget,
  { id, registrationId, courseId, key: columnKey }: Column,
): Promise<boolean> {
  const { lineItemUrl, registration, scopes } = target;
  const traits = capabilitiesOf(registration).gradebook;
  // There an empty grade is a teacher's doing, and held one by one.
  if (traits.emptyMeansCleared || !deps.scores.canReadResults(scopes)) return false;
  const place = { registrationId, courseId, columnKey };
  const startedAt = deps.clock.now();
  const arrived = await deps.deliveries.listArrived(place, lineItemUrl);
  if (arrived.length === 0) return false;
  const results = await deps.scores.readResults(target);
  if (!wasEmptied(arrived, results)) return false;
  const lastAt = Math.max(...arrived.map(({ accepted }) => accepted.at));
  const emptied: EmptiedColumn = { at: startedAt, lastAt, grades: arrived.length };
  if (!(await deps.columns.noteEmptied(id, lineItemUrl, emptied))) return false;
  await deps.deliveries.loseGrades(place);
  return true;
}

/** Columns whose grades the gradebook has lost, while no instructor has said why. */
export function emptiedAmong(columns: readonly Column[]): (Column & { emptied: EmptiedColumn })[] {
  return columns.flatMap(({ emptied = null, ...column }) =>
    emptied === null ? [] : [{ ...column, emptied }],
  );
}

type AnswerEmptiedDeps = GradeAfterChangeDeps & SendAfterMoveDeps & CourseAuditDeps & Pick<App, "courses">;

/**
 * term: only sessions after the last grade of the old term count · same: all grades are sent again. One answer is for
 * all columns of the course. @param actor Person id. @returns false when there was nothing to answer
 */
export async function answerEmptied(
  deps: AnswerEmptiedDeps,
  course: Course,
  answer: "term" | "same",
  actor: string,
): Promise<boolean> {
  const emptied = emptiedAmong(await deps.columns.listOfCourse(course.registrationId, course.id));
  if (emptied.length === 0) return false;
  const end = ({ id, lineItemUrl }: Column) => deps.columns.noteEmptied(id, lineItemUrl ?? "", null);
  if (answer === "same") {
    for (const column of emptied) await sendAfterMove(deps, column, () => end(column));
    await writeCourseAudit(deps, course, actor, { what: "scores-resent" });
    return true;
  }
  const from = Math.max(...emptied.map(({ emptied: { lastAt } }) => lastAt)) + 1;
  await countSessionsFrom(deps, course, from, actor, async () => {
    for (const column of emptied) {
      const { registrationId, courseId, key: columnKey } = column;
      await deps.deliveries.beginAnew({ registrationId, courseId, columnKey });
      await end(column);
    }
  });
  return true;
}

/** @param from Milliseconds; null counts all sessions. @param actor Person id. */
export async function countSessionsFrom(
  deps: AnswerEmptiedDeps,
  course: Pick<Course, "id" | "registrationId">,
  from: number | null,
  actor: string,
  andThen: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await gradeAfterChange(deps, course, "everybody", async () => {
    await deps.courses.setCountsFrom(course.id, from);
    await andThen();
  });
  const what = from === null ? "term-undone" : "term-begun";
  await writeCourseAudit(deps, course, actor, { what });
}

/** @throws NamedError "gradebook-emptied" while an instructor has not said why */
export function requireGrades({ emptied = null }: Pick<Column, "emptied">): void {
  if (emptied !== null) throw refusal("gradebook-emptied");
}

export type SendAfterMoveDeps = Pick<App, "wake" | "clock"> & {
  deliveries: Pick<DeliveryStore, "retryColumn">;
};

/** Scores wait so long (ms) for a column's new place: one tried before would become idle again. */
const waitMs = 2_000;

/**
 * Sends a column's scores to its new place. They are due before it moves and again after, so that a crash loses none.
 * @returns false when it did not move
 */
export async function sendAfterMove(
  deps: SendAfterMoveDeps,
  { registrationId, courseId, key: columnKey }: Pick<Column, "registrationId" | "courseId" | "key">,
  move: () => Promise<boolean>,
): Promise<boolean> {
  const now = deps.clock.now();
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + waitMs);
  if (!(await move())) return false;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now);
  deps.wake("deliveries");
  return true;
}
