import { type KnownStatus, knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import {
  leftOutIn,
  partsAtRest,
  policyBounds,
  policyChoices,
  type PolicyField,
  policyFields,
  type PolicyForm,
  policyNames,
  type PolicyOptionName,
  policyOptions,
  type PolicyProblem,
  type PolicyProblems,
} from "../../../settings/policy-options.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { PageParts } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { completionWords, creditWords, denominatorWords, formulaWords, worthWords } from "./grading-words.ts";

/** A "question" has radio buttons, each with a hint. */
export type FieldView = {
  name: PolicyField;
  as: "question" | "select" | "number";
  label: string;
  value: string;
  hint: string | null;
  problem: string | null;
  /** The class that hides the field until an answer needs it. */
  where: string;
  answers: { value: string; label: string; hint: string; chosen: boolean }[];
};

export type PartView = {
  name: PolicyOptionName;
  label: string;
  /** The kinds of grade that use this part. */
  uses: "always" | "graded" | "together";
  /** What the institution has set; null if the course may choose. */
  locked: string | null;
  /** The present choice, in words. */
  value: string;
  isOpen: boolean;
  fields: FieldView[];
};

export type PartModel = { t: Translate; icon: PageParts["icon"]; part: PartView };
export type LockedModel = { t: Translate; label: string; text: string };
export type FieldModel = { field: FieldView };
export type CreditModel = { t: Translate; rows: ReturnType<typeof creditView>["rows"] };

type FormFrom = {
  form: PolicyForm;
  problems: PolicyProblems;
  course: Pick<Course, "policy" | "locked">;
  /** Hints in addition to the usual ones. */
  hints?: Partial<Record<PolicyField, string>>;
};

/** In the order of the pages. */
export function partViews(t: Translate, from: FormFrom): PartView[] {
  return policyNames.map((name) => partView(t, from, name));
}

/** The parts in the order of the page. Credit has a separate table. */
export function gradingFormView(t: Translate, from: FormFrom) {
  const { form, problems, course } = from;
  const kindIsLocked = isLocked(course, "kind");
  const uses: string[] = ["always"];
  if (!kindIsLocked || form.kind !== "no-grades") uses.push("graded");
  if (!kindIsLocked || form.kind === "one-column") uses.push("together");
  return {
    /** In the order of the page. */
    wrong: policyFields.flatMap((field) => {
      const text = problemText(t, field, problems[field]);
      return text === null ? [] : [{ id: idOf(field), label: fieldName(t, field), text }];
    }),
    hasLocks: policyNames.some((name) => isLocked(course, name)),
    credit: uses.includes("graded") ? creditView(t, from) : null,
    parts: partViews(t, from).filter((part) => part.name !== "credit" && uses.includes(part.uses)),
  };
}

/** What courses usually give, in percent. */
const presets: Readonly<Record<KnownStatus, readonly number[]>> = {
  PRESENT: [],
  LATE: [100, 80, 50, 0],
  ABSENT: [],
  EXCUSED: [100, 0],
};

export function creditView(t: Translate, { form, problems, course }: FormFrom) {
  const leftOut = leftOutIn(form);
  return {
    label: t("grading.fields.credit.label"),
    locked: lockedText(t, course, "credit"),
    rows: knownStatuses.map((status) => ({
      status,
      label: t(`review.statuses.${status}`),
      value: form[status],
      leftOut: leftOut.includes(status),
      presets: presetsOf(t, status, leftOut.includes(status) ? null : form[status]),
      problem: problemText(t, status, problems[status]),
    })),
  };
}

/** Leaves out the value that is chosen now. */
function presetsOf(t: Translate, status: KnownStatus, now: string | null) {
  return presets[status]
    .filter((percent) => String(percent) !== now)
    .map((percent) => {
      const text = t("grading.fields.credit.preset", { percent: numberText(t, percent) });
      const label = t("grading.fields.credit.presetOf", { status: t(`review.statuses.${status}`), text });
      return { value: String(percent), text, label };
    });
}

function partView(t: Translate, from: FormFrom, name: PolicyOptionName): PartView {
  const fields = policyOptions[name].form.fields.map((field) => fieldView(t, from, field));
  const [first] = fields;
  const chosen = first?.answers.find((answer) => answer.chosen)?.label;
  const graded = partsAtRest.includes(name) ? "together" : "graded";
  return {
    name,
    label: t(`grading.fields.${name}.label`),
    uses: name === "kind" ? "always" : graded,
    locked: lockedText(t, from.course, name),
    value: first?.as === "number" ? first.value : (chosen ?? ""),
    isOpen: fields.some(({ problem }) => problem !== null),
    fields,
  };
}

const where: Partial<Record<PolicyField, string>> = {
  fullFrom: "by-minutes",
  below: "by-minutes",
  tolerance: "by-minutes",
  hiddenMinutes: "by-minutes",
  fixedSessions: "of-fixed",
  neededPercent: "needed",
  offPercent: "taken-off",
  completedSessions: "by-sessions",
  completedPercent: "by-share",
  beforeCompletion: "by-rule",
};

function fieldView(t: Translate, { form, problems, hints = {} }: FormFrom, name: PolicyField): FieldView {
  const offered = policyChoices[name]?.offered ?? [];
  const answers = offered.map((value) => ({
    value,
    label: t.dynamic(`grading.fields.${name}.answers.${value}`) ?? value,
    hint: t.dynamic(`grading.fields.${name}.hints.${value}`) ?? "",
    chosen: form[name] === value,
  }));
  const usual =
    answers.length > 0
      ? null
      : t.dynamic([`grading.fields.${name}.hint`, "grading.fields.range"], boundsOf(name));
  const choice = answers.some(({ hint }) => hint !== "") ? "question" : "select";
  const as = answers.length === 0 ? "number" : choice;
  return {
    name,
    as,
    label: fieldName(t, name),
    value: form[name],
    hint: hints[name] ?? usual,
    problem: problemText(t, name, problems[name]),
    where: where[name] ?? "",
    answers,
  };
}

/** Null if the institution hasn't set it. */
function lockedText(t: Translate, course: FormFrom["course"], name: PolicyOptionName): string | null {
  return isLocked(course, name) ? partWords(t, name, course.policy) : null;
}

function partWords(t: Translate, part: PolicyOptionName, policy: GradePolicy): string {
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

/** The id to which a link in the list of problems leads; for a question, that of its first button. */
function idOf(field: PolicyField): string {
  const first = field in policyOptions ? policyChoices[field]?.offered[0] : undefined;
  return first === undefined || field === "comment" ? field : `${field}-${first}`;
}

function problemText(t: Translate, field: PolicyField, problem: PolicyProblem | undefined): string | null {
  return problem === undefined ? null : t(`grading.problems.${problem}`, boundsOf(field));
}

function boundsOf(field: PolicyField): { least: number; most: number } {
  const [least, most] = Object.entries(policyBounds).find(([name]) => name === field)?.[1] ?? [0, 0];
  return { least, most };
}

export function fieldNames(t: Translate, fields: readonly PolicyField[]): string {
  return inList(
    t,
    fields.map((field) => fieldName(t, field)),
  );
}

function fieldName(t: Translate, field: PolicyField): string {
  if (isStatus(field)) return t("grading.conflict.statusField", { status: t(`review.statuses.${field}`) });
  return field === "leftOut" ? t("grading.conflict.leftOut") : t(`grading.fields.${field}.label`);
}

function isStatus(field: string): field is KnownStatus {
  return knownStatuses.some((status) => status === field);
}
