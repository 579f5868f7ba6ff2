import { type KnownStatus, knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import type { PolicyPart } from "../../../domain/institution-defaults.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { gradeTogether } from "../../attendance/rules/learner-standing.ts";
import type { ExampleLearner } from "../example-learner.ts";
import type { RegradeProgress } from "../regrade-progress.ts";
import { inList } from "../../../web/in-list.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Translate } from "../../../web/translate.ts";
import {
  gradingBounds,
  type GradingField,
  gradingFields,
  type GradingForm,
  type GradingProblem,
  type GradingProblems,
  leftOutIn,
  lockedParts,
} from "./grading-form.ts";
import { creditWords, denominatorWords } from "./policy-words.ts";
import { sessionsWords, workingWords } from "./working-words.ts";

/** Everything that the form shows: each field with its value, its answers and what is wrong with it. */
export function gradingFormView(
  t: Translate,
  form: GradingForm,
  problems: GradingProblems,
  { policy, locked }: Pick<Course, "policy" | "locked">,
) {
  const leftOut = leftOutIn(form);
  return {
    locked: lockedView(t, policy, locked),
    wrong: wrongView(t, problems),
    choices: {
      kind: choiceView(t, "kind", ["one-column", "column-per-session", "no-grades"], form, problems),
      denominator: choiceView(t, "denominator", ["so-far", "planned", "fixed"], form, problems),
    },
    comment: {
      answers: (["no", "yes"] as const).map((value) => ({
        value,
        label: t(`grading.fields.comment.answers.${value}`),
        chosen: form.comment === value,
      })),
      problem: problemText(t, problems.comment),
    },
    credit: knownStatuses.map((status) => ({
      status,
      label: t(`grading.statuses.${status}`),
      value: form[status],
      leftOut: leftOut.includes(status),
      problem: problemText(t, problems[status]),
    })),
    numbers: Object.fromEntries(
      (["points", "fixedSessions", "dropLowest", "minimumSessions"] as const).map((name) => [
        name,
        { name, value: form[name], problem: problemText(t, problems[name]), ...boundsOf(name) },
      ]),
    ),
  };
}

/** What the institution has locked, part by part, in words. */
function lockedView(
  t: Translate,
  policy: GradePolicy,
  locked: readonly string[] = [],
): Partial<Record<PolicyPart, string>> {
  const parts = lockedParts(locked);
  return Object.fromEntries(parts.map((part) => [part, partWords(t, part, policy)]));
}

/** What a policy says to one of its parts. */
function partWords(t: Translate, part: PolicyPart, policy: GradePolicy): string {
  if (part === "kind" || policy.kind === "no-grades") return t(`grading.fields.kind.answers.${policy.kind}`);
  switch (part) {
    case "credit":
      return creditWords(t, policy);
    case "denominator":
      return denominatorWords(t, policy.denominator);
    case "comment":
      return t(`grading.fields.comment.answers.${policy.comment ? "yes" : "no"}`);
    default:
      return numberText(t, policy[part]);
  }
}

/** What is wrong, in the order of the page, each with the field that it is about. */
function wrongView(t: Translate, problems: GradingProblems) {
  return gradingFields.flatMap((field) => {
    const text = problemText(t, problems[field]);
    return text === null ? [] : [{ id: idOf(field), label: fieldName(t, field), text }];
  });
}

/** Choices are groups of buttons: the link leads to the first of them. */
function idOf(field: GradingField): string {
  if (field === "kind") return "kind-one-column";
  return field === "denominator" ? "denominator-so-far" : field;
}

function choiceView(
  t: Translate,
  name: "kind" | "denominator",
  values: readonly string[],
  form: GradingForm,
  problems: GradingProblems,
) {
  return {
    name,
    answers: values.map((value) => ({
      value,
      label: t.dynamic(`grading.fields.${name}.answers.${value}`) ?? value,
      hint: t.dynamic(`grading.fields.${name}.hints.${value}`) ?? "",
      chosen: form[name] === value,
    })),
    problem: problemText(t, problems[name]),
  };
}

function problemText(t: Translate, problem: GradingProblem | undefined): string | null {
  return problem === undefined ? null : t(`grading.problems.${problem}`, boundsOf(problem));
}

function boundsOf(field: GradingProblem): { least: number; most: number } {
  const bounds = Object.entries(gradingBounds).find(([name]) => name === field)?.[1] ?? [0, 0];
  return { least: bounds[0], most: bounds[1] };
}

/** A learner's grade under a policy, in words: whose, what, and how it came about. */
export function exampleView(
  t: Translate,
  { name, counted, planned }: Pick<ExampleLearner, "name" | "counted" | "planned">,
  policy: GradePolicy,
) {
  const who = name === null ? t("grading.example.madeUp") : t("grading.example.real", { name });
  if (policy.kind === "no-grades") return { who, score: null, words: [t("grading.example.none")] };
  const grade = gradeTogether(policy, counted, planned);
  if (policy.kind === "column-per-session") return { who, score: null, words: sessionsWords(t, grade) };
  const score =
    grade.score === null
      ? t("grading.example.noScore")
      : t("grading.change.score", {
          score: numberText(t, grade.score),
          maximum: numberText(t, policy.points),
        });
  return { who, score, words: workingWords(t, grade) };
}

/** Fields that somebody else changed, by name. */
export function fieldNames(t: Translate, fields: readonly GradingField[]): string {
  return inList(
    t,
    fields.map((field) => fieldName(t, field)),
  );
}

function fieldName(t: Translate, field: GradingField): string {
  if (isStatus(field)) return t("grading.conflict.statusField", { status: t(`grading.statuses.${field}`) });
  return field === "leftOut" ? t("grading.conflict.leftOut") : t(`grading.fields.${field}.label`);
}

function isStatus(field: string): field is KnownStatus {
  return knownStatuses.some((status) => status === field);
}

/** How far grades have come after a change, in words; null when there has never been one. */
export type ProgressView = {
  busy: boolean;
  text: string;
  /** Null when no bar is to be shown, or nobody knows yet. */
  progress: { value: number; max: number } | null;
};

/** @param waiting Scores of the course that are still to be sent. */
export function progressView(
  t: Translate,
  { state, graded, total }: RegradeProgress,
  waiting: number,
): ProgressView | null {
  const quiet = { busy: true, progress: null };
  switch (state) {
    case "none":
      return null;
    case "waiting":
      return { ...quiet, text: t("grading.progress.soon") };
    case "failed":
      return { ...quiet, text: t("grading.progress.failed") };
    case "running":
      return {
        busy: true,
        text: t("grading.progress.computing", { done: numberText(t, graded), total: numberText(t, total) }),
        progress: total === 0 ? null : { value: graded, max: total },
      };
    case "done":
      return waiting > 0
        ? {
            ...quiet,
            text: t("grading.progress.sending", { count: waiting, number: numberText(t, waiting) }),
          }
        : { busy: false, text: t("grading.progress.done"), progress: null };
  }
}
