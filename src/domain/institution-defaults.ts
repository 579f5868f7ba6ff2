import type { Course } from "./course.ts";
import type { EntryWindow } from "./entry-window.ts";
import {
  type CommentLanguage,
  defaultGradePolicy,
  type GradePolicy,
  type Grading,
  type GradingRule,
} from "./grade-policy.ts";
import { answerOfSettings, type JoinQuestion, joinQuestions, settingsOfAnswer } from "./join-settings.ts";
import type { JoinSettings } from "./join-url.ts";
import type { NewSpace } from "./space-access.ts";
import type { StaffLevels } from "./staff-rights.ts";

/** The parts of a grade policy that an institution may set, each on its own; "credit" is the whole table. */
export const policyParts = [
  "kind",
  "points",
  "credit",
  "denominator",
  "dropLowest",
  "minimumSessions",
  "comment",
] as const;
export type PolicyPart = (typeof policyParts)[number];

/** Everything that an institution may set; "doorTimes" is when the door opens, "newSpace" how a Space is made. */
export const ruleNames = [...joinQuestions, "newSpace", "doorTimes", ...policyParts] as const;
export type RuleName = (typeof ruleNames)[number];

/** When a door is open; whom it is for is each course's own. */
export type EntryWindowTimes = Pick<EntryWindow, "opens" | "minutesBefore" | "minutesAfter">;

/** The values of a policy that an institution set. */
export type PolicyValues = Partial<{ kind: GradePolicy["kind"] } & GradingRule>;

/**
 * What an LMS's administrators set for its courses. A value that is not set has no default; a set one is what new
 * courses begin with, and what "reset" brings back; a locked one holds in every course at once, over whatever was
 * chosen there or for one of its links.
 */
export type InstitutionDefaults = {
  registrationId: string;
  /** Grows with every change, so that nobody overwrites what they have not seen. */
  revision: number;
  settings: Partial<JoinSettings>;
  doorTimes: EntryWindowTimes | null;
  newSpace: NewSpace | null;
  policy: PolicyValues;
  /** Locked ones; a name without a value locks nothing. */
  locked: readonly RuleName[];
  /** Whether courses may use only Spaces that the tool made for courses of this LMS; holds in every course at once. */
  ownSpacesOnly: boolean;
  /** What staff may do that does not teach; holds in every course at once. */
  staff: StaffLevels;
};

/** The part of a course that institutions may set. */
export type CourseValues = Pick<Course, "settings" | "door" | "policy"> & { newSpace: NewSpace };

/** An LMS whose administrators have set nothing. */
export function nothingSet(registrationId: string): InstitutionDefaults {
  return {
    registrationId,
    revision: 0,
    settings: {},
    doorTimes: null,
    newSpace: null,
    policy: {},
    locked: [],
    ownSpacesOnly: false,
    staff: {},
  };
}

/** The names that have a value. */
export function setNames(rules: InstitutionDefaults): RuleName[] {
  return ruleNames.filter((name) => isSet(rules, name));
}

/** The names whose value holds in every course. */
export function lockedNames(rules: InstitutionDefaults): RuleName[] {
  return rules.locked.filter((name) => isSet(rules, name));
}

function isSet({ settings, doorTimes, newSpace, policy }: InstitutionDefaults, name: RuleName): boolean {
  if (name === "doorTimes") return doorTimes !== null;
  if (name === "newSpace") return newSpace !== null;
  if (isPolicyPart(name)) return policy[name] !== undefined;
  return answerOfSettings(name, settings) !== null;
}

function isPolicyPart(name: RuleName): name is PolicyPart {
  return policyParts.some((part) => part === name);
}

/** What a course begins with, and goes back to: every default over what the tool itself begins with. */
export function beginningOf<Values extends CourseValues>(values: Values, rules: InstitutionDefaults): Values {
  return overlaid(values, rules, setNames(rules));
}

/** What holds in a course: its own values with the locked ones over them. */
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
    policy: policyOver(values.policy, policyAmong(rules.policy, names), rules.policy),
  };
}

/** The settings that belong to some of the questions. */
export function settingsAmong(
  settings: Partial<JoinSettings>,
  names: readonly RuleName[],
): Partial<JoinSettings> {
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

/**
 * A policy with some parts forced. A course that gave no grades and must gets the rest from the institution's defaults,
 * then from the tool's.
 */
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
  const { points, credit, comment, commentLanguage, dropLowest, denominator, minimumSessions } = policy;
  const language = commentLanguage === undefined ? {} : { commentLanguage };
  return { points, credit, comment, ...language, dropLowest, denominator, minimumSessions };
}

function ruleValues({ kind: _kind, ...rule }: PolicyValues): Partial<GradingRule> {
  return rule;
}

/**
 * Whether what somebody wants to save agrees with what is locked.
 * @param held What holds in the course now.
 */
export function keepsToLocks(held: CourseValues, wanted: CourseValues, locked: readonly RuleName[]): boolean {
  if (locked.length === 0) return true;
  if (locked.includes("kind") && held.policy.kind !== wanted.policy.kind) return false;
  return sortedText(belowLocks(held, wanted, locked)) === sortedText(valuesOf(wanted));
}

/**
 * What is stored when a course's settings are saved under locks: the own values stay below locked ones, so that they are
 * back when a lock goes.
 * @param own As stored before.
 * @param wanted As posted, with the locked values in it.
 */
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
  // Without grades there is no place to keep the rest: then what was saved stays, with its kind.
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

/** JSON with sorted names: records come back from the store in another order. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
