import { type KnownStatus, knownStatuses } from "../../domain/attendance.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import { gradeTogether } from "../../domain/learner-standing.ts";
import type { ExampleLearner } from "../../features/grading/example-learner.ts";
import type { RegradeProgress } from "../../features/grading/regrade-progress.ts";
import type { Translate } from "../translate.ts";
import {
  gradingBounds,
  type GradingField,
  type GradingForm,
  type GradingProblem,
  type GradingProblems,
  leftOutIn,
} from "./grading-form.ts";
import { sessionsWords, workingWords } from "./working-words.ts";

/** Everything that the form shows: each field with its value, its answers and what is wrong with it. */
export function gradingFormView(t: Translate, form: GradingForm, problems: GradingProblems) {
  const leftOut = leftOutIn(form);
  return {
    choices: {
      kind: choiceView(t, "kind", ["one-column", "column-per-session", "no-grades"], form, problems),
      denominator: choiceView(t, "denominator", ["so-far", "planned", "fixed"], form, problems),
    },
    comment: {
      answers: ["no", "yes"].map((value) => ({
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
      label: t(`grading.fields.${name}.answers.${value}`),
      hint: t(`grading.fields.${name}.hints.${value}`),
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
export function exampleView(t: Translate, { name, counted, planned }: ExampleLearner, policy: GradePolicy) {
  const who = name === null ? t("grading.example.madeUp") : t("grading.example.real", { name });
  if (policy.kind === "no-grades") return { who, score: null, words: [t("grading.example.none")] };
  const grade = gradeTogether(policy, counted, planned);
  if (policy.kind === "column-per-session") return { who, score: null, words: sessionsWords(t, grade) };
  const score =
    grade.score === null
      ? t("grading.example.noScore")
      : t("grading.change.score", { score: grade.score, maximum: policy.points });
  return { who, score, words: workingWords(t, grade) };
}

/** Fields that somebody else changed, by name. */
export function fieldNames(t: Translate, fields: readonly GradingField[]): string {
  return fields.map((field) => fieldName(t, field)).join(", ");
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
        text: t("grading.progress.computing", { done: graded, total }),
        progress: total === 0 ? null : { value: graded, max: total },
      };
    case "done":
      return waiting > 0
        ? { ...quiet, text: t("grading.progress.sending", { count: waiting }) }
        : { busy: false, text: t("grading.progress.done"), progress: null };
  }
}
