import type { Course } from "./course.ts";
import type { EntryWindow } from "./entry.ts";
import {
  type CommentLanguage,
  defaultGradePolicy,
  type GradePolicy,
  type Grading,
  type GradingRule,
} from "./grade-policy.ts";
import {
  answerOfSettings,
  type JoinQuestion,
  joinQuestions,
  type JoinSettings,
  settingsOfAnswer,
} from "./join-settings.ts";
import type { NewSpace } from "./course-link.ts";
import type { InstitutionReminders, InstitutionWeekly } from "./mails.ts";
import type { InstitutionUnplanned } from "./unplanned-rule.ts";
import type { StaffLevels } from "./course-rights.ts";

/** What an institution may set one by one; "credit" is the whole table. */
export const policyParts = [
  "kind",
  "points",
  "credit",
  "worth",
  "denominator",
  "dropLowest",
  "minimumSessions",
  "formula",
  "completion",
  "comment",
] as const;
export type PolicyPart = (typeof policyParts)[number];

/** "doorTimes" is the entry window's times, "newSpace" how a Space is made, "checkIn" whether learners check in by a code. */
export const ruleNames = [...joinQuestions, "newSpace", "doorTimes", "checkIn", ...policyParts] as const;
export type RuleName = (typeof ruleNames)[number];

/** The sections stay each course's own. */
export type EntryWindowTimes = Pick<EntryWindow, "opens" | "minutesBefore" | "minutesAfter">;

export type PolicyValues = Partial<{ kind: GradePolicy["kind"] } & GradingRule>;

/** Set values are what new courses begin with and "reset" restores; locked ones hold in every course at once, over choices there. */
export type InstitutionDefaults = {
  registrationId: string;
  /** Grows with every change, against overwriting unseen ones. */
  revision: number;
  settings: Partial<JoinSettings>;
  doorTimes: EntryWindowTimes | null;
  newSpace: NewSpace | null;
  checkIn: boolean | null;
  policy: PolicyValues;
  /** A name without a value locks nothing. */
  locked: readonly RuleName[];
  /** Courses may use only Spaces made by the tool for courses of this LMS; holds in every course at once. */
  ownSpacesOnly: boolean;
  /** Levels of non-teaching staff; hold in every course at once. */
  staff: StaffLevels;
  /** What becomes of classes that nobody planned; null: courses say it, and begin with the tool's own rule. */
  unplanned: InstitutionUnplanned | null;
  /** When people are mailed before a session; null: courses say it, and begin without. */
  reminders: InstitutionReminders | null;
  /** What courses mail once a week; null: courses say it, and begin without. */
  weekly: InstitutionWeekly | null;
};

export type CourseValues = Pick<Course, "settings" | "door" | "policy" | "checkIn"> & { newSpace: NewSpace };

export function nothingSet(registrationId: string): InstitutionDefaults {
  return {
    registrationId,
    revision: 0,
    settings: {},
    doorTimes: null,
    newSpace: null,
    checkIn: null,
    policy: {},
    locked: [],
    ownSpacesOnly: false,
    staff: {},
    unplanned: null,
    reminders: null,
    weekly: null,
  };
}

export function setNames(rules: InstitutionDefaults): RuleName[] {
  return ruleNames.filter((name) => isSet(rules, name));
}

export function lockedNames(rules: InstitutionDefaults): RuleName[] {
  return rules.locked.filter((name) => isSet(rules, name));
}

function isSet(
  { settings, doorTimes, newSpace, checkIn, policy }: InstitutionDefaults,
  name: RuleName,
): boolean {
  if (name === "doorTimes") return doorTimes !== null;
  if (name === "newSpace") return newSpace !== null;
  if (name === "checkIn") return checkIn !== null;
  if (isPolicyPart(name)) return policy[name] !== undefined;
  return answerOfSettings(name, settings) !== null;
}

function isPolicyPart(name: RuleName): name is PolicyPart {
  return policyParts.some((part) => part === name);
}

/** What a course begins with and is reset to: every default over the tool's own. */
export function beginningOf<Values extends CourseValues>(values: Values, rules: InstitutionDefaults): Values {
  return overlaid(values, rules, setNames(rules));
}

export function inEffect<Values extends CourseValues>(values: Values, rules: InstitutionDefaults): Values {
  return overlaid(values, rules, lockedNames(rules));
}

