import { isGradable } from "./lms-seed.ts";
import { columnsOf, courseOf } from "./lms-world.ts";
import type { Column, Grade, LmsWorld } from "./lms-records.ts";

/** One course's gradebook, as its teacher sees it. */
export type Gradebook = {
  courseId: string;
  columns: Pick<
    Column,
    | "id"
    | "label"
    | "scoreMaximum"
    | "resourceId"
    | "tag"
    | "resourceLinkId"
    | "locked"
    | "hidden"
    | "published"
  >[];
  learners: {
    personId: string;
    name: string;
    username: string;
    suspended: boolean;
    grades: GradebookCell[];
  }[];
};

/** One cell; `value` is what counts and `sent` what the tool last delivered, both in the column's scale. */
export type GradebookCell = {
  columnId: string;
  value: number | null;
  sent: number | null;
  comment: string | null;
  overridden: boolean;
  /** Submissions a tool made (only Canvas counts them). */
  attempts: number;
  /** Whether a teacher let the learner off (only Canvas knows that). */
  excused: boolean;
};

/**
 * Everything a teacher sees of a course's grades: learners by family name, columns oldest first.
 * @param quirks.openEdx Only columns that are tied to a link: signals.py, publish_grade_on_score_update, publishes no others.
 */
export function gradebookOf(
  world: LmsWorld,
  courseId: string,
  { openEdx = false }: { openEdx?: boolean } = {},
): Gradebook {
  const course = courseOf(world, courseId);
  const columns = columnsOf(world, courseId).filter(
    (column) =>
      column.joinedTo === null && column.deleted !== true && !(openEdx && column.resourceLinkId === null),
  );
  const learners = course.enrolments
    .filter((enrolment) => isGradable(enrolment.role))
    .flatMap((enrolment) => {
      const person = world.people.get(enrolment.personId);
      return person === undefined ? [] : [{ person, suspended: enrolment.suspended }];
    })
    .sort((one, other) => byFamilyName(one.person, other.person));
  return {
    courseId,
    columns: columns.map((column) => {
      const { id, label, scoreMaximum, resourceId, tag, resourceLinkId, locked, hidden, published } = column;
      return { id, label, scoreMaximum, resourceId, tag, resourceLinkId, locked, hidden, published };
    }),
    learners: learners.map(({ person, suspended }) => ({
      personId: person.id,
      name: `${person.given} ${person.family}`,
      username: person.username,
      suspended,
      grades: columns.map((column) => cellOf(column, findGrade(world, column.id, person.id))),
    })),
  };
}

/** Orders people as Moodle lists them: by family name, then given name. */
export function byFamilyName(
  one: { family: string; given: string },
  other: { family: string; given: string },
): number {
  return one.family.localeCompare(other.family) || one.given.localeCompare(other.given);
}

function cellOf(column: Column, grade: Grade | undefined): GradebookCell {
  const columnId = column.id;
  if (grade === undefined) {
    const nothing = { value: null, sent: null, comment: null };
    return { columnId, ...nothing, overridden: false, attempts: 0, excused: false };
  }
  const { final: value, raw: sent, feedback: comment, overridden, attempts, excused = false } = grade;
  return { columnId, value, sent, comment, overridden, attempts, excused };
}

/** The stored grade of one person in one column. */
export function findGrade(world: LmsWorld, columnId: string, personId: string): Grade | undefined {
  return world.grades.get(`${columnId} ${personId}`);
}

/** Stores a grade in place of any earlier one. */
export function putGrade(world: LmsWorld, grade: Grade): void {
  world.grades.set(`${grade.columnId} ${grade.personId}`, grade);
}

/**
 * A teacher types a grade into the gradebook: from now on it counts, whatever the tool sends (as in Moodle,
 * where the tool's score is still stored underneath). `value` null takes the teacher's value away again.
 * @param now Milliseconds since the epoch; null where a teacher's grade does not move the time that later scores must
 * exceed (Canvas).
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
    // grade_item.php, `update_final_grade`: a teacher's grade brings the raw maximum up to date, too.
    ...(points === undefined ? {} : { rawMaximum: points }),
    final: value ?? before.raw,
    feedback: comment,
    overridden: value !== null,
    excused: false,
    modifiedAt: now === null ? before.modifiedAt : Math.floor(now / 1000),
  });
}

function noGrade(columnId: string, personId: string): Grade {
  const empty = { raw: null, final: null, feedback: null, overridden: false };
  return { columnId, personId, ...empty, attempts: 0, modifiedAt: 0, listedWhenEmpty: false };
}

/** A teacher lets a learner off (Canvas), which empties the grade; or no longer, which does not bring it back. */
export function excuseGrade(world: LmsWorld, columnId: string, personId: string, excused: boolean): void {
  const grade = findGrade(world, columnId, personId) ?? noGrade(columnId, personId);
  putGrade(world, { ...grade, excused, ...(excused ? { raw: null, final: null, overridden: false } : {}) });
}

/** Gives a column a new maximum and rescales what is in it, as Moodle does. @param now Milliseconds. */
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
 * Gives a column a new maximum and answers "No" to "Rescale existing grades?" (Moodle). Grades of a column that stands
 * alone keep their number. An activity's own column has raw grades, from which Moodle computes the final ones anew
 * (grade_item.php, `adjust_raw_grade`); the raw maximum stays what it was in both.
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

/** The precision in which Moodle stores grades. */
export function toFiveDecimals(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
