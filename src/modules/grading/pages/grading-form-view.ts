import { type KnownStatus, knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import type { PolicyPart } from "../../../settings/in-effect.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { PageParts } from "../../../web/page-parts.ts";
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
import { completionWords, creditWords, denominatorWords, formulaWords, worthWords } from "./grading-words.ts";

type LockedPart = { label: string; text: string };

export type LockedShown = { t: Translate; part: LockedPart };

export type NumberName =
  | "points"
  | "fullFrom"
  | "tolerance"
  | "fixedSessions"
  | "dropLowest"
  | "minimumSessions"
  | "neededPercent"
  | "offPercent"
  | "completedSessions"
  | "completedPercent";

type NumberField = {
  name: NumberName;
  value: string;
  problem: string | null;
  least: number;
  most: number;
};

export type NumberShown = { t: Translate; field: NumberField };

/** An option folded away beside its value. `uses`: the kinds of grade that have it. */
export type OptionShown = {
  t: Translate;
  icon: PageParts["icon"];
  field: NumberField;
  held: LockedPart | undefined;
  uses: "graded" | "together";
};

type Preset = { value: string; text: string; label: string };

/** What courses usually give, in percent. */
const presets: Readonly<Record<KnownStatus, readonly number[]>> = {
  PRESENT: [],
  LATE: [100, 80, 50, 0],
  ABSENT: [],
  EXCUSED: [100, 0],
};

type Answer = { value: string; label: string; chosen: boolean };

type ChoiceName = "kind" | "worth" | "denominator" | "formula" | "completion";

type Choice = { name: ChoiceName; answers: (Answer & { hint: string })[]; problem: string | null };

export type SelectName = "below" | "hiddenMinutes" | "beforeCompletion";

type Select = { name: SelectName; answers: Answer[]; problem: string | null };

export type SelectShown = { t: Translate; select: Select };

/** A question folded away beside its answer, with the fields that answers ask for; `where` is the class that shows them. */
export type QuestionShown = {
  t: Translate;
  icon: PageParts["icon"];
  question: Choice;
  held: LockedPart | undefined;
  uses: "always" | "graded" | "together";
  fields: readonly { where: string; number?: NumberField; select?: Select; note?: string }[];
};

export type GradingFormShown = {
  locked: Partial<Record<PolicyPart, LockedPart>>;
  /** In the order of the page. */
  wrong: { id: string; label: string; text: string }[];
  choices: Record<ChoiceName, Choice>;
  selects: Record<Select["name"], Select>;
  comment: { answers: Answer[]; problem: string | null };
  credit: {
    status: KnownStatus;
    label: string;
    value: string;
    leftOut: boolean;
    presets: Preset[];
    problem: string | null;
  }[];
  numbers: Record<NumberField["name"], NumberField>;
};

export function gradingFormView(
  t: Translate,
  form: GradingForm,
  problems: GradingProblems,
  { policy, locked }: Pick<Course, "policy" | "locked">,
): GradingFormShown {
  const leftOut = leftOutIn(form);
  const number = (name: NumberField["name"]): NumberField => ({
    name,
    value: form[name],
    problem: problemText(t, problems[name]),
    ...boundsOf(name),
  });
  return {
    locked: lockedView(t, policy, locked),
    wrong: wrongView(t, problems),
    choices: {
      kind: choiceView(t, "kind", ["one-column", "column-per-session", "no-grades"], form, problems),
      worth: choiceView(t, "worth", ["status", "minutes"], form, problems),
      denominator: choiceView(t, "denominator", ["so-far", "planned", "fixed"], form, problems),
      formula: choiceView(t, "formula", ["mean", "gate", "pass-fail", "points-off"], form, problems),
      completion: choiceView(t, "completion", ["score", "sessions", "share"], form, problems),
    },
    selects: {
      below: selectView(t, "below", ["share", "nothing"], form, problems),
      hiddenMinutes: selectView(t, "hiddenMinutes", ["counted", "taken-off"], form, problems),
      beforeCompletion: selectView(t, "beforeCompletion", ["held", "sent"], form, problems),
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
      label: t(`review.statuses.${status}`),
      value: form[status],
      leftOut: leftOut.includes(status),
      presets: presetsOf(t, status, leftOut.includes(status) ? null : form[status]),
      problem: problemText(t, problems[status]),
    })),
    numbers: {
      points: number("points"),
      fullFrom: number("fullFrom"),
      tolerance: number("tolerance"),
      fixedSessions: number("fixedSessions"),
      dropLowest: number("dropLowest"),
      minimumSessions: number("minimumSessions"),
      neededPercent: number("neededPercent"),
      offPercent: number("offPercent"),
      completedSessions: number("completedSessions"),
      completedPercent: number("completedPercent"),
    },
  };
}

