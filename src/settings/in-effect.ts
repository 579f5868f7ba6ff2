import type { Course } from "../domain/course.ts";
import type { CourseLink } from "../domain/course-link.ts";
import { alwaysOpen, type EntryWindow } from "../domain/entry.ts";
import { defaultGradePolicy, type GradePolicy } from "../domain/grade-policy.ts";
import type { StaffLevels } from "../domain/course-rights.ts";
import {
  courseOptionNames,
  courseOptions,
  type CourseOptionName,
  type CourseOptionValues,
  defaultJoinSettings,
  type EntryWindowTimes,
  followedNames,
  joinNames,
  type JoinOptionName,
  type JoinSettings,
  type JoinOption,
  joinOptions,
} from "./options.ts";
import { policyNames, type PolicyOptionName, type PolicyValues } from "./policy-options.ts";
import { cutTo } from "../kernel/text.ts";
import { compareText } from "../kernel/lists.ts";

// What applies in a course: what the institution has locked, else the course's own value, else the institution's
// default that courses follow, else the tool's. In a link: the locks, else its settings on our page, its custom
// parameters, the course's.

export const optionNames = [...joinNames, ...courseOptionNames, ...policyNames] as const;
/** An option is what an institution sets and locks as one; each has a row in `options.ts` or `policy-options.ts`. */
export type OptionName = JoinOptionName | CourseOptionName | PolicyOptionName;

export type InstitutionValues = Partial<JoinSettings & CourseOptionValues> & PolicyValues;

/** Set values are what new courses begin with or follow, and what "reset" restores; locked ones hold in every course, over choices there. */
export type InstitutionDefaults = {
  registrationId: string;
  /** Grows with every change, against overwriting unseen ones. */
  revision: number;
  values: InstitutionValues;
  /** A name without a value locks nothing. */
  locked: readonly OptionName[];
  /** Courses may use only Spaces made by the tool for courses of this LMS; applies in every course immediately. */
  ownSpacesOnly: boolean;
  /** Levels of non-teaching staff; apply in every course immediately. */
  staff: StaffLevels;
};

/** Options that a course has under their own names. */
type PlainValues = Omit<CourseOptionValues, "doorTimes">;

export type CourseValues = Pick<Course, "settings" | "door" | "policy" | keyof PlainValues>;

/** As chosen in a course; null or left out: nothing is chosen. */
export type OwnValues = Pick<Course, "settings" | "door" | "policy" | "newSpace"> & {
  [Name in Exclude<keyof PlainValues, "newSpace">]?: PlainValues[Name] | null;
};

export const firstValues: CourseValues = {
  settings: defaultJoinSettings,
  door: alwaysOpen,
  policy: defaultGradePolicy,
  ...firstPlain(),
};

function firstPlain(): PlainValues {
  const { newSpace, checkIn, learnerWords, unplanned, reminders, weekly } = courseOptions;
  const { gradesUntil, gradesRelease, limits } = courseOptions;
  return {
    newSpace: newSpace.first,
    checkIn: checkIn.first,
    learnerWords: learnerWords.first,
    unplanned: unplanned.first,
    reminders: reminders.first,
    weekly: weekly.first,
    gradesUntil: gradesUntil.first,
    gradesRelease: gradesRelease.first,
    limits: limits.first,
  };
}

export function nothingSet(registrationId: string): InstitutionDefaults {
  return { registrationId, revision: 0, values: {}, locked: [], ownSpacesOnly: false, staff: {} };
}

export function setNames({ values }: InstitutionDefaults): OptionName[] {
  return optionNames.filter((name) => values[name] !== undefined);
}

export function lockedNames({ values, locked }: InstitutionDefaults): OptionName[] {
  return locked.filter((name) => values[name] !== undefined);
}

/** Whether the institution has set it for all its courses. */
export function isLocked({ locked = [] }: Pick<Course, "locked">, name: OptionName): boolean {
  return locked.includes(name);
}

/** What a course begins with and is reset to: every default over the tool's own. */
export function beginningOf<Values extends CourseValues>(
  first: Values,
  { values }: InstitutionDefaults,
): Values {
  return overlaid(first, values, values);
}

/** What applies in a course: first < followed < own < locked. */
export function inCourse<Own extends OwnValues>(
  own: Own,
  { values, locked }: InstitutionDefaults,
): Own & CourseValues {
  const followed = { ...firstValues, ...among(values, followedNames) };
  const unchosen = plainNames.filter((name) => own[name] == null);
  return overlaid({ ...followed, ...own, ...among(followed, unchosen) }, among(values, locked), values);
}

