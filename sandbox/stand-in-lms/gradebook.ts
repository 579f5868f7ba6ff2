// From: grade_item.php, measured; excusing is Canvas's; context_module.rb (min_score).
import { type Column, type Grade, isGradable, type LmsWorld, type Person } from "./lms-records.ts";
import { columnsOf, courseOf, membersOf } from "./lms-world.ts";
import type { Lms } from "./lms.ts";

export type Gradebook = ReturnType<typeof gradebookOf>;

/**
 * Learners by family name, columns oldest first. @param quirks.openEdx Only columns tied to a link (signals.py,
 * publish_grade_on_score_update).
 */
export function gradebookOf(
  world: LmsWorld,
  courseId: string,
  { openEdx = false }: { openEdx?: boolean } = {},
) {
  const course = courseOf(world, courseId);
  const columns = columnsOf(world, courseId).filter(
    (column) =>
      column.joinedTo === null && column.deleted !== true && !(openEdx && column.resourceLinkId === null),
  );
  const learners = membersOf(world, course)
    .filter(({ enrolment }) => isGradable(enrolment.role))
    .map(({ person }) => person)
    .sort(byFamilyName);
  return {
    courseId,
    columns: columns.map((column) => {
      const { id, label, scoreMaximum, resourceId, tag, resourceLinkId, locked, hidden, published } = column;
      const due = column.dueAt === undefined ? {} : { dueAt: column.dueAt };
      return { id, label, scoreMaximum, resourceId, tag, resourceLinkId, locked, hidden, published, ...due };
    }),
    learners: learners.map((person) => ({
      personId: person.id,
      name: `${person.given} ${person.family}`,
      username: person.username,
      grades: columns.map((column) => cellOf(column, person.id, findGrade(world, column.id, person.id))),
    })),
  };
}

/** As in Moodle: by family name, then given name. */
export function byFamilyName(one: Person, other: Person): number {
  return one.family.localeCompare(other.family) || one.given.localeCompare(other.given);
}

/** `value` is what counts, `sent` the tool's last delivery, both in the column's scale. */
function cellOf({ id: columnId }: Column, personId: string, grade = noGrade(columnId, personId)) {
  const { final: value, raw: sent, feedback: comment, overridden, attempts, excused = false } = grade;
  return { columnId, value, sent, comment, overridden, attempts, excused };
}

export function findGrade(world: LmsWorld, columnId: string, personId: string): Grade | undefined {
  return world.grades.get(`${columnId} ${personId}`);
}

/** Replaces any earlier one. */
export function putGrade(world: LmsWorld, grade: Grade): void {
  world.grades.set(`${grade.columnId} ${grade.personId}`, grade);
}

/**
 * From now on it counts, whatever the tool sends (Moodle still stores the tool's score underneath). `value` null removes it. @param now In
 * ms; null if it does not change the time that later scores must exceed (Canvas).
 */
export function overrideGrade(
  world: LmsWorld,
  change: { columnId: string; personId: string; value: number | null; comment: string | null },
  now: number | null,
): void {
  const { columnId, personId, value, comment } = change;
  const before = findGrade(world, columnId, personId) ?? noGrade(columnId, personId);
  const points = world.columns.get(columnId)?.scoreMaximum;
  putGrade(world, {
    ...before,
    // grade_item.php, `update_final_grade`: a teacher's grade updates the raw maximum, too.
    ...(points === undefined ? {} : { rawMaximum: points }),
    final: value ?? before.raw,
    feedback: comment,
    overridden: value !== null,
    excused: false,
    modifiedAt: now === null ? before.modifiedAt : Math.floor(now / 1000),
  });
}

/** Nothing sent and nothing entered. */
export function noGrade(columnId: string, personId: string): Grade {
  const empty = { raw: null, final: null, feedback: null, overridden: false };
  return { columnId, personId, ...empty, attempts: 0, modifiedAt: 0, listedWhenEmpty: false };
}

/** Canvas: empties the grade; ending it does not restore the grade. */
export function excuseGrade(world: LmsWorld, columnId: string, personId: string, excused: boolean): void {
  const grade = findGrade(world, columnId, personId) ?? noGrade(columnId, personId);
  putGrade(world, { ...grade, excused, ...(excused ? { raw: null, final: null, overridden: false } : {}) });
}

/** Rescales existing grades, as Moodle does. @param now In ms. */
export function rescaleColumn(world: LmsWorld, column: Column, scoreMaximum: number, now: number): void {
  const factor = column.scoreMaximum === 0 ? 1 : scoreMaximum / column.scoreMaximum;
  column.scoreMaximum = scoreMaximum;
  if (factor === 1) return;
  for (const grade of world.grades.values()) {
    if (grade.columnId !== column.id) continue;
    grade.raw = grade.raw === null ? null : toFiveDecimals(grade.raw * factor);
    grade.final = grade.final === null ? null : toFiveDecimals(grade.final * factor);
    grade.rawMaximum = scoreMaximum;
    grade.modifiedAt = Math.floor(now / 1000);
  }
}

/**
 * Answers "No" to "Rescale existing grades?" (Moodle). Grades of a standalone column keep their number; for an activity's column Moodle
 * recomputes them from raw grades (grade_item.php, `adjust_raw_grade`). The raw maximum is unchanged in both.
 */
export function changeMaximumOnly(world: LmsWorld, column: Column, scoreMaximum: number): void {
  const before = column.scoreMaximum;
  column.scoreMaximum = scoreMaximum;
  for (const grade of world.grades.values()) {
    if (grade.columnId !== column.id) continue;
    grade.rawMaximum ??= before;
    if (column.coupledLinkId === null || grade.overridden || grade.raw === null) continue;
    grade.final = toFiveDecimals((grade.raw * scoreMaximum) / grade.rawMaximum);
  }
}

/** Moodle's precision of stored grades. */
export function toFiveDecimals(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

/**
 * Whether a learner has completed an activity by its grade: Moodle's condition "Receive a grade" (measured on 4.5: a 0 is a grade, a
 * cleared grade does not count, and only the activity's own column counts), or with `atLeast` Canvas's requirement "Score at least"
 * (context_module.rb, `min_score`), in points of the column.
 */
export function isCompletedByGrade(
  world: LmsWorld,
  linkId: string,
  personId: string,
  atLeast: number | null,
): boolean {
  const own = [...world.columns.values()].find(
    ({ coupledLinkId, deleted }) => coupledLinkId === linkId && deleted !== true,
  );
  const value = own === undefined ? null : (findGrade(world, own.id, personId)?.final ?? null);
  return value !== null && (atLeast === null || value >= atLeast);
}

/** The time that later scores must exceed after a teacher's grade (ms); null in Canvas, where it is that of the tool's last score. */
export function teachersTime({ manners, clock }: Pick<Lms, "manners" | "clock">): number | null {
  return manners.name === "canvas" ? null : clock.now();
}