/** But for the value that it has. */
function presetsOf(t: Translate, status: KnownStatus, now: string | null): Preset[] {
  return presets[status]
    .filter((percent) => String(percent) !== now)
    .map((percent) => {
      const text = t("grading.fields.credit.preset", { percent: numberText(t, percent) });
      const label = t("grading.fields.credit.presetOf", { status: t(`review.statuses.${status}`), text });
      return { value: String(percent), text, label };
    });
}

function lockedView(
  t: Translate,
  policy: GradePolicy,
  locked: readonly string[] = [],
): GradingFormShown["locked"] {
  const parts = lockedParts(locked);
  return Object.fromEntries(
    parts.map((part) => [
      part,
      { label: t(`grading.fields.${part}.label`), text: partWords(t, part, policy) },
    ]),
  );
}

function partWords(t: Translate, part: PolicyPart, policy: GradePolicy): string {
  if (part === "kind" || policy.kind === "no-grades") return t(`grading.fields.kind.answers.${policy.kind}`);
  switch (part) {
    case "credit":
      return creditWords(t, policy);
    case "worth":
      return worthWords(t, policy.worth);
    case "denominator":
      return denominatorWords(t, policy.denominator);
    case "formula":
      return formulaWords(t, policy.formula);
    case "completion":
      return completionWords(t, policy.completion);
    case "comment":
      return t(`grading.fields.comment.answers.${policy.comment ? "yes" : "no"}`);
    default:
      return numberText(t, policy[part]);
  }
}

function wrongView(t: Translate, problems: GradingProblems): GradingFormShown["wrong"] {
  return gradingFields.flatMap((field) => {
    const text = problemText(t, problems[field]);
    return text === null ? [] : [{ id: idOf(field), label: fieldName(t, field), text }];
  });
}

/** A question's link leads to its first button. */
function idOf(field: GradingField): string {
  if (field === "kind") return "kind-one-column";
  if (field === "formula") return "formula-mean";
  if (field === "worth") return "worth-status";
  if (field === "completion") return "completion-score";
  return field === "denominator" ? "denominator-so-far" : field;
}

function choiceView(
  t: Translate,
  name: ChoiceName,
  values: readonly string[],
  form: GradingForm,
  problems: GradingProblems,
): Choice {
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

function selectView(
  t: Translate,
  name: Select["name"],
  values: readonly string[],
  form: GradingForm,
  problems: GradingProblems,
): Select {
  return {
    name,
    answers: values.map((value) => ({
      value,
      label: t.dynamic(`grading.fields.${name}.answers.${value}`) ?? value,
      chosen: form[name] === value,
    })),
    problem: problemText(t, problems[name]),
  };
}

function problemText(t: Translate, problem: GradingProblem | undefined): string | null {
  if (problem === undefined) return null;
  return t.dynamic([`grading.problems.${problem}`, "grading.problems.whole"], boundsOf(problem));
}

function boundsOf(field: GradingProblem): { least: number; most: number } {
  const bounds = Object.entries(gradingBounds).find(([name]) => name === field)?.[1] ?? [0, 0];
  return { least: bounds[0], most: bounds[1] };
}

export function fieldNames(t: Translate, fields: readonly GradingField[]): string {
  return inList(
    t,
    fields.map((field) => fieldName(t, field)),
  );
}

function fieldName(t: Translate, field: GradingField): string {
  if (isStatus(field)) return t("grading.conflict.statusField", { status: t(`review.statuses.${field}`) });
  return field === "leftOut" ? t("grading.conflict.leftOut") : t(`grading.fields.${field}.label`);
}

function isStatus(field: string): field is KnownStatus {
  return knownStatuses.some((status) => status === field);
}