/** What applies to people who come through a link. */
export function inLink(
  { settings, door, locked = [] }: Pick<Course, "settings" | "door" | "locked">,
  link: Pick<CourseLink, "settings" | "customSettings" | "door"> | null,
): Pick<Course, "settings" | "door"> {
  if (link === null) return { settings, door };
  const chosen = { ...settings, ...link.customSettings, ...link.settings };
  return {
    settings: { ...chosen, ...among(settings, locked) },
    door: { ...door, ...link.door, ...(locked.includes("doorTimes") ? timesOf(door) : null) },
  };
}

function overlaid<Values extends CourseValues>(
  values: Values,
  over: InstitutionValues,
  defaults: InstitutionValues,
): Values {
  return {
    ...values,
    ...among(over, plainNames),
    settings: { ...values.settings, ...among(over, joinNames) },
    door: { ...values.door, ...over.doorTimes },
    policy: policyOver(values.policy, among(over, policyNames), among(defaults, policyNames)),
  };
}

const plainNames = courseOptionNames.filter((name) => name !== "doorTimes");

function among(values: InstitutionValues, names: readonly OptionName[]): InstitutionValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.some((one) => one === name)));
}

/** A course that gave no grades and must gets the rest from the institution's defaults, then from the tool's. */
function policyOver(policy: GradePolicy, forced: PolicyValues, defaults: PolicyValues): GradePolicy {
  const kind = forced.kind ?? policy.kind;
  if (kind === "no-grades") return { kind };
  const own = policy.kind === "no-grades" ? { ...defaultGradePolicy, ...defaults } : policy;
  return { ...own, ...forced, kind };
}

/** What is saved together, so a form may be checked against locks. */
type SavedValues = Pick<CourseValues, "settings" | "door" | "newSpace" | "policy">;

/** Whether a change respects the locks; `current` is what applies now. */
export function keepsToLocks(
  current: SavedValues,
  requested: SavedValues,
  locked: readonly OptionName[],
): boolean {
  if (locked.length === 0) return true;
  if (locked.includes("kind") && current.policy.kind !== requested.policy.kind) return false;
  const { settings, door, newSpace, policy } = requested;
  return (
    sortedText(belowLocks(current, requested, locked)) === sortedText({ settings, door, newSpace, policy })
  );
}

/** What is stored under locks: own values stay below locked ones and return when a lock goes. @param requested As posted, locks included. */
export function belowLocks(
  own: SavedValues,
  requested: SavedValues,
  locked: readonly OptionName[],
): SavedValues {
  return {
    settings: { ...requested.settings, ...among(own.settings, locked) },
    door: { ...requested.door, ...(locked.includes("doorTimes") ? timesOf(own.door) : null) },
    newSpace: locked.includes("newSpace") ? own.newSpace : requested.newSpace,
    policy: policyBelow(own.policy, requested.policy, locked),
  };
}

function policyBelow(own: GradePolicy, requested: GradePolicy, locked: readonly OptionName[]): GradePolicy {
  const kindIsLocked = locked.includes("kind");
  if (requested.kind === "no-grades") return kindIsLocked ? own : requested;
  // Without grades there is no place for the rest: the saved policy is kept, with its kind.
  if (own.kind === "no-grades") return requested;
  return { ...requested, ...among(own, locked), kind: kindIsLocked ? own.kind : requested.kind };
}

function timesOf({ opens, minutesBefore, minutesAfter }: EntryWindow): EntryWindowTimes {
  return { opens, minutesBefore, minutesAfter };
}

/** JSON with sorted names: the store returns them in another order. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareText(a, b)))
      : inner,
  );
}

export type IgnoredParameter = { name: string; value: string };

/** So that many parameters cannot swell a link's record. */
const maxIgnored = 10;
const maxIgnoredLength = 60;

/** "space_..." ("spaces_..." are ours). LMSs write typed values differently: case and spaces do not count; yes, on and 1 are true. */
export function customSettingsOf(custom: Readonly<Record<string, string>>) {
  const settings = new Map<JoinOptionName, boolean | string>();
  /** In the order of their names, shortened; never an error. */
  const ignored: IgnoredParameter[] = [];
  for (const [name, value] of Object.entries(custom).sort(([one], [other]) => compareText(one, other))) {
    if (!name.startsWith("space_")) continue;
    const option = joinNames.find((one) => joinOptions[one].custom === name);
    const read = option === undefined ? null : readCustom(joinOptions[option], value.trim().toLowerCase());
    if (option === undefined || read === null)
      ignored.push({ name: shortened(name), value: shortened(value) });
    else settings.set(option, read);
  }
  return { settings: Object.fromEntries(settings), ignored: ignored.slice(0, maxIgnored) };
}

function readCustom({ form, spelled }: JoinOption<boolean | string>, value: string): boolean | string | null {
  return form.read(spelled === undefined ? value : spelled(value));
}

function shortened(text: string): string {
  return text.length > maxIgnoredLength ? `${cutTo(text, maxIgnoredLength)}…` : text;
}
