import { type KnownStatus, knownStatuses } from "../domain/attendance.ts";
import {
  defaultGradePolicy,
  type Denominator,
  type Formula,
  type GradePolicy,
  type GradingRule,
} from "../domain/grade-policy.ts";
import type { BeforeCompletion, Completion, MinutesWorth, SessionWorth } from "../domain/grade-working.ts";
import { ofEach } from "../kernel/lists.ts";
import { wholeNumber } from "../kernel/text.ts";
import {
  type Answers,
  begins,
  choice,
  type Codec,
  type Problems,
  readField,
  single,
  type Texts,
  yesNo,
} from "./options.ts";

// One row for each part of the policy, as in `options.ts`. The differences: a policy without grades has no other parts, two parts limit
// each other, and a policy with a grade for each session doesn't use some parts.

/** Smallest and largest value of each number. */
export const policyBounds = {
  points: [1, 100],
  ...ofEach(knownStatuses, () => [0, 100] as const),
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
type NumberField = keyof typeof policyBounds;

export type PolicyProblem =
  | "choose"
  | "whole"
  | "percent"
  | "presentCounts"
  | "abovePresent"
  | "aboveLate"
  | "dropAll";

type PolicyCodec<V, F extends string = string> = Codec<V, F, PolicyProblem>;

/** Reads a number with or without a percent sign. Null, with a problem, if it is outside the field's bounds. */
function readWhole<F extends NumberField>(
  field: F,
  form: Texts<F>,
  problems: Problems<F, PolicyProblem>,
  problem: PolicyProblem = "whole",
): number | null {
  const number = wholeNumber(form[field].trim().replace(/[%٪]$/u, ""));
  const [min, max] = policyBounds[field];
  if (number >= min && number <= max) return number;
  problems[field] = problem;
  return null;
}

function whole<F extends NumberField>(field: F): PolicyCodec<number, F> {
  return {
    fields: [field],
    write: (value) => ofEach([field], () => String(value)),
    read: (form, problems) => readWhole(field, form, problems),
  };
}

const choices = {
  kind: choice("one-column", "column-per-session", "no-grades"),
  worth: choice("status", "minutes"),
  below: choice("share", "nothing"),
  hiddenMinutes: choice("counted", "taken-off"),
  denominator: choice("so-far", "planned", "fixed"),
  formula: choice("mean", "gate", "pass-fail", "points-off"),
  completion: choice("score", "sessions", "share"),
  beforeCompletion: choice("held", "sent"),
  comment: { ...yesNo, offered: ["no", "yes"] },
};

/** The choices of each field; number fields have none. */
export const policyChoices: Partial<Record<PolicyField, Pick<Answers<unknown>, "offered">>> = choices;

/** "leftOut" holds the statuses that don't count, separated by spaces. */
const credit: PolicyCodec<GradingRule["credit"], KnownStatus | "leftOut"> = {
  fields: [...knownStatuses, "leftOut"],
  write: (percents) => ({
    ...ofEach(knownStatuses, (status) => String(percents[status] ?? "")),
    leftOut: knownStatuses.filter((status) => percents[status] === null).join(" "),
  }),
  read: (form, problems) => {
    const leftOut = leftOutIn(form);
    const percents = ofEach(knownStatuses, (status) =>
      leftOut.includes(status) ? null : readWhole(status, form, problems, "percent"),
    );
    const { PRESENT: present, LATE: late } = percents;
    if (present === null) {
      problems.PRESENT ??= "presentCounts";
      return null;
    }
    // No learner may lose by attending better.
    for (const status of ["LATE", "ABSENT", "EXCUSED"] as const)
      if ((percents[status] ?? 0) > present) problems[status] ??= "abovePresent";
    if ((percents.ABSENT ?? 0) > (late ?? 100)) problems.ABSENT ??= "aboveLate";
    return percents;
  },
};

export function leftOutIn(form: Texts<"leftOut">): KnownStatus[] {
  const ticked = form.leftOut.split(" ");
  return knownStatuses.filter((status) => ticked.includes(status));
}

/** What the form offers first when an instructor chooses minutes. */
const firstMinutes: MinutesWorth = {
  kind: "minutes",
  fullFrom: 100,
  tolerance: 5,
  below: "share",
  hidden: "counted",
};

const worth: PolicyCodec<SessionWorth, "worth" | "fullFrom" | "tolerance" | "below" | "hiddenMinutes"> = {
  fields: ["worth", "fullFrom", "below", "tolerance", "hiddenMinutes"],
  write: (value) => {
    const { fullFrom, tolerance, below, hidden } = value.kind === "minutes" ? value : firstMinutes;
    const numbers = { fullFrom: String(fullFrom), tolerance: String(tolerance) };
    return { worth: value.kind, ...numbers, below, hiddenMinutes: hidden };
  },
  read: (form, problems) => {
    const kind = readField(choices.worth, "worth", form, problems);
    if (kind !== "minutes") return kind === null ? null : { kind };
    const fullFrom = readWhole("fullFrom", form, problems);
    const tolerance = readWhole("tolerance", form, problems);
    const below = readField(choices.below, "below", form, problems);
    const hidden = readField(choices.hiddenMinutes, "hiddenMinutes", form, problems);
    if (fullFrom === null || tolerance === null || below === null || hidden === null) return null;
    return { kind, fullFrom, tolerance, below, hidden };
  },
};

const denominator: PolicyCodec<Denominator, "denominator" | "fixedSessions"> = {
  fields: ["denominator", "fixedSessions"],
  write: (value) => ({
    denominator: value.kind,
    fixedSessions: value.kind === "fixed" ? String(value.sessions) : "",
  }),
  read: (form, problems) => {
    const kind = readField(choices.denominator, "denominator", form, problems);
    if (kind !== "fixed") return kind === null ? null : { kind };
    const sessions = readWhole("fixedSessions", form, problems);
    return sessions === null ? null : { kind, sessions };
  },
};

const formula: PolicyCodec<Formula, "formula" | "neededPercent" | "offPercent"> = {
  fields: ["formula", "neededPercent", "offPercent"],
  write: (value) => ({
    formula: value.kind,
    neededPercent: value.kind === "gate" || value.kind === "pass-fail" ? String(value.percent) : "",
    offPercent: value.kind === "points-off" ? String(value.percent) : "",
  }),
  read: (form, problems) => {
    const kind = readField(choices.formula, "formula", form, problems);
    if (kind === null || kind === "mean") return kind === null ? null : { kind };
    const percent = readWhole(kind === "points-off" ? "offPercent" : "neededPercent", form, problems);
    return percent === null ? null : { kind, percent };
  },
};

/** The form offers it first, because most LMSs complete an activity by its grade alone. */
const firstBefore: BeforeCompletion = "held";

const completion: PolicyCodec<
  Completion,
  "completion" | "completedSessions" | "completedPercent" | "beforeCompletion"
> = {
  fields: ["completion", "completedSessions", "completedPercent", "beforeCompletion"],
  write: (value) => ({
    completion: value.kind,
    completedSessions: value.kind === "sessions" ? String(value.sessions) : "",
    completedPercent: value.kind === "share" ? String(value.percent) : "",
    beforeCompletion: value.kind === "score" ? firstBefore : value.before,
  }),
  read: (form, problems) => {
    const kind = readField(choices.completion, "completion", form, problems);
    if (kind === null || kind === "score") return kind === null ? null : { kind };
    const number = readWhole(kind === "sessions" ? "completedSessions" : "completedPercent", form, problems);
    const before = readField(choices.beforeCompletion, "beforeCompletion", form, problems);
    if (number === null || before === null) return null;
    return kind === "sessions" ? { kind, sessions: number, before } : { kind, percent: number, before };
  },
};

const { points, comment, dropLowest, minimumSessions, ...firsts } = defaultGradePolicy;

/** In the order of the page. "credit" is the whole table of credits. */
export const policyOptions = {
  kind: begins<GradePolicy["kind"], "kind", PolicyProblem>(firsts.kind, single("kind", choices.kind)),
  points: begins(points, whole("points")),
  credit: begins(firsts.credit, credit),
  worth: begins(firsts.worth, worth),
  denominator: begins(firsts.denominator, denominator),
  dropLowest: begins(dropLowest, whole("dropLowest")),
  minimumSessions: begins(minimumSessions, whole("minimumSessions")),
  formula: begins(firsts.formula, formula),
  completion: begins(firsts.completion, completion),
  comment: begins(comment, single("comment", choices.comment)),
};

export type PolicyOptionName = keyof typeof policyOptions;
export type PolicyField = (typeof policyOptions)[PolicyOptionName]["form"]["fields"][number];
export type PolicyForm = Texts<PolicyField>;
export type PolicyProblems = Problems<PolicyField, PolicyProblem>;

export type PolicyValues = Partial<{ kind: GradePolicy["kind"] } & GradingRule>;

export function isPolicyOption(name: string): name is PolicyOptionName {
  return Object.hasOwn(policyOptions, name);
}

export const policyNames = Object.keys(policyOptions).filter(isPolicyOption);

export const policyFields = policyNames.flatMap(
  (name): readonly PolicyField[] => policyOptions[name].form.fields,
);

/** A policy with a grade for each session doesn't use these. Their values are kept if they can be read. */
export const partsAtRest: readonly PolicyOptionName[] = [
  ...(["denominator", "dropLowest", "minimumSessions", "formula", "completion"] as const),
];