function overlaid<Values extends CourseValues>(
  values: Values,
  rules: InstitutionDefaults,
  names: readonly RuleName[],
): Values {
  if (names.length === 0) return values;
  return {
    ...values,
    settings: { ...values.settings, ...settingsAmong(rules.settings, names) },
    door: { ...values.door, ...(names.includes("doorTimes") ? rules.doorTimes : null) },
    newSpace: (names.includes("newSpace") ? rules.newSpace : null) ?? values.newSpace,
    ...(names.includes("checkIn") && rules.checkIn !== null ? { checkIn: rules.checkIn } : {}),
    policy: policyOver(values.policy, policyAmong(rules.policy, names), rules.policy),
  };
}

function settingsAmong(settings: Partial<JoinSettings>, names: readonly RuleName[]): Partial<JoinSettings> {
  const questions = names.filter((name): name is JoinQuestion => joinQuestions.some((one) => one === name));
  const found: Partial<JoinSettings> = {};
  for (const question of questions) {
    const answer = answerOfSettings(question, settings);
    if (answer !== null) Object.assign(found, settingsOfAnswer(question, answer));
  }
  return found;
}

function policyAmong(values: PolicyValues, names: readonly RuleName[]): PolicyValues {
  const entries = Object.entries(values).filter(([part]) => names.some((name) => name === part));
  return Object.fromEntries(entries);
}

/** A course that gave no grades and must gets the rest from the institution's defaults, then from the tool's. */
function policyOver(policy: GradePolicy, forced: PolicyValues, defaults: PolicyValues): GradePolicy {
  if (Object.keys(forced).length === 0) return policy;
  const kind = forced.kind ?? policy.kind;
  if (kind === "no-grades") return { kind };
  const own =
    policy.kind === "no-grades" ? { ...ruleOf(defaultGradePolicy), ...ruleValues(defaults) } : policy;
  return { ...ruleOf(own), ...ruleValues(forced), kind };
}

function ruleOf(policy: GradePolicy | (GradingRule & CommentLanguage)): GradingRule & CommentLanguage {
  if ("kind" in policy && policy.kind === "no-grades") throw new Error("a policy without grades has no rule");
  const { points, credit, worth, comment, commentLanguage } = policy;
  const { dropLowest, denominator, minimumSessions, formula, completion } = policy;
  return {
    ...{ points, credit, worth, comment },
    ...(commentLanguage === undefined ? {} : { commentLanguage }),
    ...{ dropLowest, denominator, minimumSessions, formula, completion },
  };
}

function ruleValues({ kind: _kind, ...rule }: PolicyValues): Partial<GradingRule> {
  return rule;
}

/** Whether a change respects the locks; `held` is what holds now. */
export function keepsToLocks(held: CourseValues, wanted: CourseValues, locked: readonly RuleName[]): boolean {
  if (locked.length === 0) return true;
  if (locked.includes("kind") && held.policy.kind !== wanted.policy.kind) return false;
  return sortedText(belowLocks(held, wanted, locked)) === sortedText(valuesOf(wanted));
}

/** What is stored under locks: own values stay below locked ones and return when a lock goes. @param wanted As posted, locks included. */
export function belowLocks(
  own: CourseValues,
  wanted: CourseValues,
  locked: readonly RuleName[],
): CourseValues {
  return {
    settings: { ...wanted.settings, ...settingsAmong(own.settings, locked) },
    door: { ...wanted.door, ...(locked.includes("doorTimes") ? timesOf(own.door) : null) },
    newSpace: locked.includes("newSpace") ? own.newSpace : wanted.newSpace,
    policy: policyBelow(own.policy, wanted.policy, locked),
  };
}

function policyBelow(own: GradePolicy, wanted: GradePolicy, locked: readonly RuleName[]): GradePolicy {
  const kindIsLocked = locked.includes("kind");
  if (wanted.kind === "no-grades") return kindIsLocked ? own : wanted;
  // Without grades there is no place for the rest: the saved policy stays, with its kind.
  if (own.kind === "no-grades") return wanted;
  const kept = policyAmong(own, locked);
  const kind: Grading["kind"] = kindIsLocked ? own.kind : wanted.kind;
  return { ...wanted, ...ruleValues(kept), kind };
}

function timesOf({ opens, minutesBefore, minutesAfter }: EntryWindow): EntryWindowTimes {
  return { opens, minutesBefore, minutesAfter };
}

function valuesOf({ settings, door, newSpace, policy }: CourseValues): CourseValues {
  return { settings, door, newSpace, policy };
}

/** JSON with sorted names: the store returns them in another order. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
