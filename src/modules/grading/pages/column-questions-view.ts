import type { Course } from "../../../domain/course.ts";
import type { LmsWording } from "../../../domain/lms-product.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { attendanceColumn, type Column, type OfferedLineItem } from "../rules/column.ts";
import {
  type ColumnMissed,
  emptiedAmong,
  isOurs,
  missingAmong,
  offeredAmong,
  type OfferedColumn,
  type OldColumn,
  secondAmong,
  withoutPointsAmong,
} from "../column-questions.ts";

/** A question or a note to instructors about a column. */
export type ColumnQuestion = {
  /** Not answered yet. */
  open: boolean;
  text: string;
  answers: { value: string; text: string; label?: string }[];
};

/** The attendance column, if sessions have separate columns. */
export type OldColumnView = { text: string; ours: boolean; asks: boolean; removeLabel: string };

type Words = { t: Translate; times: CourseTimes; wording: LmsWording };

/** Questions and notices about a course's columns, the most urgent first. */
export function columnQuestions(
  words: Words,
  course: Pick<Course, "locked" | "policy" | "countsFrom">,
  columns: readonly Column[],
): ColumnQuestion[] {
  const questions = [
    emptiedQuestion(words, emptiedAmong(columns)),
    ...missingAmong(columns, course).map((column) => missingQuestion(words, course, column)),
    ...withoutPointsAmong(columns, course).map((column) => withoutPointsQuestion(words, column)),
    offeredQuestion(words, offeredAmong(columns, course)),
    secondQuestion(words, secondAmong(columns, course)),
    termQuestion(words, course),
  ];
  return questions.filter((one) => one !== null);
}

/** One question for all columns, because a course is reset as a whole. */
function emptiedQuestion({ t, times, wording }: Words, [first, ...others]: ReturnType<typeof emptiedAmong>) {
  if (first === undefined) return null;
  const { id, emptied } = first;
  const lastAt = Math.max(emptied.lastAt, ...others.map((one) => one.emptied.lastAt));
  return {
    open: true,
    text: t("grades.emptied.text", { place: t(`grades.place.${wording}`), when: times.text(emptied.at) }),
    answers: [
      { value: `term:${id}`, text: t("grades.emptied.term", { when: times.text(lastAt) }) },
      { value: `same:${id}`, text: t("grades.emptied.same") },
    ],
  };
}

/** A column that a teacher removed from the gradebook. */
function missingQuestion(
  { t, times }: Words,
  { locked = [] }: Pick<Course, "locked">,
  { id, key, label = null, missing }: ColumnMissed,
): ColumnQuestion {
  const whole = key === attendanceColumn;
  const column = label ?? t("choose.attendance");
  const removedKind = missing.tied ? "tied" : "removed";
  const kind = missing.leftOut ? "leftOut" : removedKind;
  const make = {
    value: `make:${id}`,
    text: t("grades.missing.make"),
    label: t("grades.missing.makeLabel", { column }),
  };
  const leave = {
    value: `${whole ? "stop" : "leave"}:${id}`,
    text: t(`grades.missing.${whole ? "stop" : "leave"}`),
    label: t(`grades.missing.${whole ? "stopLabel" : "leaveLabel"}`, { column }),
  };
  // An instructor has decided already, or only the institution may.
  const isDecided = missing.leftOut || (whole && locked.includes("kind"));
  return {
    open: !missing.leftOut,
    text: t(`grades.missing.${kind}`, { column, when: times.text(missing.at) }),
    answers: isDecided ? [make] : [make, leave],
  };
}

/** A teacher sets the points in the gradebook. After that, all grades are sent again. */
function withoutPointsQuestion({ t, wording }: Words, { id, label = null }: Column): ColumnQuestion {
  const name = { column: label ?? t("choose.attendance") };
  const zero = {
    value: `zero:${id}`,
    text: t("grades.noPoints.keep"),
    label: t("grades.noPoints.keepLabel", name),
  };
  const text = t("grades.noPoints.text", { ...name, place: t(`grades.place.${wording}`) });
  return { open: true, text, answers: [zero] };
}

/** Offers the activity's own column, if grades go to ours. */
function offeredQuestion({ t }: Words, column: OfferedColumn | null): ColumnQuestion | null {
  if (column === null) return null;
  const name = { column: column.label ?? t("choose.attendance") };
  const keep = { value: `keep:${column.id}`, text: t("grades.activity.keep", name) };
  const use = { value: `activity:${column.id}`, text: t("grades.activity.use") };
  const open = column.offered.left !== true;
  return {
    open,
    text: `${t("grades.activity.text", name)} ${t("grades.activity.then", name)}`,
    answers: open ? [use, keep] : [use],
  };
}

function secondQuestion({ t, wording }: Words, second: OfferedLineItem | null): ColumnQuestion | null {
  if (second === null) return null;
  const column = second.label === undefined || second.label === "" ? t("choose.attendance") : second.label;
  const text = t("grades.second", { column, place: t(`grades.placed.${wording}`) });
  return { open: true, text, answers: [] };
}

function termQuestion({ t, times }: Words, { countsFrom = null }: Pick<Course, "countsFrom">) {
  if (countsFrom === null) return null;
  const text = t("grades.term.text", { when: times.text(countsFrom) });
  return { open: false, text, answers: [{ value: "all:course", text: t("grades.term.all") }] };
}

/** Null if there is no such column. */
export function oldColumnView(
  { t, wording }: { t: Translate; wording: LmsWording },
  column: OldColumn | null,
  asks: boolean,
): OldColumnView | null {
  if (column === null) return null;
  const name = { column: column.label ?? t("choose.attendance") };
  const ours = isOurs(column);
  const text = [
    t("grades.oldColumn.text", name),
    t(`grades.oldColumn.${wording}`),
    ...(ours ? [] : [t("grades.oldColumn.theirs")]),
  ].join(" ");
  return {
    text: asks && ours ? t("grades.oldColumn.ask", name) : text,
    ours,
    asks,
    removeLabel: t("grades.oldColumn.removeLabel", name),
  };
}
