import { z } from "zod";
import { type KnownStatus, knownStatuses } from "../../../domain/attendance.ts";
import type { BeforeCompletion, MinutesWorth } from "../../../domain/grade-working.ts";
import { defaultGradePolicy, type GradePolicy } from "../../../domain/grade-policy.ts";
import { type PolicyPart, policyParts } from "../../../settings/in-effect.ts";
import * as forms from "../../../settings/forms.ts";

/** "leftOut": statuses that do not count, separated by spaces. */
export const gradingFields = [
  "kind",
  "points",
  ...knownStatuses,
  "leftOut",
  "worth",
  "fullFrom",
  "tolerance",
  "below",
  "hiddenMinutes",
  "denominator",
  "fixedSessions",
  "dropLowest",
  "minimumSessions",
  "formula",
  "neededPercent",
  "offPercent",
  "completion",
  "completedSessions",
  "completedPercent",
  "beforeCompletion",
  "comment",
] as const;
export type GradingField = (typeof gradingFields)[number];

export type GradingForm = Readonly<Record<GradingField, string>>;

/** Inclusive. */
export const gradingBounds = {
  points: [1, 100],
  percent: [0, 100],
  fullFrom: [1, 100],
  tolerance: [0, 60],
  fixedSessions: [1, 1000],
  dropLowest: [0, 100],
  minimumSessions: [1, 100],
  neededPercent: [1, 100],
  offPercent: [1, 100],
  completedSessions: [1, 1000],
  completedPercent: [1, 100],
} as const;

/** The name of a bound that a number is beyond, or what else is wrong. */
export type GradingProblem =
  keyof typeof gradingBounds | "choose" | "presentCounts" | "abovePresent" | "aboveLate" | "dropAll";
export type GradingProblems = Partial<Record<GradingField, GradingProblem>>;

/** Without grades it shows what a new course has. */
export function formOfPolicy(policy: GradePolicy): GradingForm {
  const rule = policy.kind === "no-grades" ? defaultGradePolicy : policy;
  if (rule.kind === "no-grades") return { ...emptyForm, kind: policy.kind };
  const { credit, worth, denominator, formula, completion } = rule;
  const minutes = worth.kind === "minutes" ? worth : firstMinutes;
  const percent = (status: KnownStatus) => (credit[status] === null ? "" : String(credit[status]));
  return {
    kind: policy.kind,
    points: String(rule.points),
    PRESENT: percent("PRESENT"),
    LATE: percent("LATE"),
    ABSENT: percent("ABSENT"),
    EXCUSED: percent("EXCUSED"),
    leftOut: knownStatuses.filter((status) => credit[status] === null).join(" "),
    worth: worth.kind,
    fullFrom: String(minutes.fullFrom),
    tolerance: String(minutes.tolerance),
    below: minutes.below,
    hiddenMinutes: minutes.hidden,
    denominator: denominator.kind,
    fixedSessions: denominator.kind === "fixed" ? String(denominator.sessions) : "",
    dropLowest: String(rule.dropLowest),
    minimumSessions: String(rule.minimumSessions),
    formula: formula.kind,
    neededPercent: formula.kind === "gate" || formula.kind === "pass-fail" ? String(formula.percent) : "",
    offPercent: formula.kind === "points-off" ? String(formula.percent) : "",
    completion: completion.kind,
    completedSessions: completion.kind === "sessions" ? String(completion.sessions) : "",
    completedPercent: completion.kind === "share" ? String(completion.percent) : "",
    beforeCompletion: completion.kind === "score" ? firstBefore : completion.before,
    comment: rule.comment ? "yes" : "no",
  };
}

/** What is offered to whoever chooses minutes. */
const firstMinutes: MinutesWorth = {
  ...{ kind: "minutes", fullFrom: 100, tolerance: 5, below: "share", hidden: "counted" },
};

/** What is offered first: most LMSs complete an activity by its grade alone. */
const firstBefore: BeforeCompletion = "held";

const text = z.string().max(300).catch("");
const postedSchema = z.object({
  kind: text,
  points: text,
  PRESENT: text,
  LATE: text,
  ABSENT: text,
  EXCUSED: text,
  worth: text,
  fullFrom: text,
  tolerance: text,
  below: text,
  hiddenMinutes: text,
  denominator: text,
  fixedSessions: text,
  dropLowest: text,
  minimumSessions: text,
  formula: text,
  neededPercent: text,
  offPercent: text,
  completion: text,
  completedSessions: text,
  completedPercent: text,
  beforeCompletion: text,
  comment: text,
  /** A status and its percent. */
  preset: z
    .string()
    .transform((pressed) => {
      const [name, percent = ""] = pressed.split(" ");
      const status = knownStatuses.find((known) => known === name);
      return status === undefined || !/^\d{1,3}$/.test(percent) ? null : { status, percent };
    })
    .catch(null),
  leftOut: z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([]),
});

/** What the form's fields say, with the preset whose button was pressed. */
export function formOfPosted(body: unknown): GradingForm {
  const { leftOut, preset, ...fields } = postedSchema.parse(
    typeof body === "object" && body !== null ? body : {},
  );
  const statuses = knownStatuses.filter((status) => leftOut.includes(status) && status !== preset?.status);
  const set = preset === null ? {} : { [preset.status]: preset.percent };
  return { ...fields, ...set, leftOut: statuses.join(" ") };
}

const emptyForm: GradingForm = formOfPosted({});
export function formOfText(carried: unknown): GradingForm | null {
  return forms.formOfText(gradingFields, carried);
}

const fieldsOfPart: Readonly<Record<PolicyPart, readonly GradingField[]>> = {
  kind: ["kind"],
  points: ["points"],
  credit: [...knownStatuses, "leftOut"],
  worth: ["worth", "fullFrom", "tolerance", "below", "hiddenMinutes"],
  denominator: ["denominator", "fixedSessions"],
  dropLowest: ["dropLowest"],
  minimumSessions: ["minimumSessions"],
  formula: ["formula", "neededPercent", "offPercent"],
  completion: ["completion", "completedSessions", "completedPercent", "beforeCompletion"],
  comment: ["comment"],
};

export function lockedParts(locked: readonly string[] = []): PolicyPart[] {
  return policyParts.filter((part) => locked.includes(part));
}

export function partOf(field: GradingField): PolicyPart {
  return policyParts.find((part) => fieldsOfPart[part].includes(field)) ?? "kind";
}

/** @param now The stored form. */
export function withoutLocked(
  typed: GradingForm,
  now: GradingForm,
  locked: readonly string[] = [],
): GradingForm {
  return forms.withFieldsOf(
    typed,
    now,
    lockedParts(locked).flatMap((part) => fieldsOfPart[part]),
  );
}

export function sameForm(one: GradingForm, other: GradingForm): boolean {
  return gradingFields.every((field) => one[field] === other[field]);
}

export function leftOutIn(form: GradingForm): KnownStatus[] {
  const ticked = form.leftOut.split(" ");
  return knownStatuses.filter((status) => ticked.includes(status));
}

/** See {@link forms.afterConflict}. */
export function afterConflict(seen: GradingForm | null, typed: GradingForm, now: GradingForm) {
  return forms.afterConflict(gradingFields, seen, typed, now);
}
