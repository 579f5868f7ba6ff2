import type { KnownStatus } from "../../../domain/attendance.ts";
import {
  type Denominator,
  type Formula,
  type GradePolicy,
  type Grading,
  type GradingRule,
  ruleDefaults,
} from "../../../domain/grade-policy.ts";
import type { Completion, SessionWorth } from "../../../domain/grade-working.ts";
import { gradingBounds, type GradingForm, type GradingProblems, leftOutIn } from "./grading-form.ts";
import { wholeNumber } from "../../../kernel/text.ts";

type Read = { policy: GradePolicy; problems: null } | { policy: null; problems: GradingProblems };

/** The form as a policy, or its problems. Fields that the chosen kind does not use do not matter. */
export function policyOfForm(form: GradingForm): Read {
  const { kind } = form;
  if (kind === "no-grades") return { policy: { kind }, problems: null };
  if (kind !== "one-column" && kind !== "column-per-session")
    return { policy: null, problems: { kind: "choose" } };
  const problems: GradingProblems = {};
  const rule = readRule(form, kind, problems);
  if (rule === null || Object.keys(problems).length > 0) return { policy: null, problems };
  return { policy: { kind, ...rule }, problems: null };
}

function readRule(form: GradingForm, kind: Grading["kind"], problems: GradingProblems): GradingRule | null {
  const points = bounded(form.points, "points");
  if (points === null) problems.points = "points";
  const credit = readCredit(form, problems);
  const worth = readWorth(form, problems);
  const options = kind === "one-column" ? readOptions(form, problems) : restingOptions(form);
  if (form.comment !== "yes" && form.comment !== "no") problems.comment = "choose";
  if (points === null || credit === null || worth === null || options === null) return null;
  return { points, credit, worth, comment: form.comment === "yes", ...options };
}

function readCredit(form: GradingForm, problems: GradingProblems): GradingRule["credit"] | null {
  const leftOut = leftOutIn(form);
  const read = (status: KnownStatus) => {
    if (leftOut.includes(status)) return null;
    const percent = bounded(form[status], "percent");
    if (percent === null) problems[status] = "percent";
    return percent;
  };
  const credit = {
    PRESENT: read("PRESENT"),
    LATE: read("LATE"),
    ABSENT: read("ABSENT"),
    EXCUSED: read("EXCUSED"),
  };
  if (credit.PRESENT === null) {
    problems.PRESENT ??= "presentCounts";
    return null;
  }
  // Nobody may lose by attending better.
  for (const status of ["LATE", "ABSENT", "EXCUSED"] as const)
    if ((credit[status] ?? 0) > credit.PRESENT) problems[status] ??= "abovePresent";
  if ((credit.ABSENT ?? 0) > (credit.LATE ?? 100)) problems.ABSENT ??= "aboveLate";
  return credit;
}

function readWorth(form: GradingForm, problems: GradingProblems): SessionWorth | null {
  const { worth: kind, below, hiddenMinutes: hidden } = form;
  if (kind === "status") return { kind };
  if (kind !== "minutes") {
    problems.worth = "choose";
    return null;
  }
  const fullFrom = bounded(form.fullFrom, "fullFrom");
  const tolerance = bounded(form.tolerance, "tolerance");
  if (fullFrom === null) problems.fullFrom = "fullFrom";
  if (tolerance === null) problems.tolerance = "tolerance";
  if (below !== "share" && below !== "nothing") problems.below = "choose";
  else if (hidden !== "counted" && hidden !== "taken-off") problems.hiddenMinutes = "choose";
  else if (fullFrom !== null && tolerance !== null) return { kind, fullFrom, tolerance, below, hidden };
  return null;
}

type Options = Pick<GradingRule, "denominator" | "dropLowest" | "minimumSessions" | "formula" | "completion">;

function readOptions(form: GradingForm, problems: GradingProblems): Options | null {
  const denominator = readDenominator(form, problems);
  const dropLowest = bounded(form.dropLowest, "dropLowest");
  const minimumSessions = bounded(form.minimumSessions, "minimumSessions");
  if (dropLowest === null) problems.dropLowest = "dropLowest";
  else if (denominator?.kind === "fixed" && dropLowest >= denominator.sessions)
    problems.dropLowest = "dropAll";
  if (minimumSessions === null) problems.minimumSessions = "minimumSessions";
  const formula = readFormula(form, problems);
  const completion = readCompletion(form, problems);
  if (denominator === null || dropLowest === null || minimumSessions === null) return null;
  if (formula === null || completion === null) return null;
  return { denominator, dropLowest, minimumSessions, formula, completion };
}

function readCompletion(form: GradingForm, problems: GradingProblems): Completion | null {
  const { completion: kind, beforeCompletion: before } = form;
  if (kind === "score") return { kind };
  if (kind !== "sessions" && kind !== "share") {
    problems.completion = "choose";
    return null;
  }
  const field = kind === "sessions" ? "completedSessions" : "completedPercent";
  const number = bounded(form[field], field);
  if (number === null) problems[field] = field;
  if (before !== "sent" && before !== "held") problems.beforeCompletion = "choose";
  else if (number !== null)
    return kind === "sessions" ? { kind, sessions: number, before } : { kind, percent: number, before };
  return null;
}

function readFormula(form: GradingForm, problems: GradingProblems): Formula | null {
  const kind = form.formula;
  if (kind === "mean") return { kind };
  if (kind !== "gate" && kind !== "pass-fail" && kind !== "points-off") {
    problems.formula = "choose";
    return null;
  }
  const field = kind === "points-off" ? "offPercent" : "neededPercent";
  const percent = bounded(form[field], field);
  if (percent === null) problems[field] = field;
  return percent === null ? null : { kind, percent };
}

function readDenominator(form: GradingForm, problems: GradingProblems): Denominator | null {
  const kind = form.denominator;
  if (kind === "so-far" || kind === "planned") return { kind };
  if (kind !== "fixed") {
    problems.denominator = "choose";
    return null;
  }
  const sessions = bounded(form.fixedSessions, "fixedSessions");
  if (sessions === null) problems.fixedSessions = "fixedSessions";
  return sessions === null ? null : { kind, sessions };
}

/** Options that the chosen kind does not use are kept, as far as they can be read. */
function restingOptions(form: GradingForm): Options {
  const { worth: _worth, ...resting } = ruleDefaults;
  return readOptions(form, {}) ?? resting;
}

/** A whole number within bounds, with or without a percent sign; else null. */
function bounded(typed: string, field: keyof typeof gradingBounds): number | null {
  const number = wholeNumber(typed.trim().replace(/[%٪]$/u, ""));
  const [least, most] = gradingBounds[field];
  return number >= least && number <= most ? number : null;
}
