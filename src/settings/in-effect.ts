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
/** An option is what an institution sets and locks as a unit. Each has a row in `options.ts` or `policy-options.ts`. */
export type OptionName = JoinOptionName | CourseOptionName | PolicyOptionName;

export type InstitutionValues = Partial<JoinSettings & CourseOptionValues> & PolicyValues;

/** New courses begin with the set values or follow them, and "reset" restores them. Locked values apply in every course, over its own choices. */
export type InstitutionDefaults = {
  registrationId: string;
  /** Grows with every change, so nobody overwrites a change they haven't seen. */
  revision: number;
  values: InstitutionValues;
  /** A locked name without a value locks nothing. */
  locked: readonly OptionName[];
  /** Courses may only use Spaces that the tool made for courses of this LMS. Applies in every course immediately. */
  ownSpacesOnly: boolean;
  /** Levels of non-teaching staff. They apply in every course immediately. */
  staff: StaffLevels;
};

/** Options that a course stores under the option's own name. */
type PlainValues = Omit<CourseOptionValues, "doorTimes">;

export type CourseValues = Pick<Course, "settings" | "door" | "policy" | keyof PlainValues>;

/** What a course has chosen; an option that is null or left out isn't chosen. */
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

/** Whether the institution has fixed this option for all its courses. */
export function isLocked({ locked = [] }: Pick<Course, "locked">, name: OptionName): boolean {
  return locked.includes(name);
}

/** What a course begins with, and what "reset" restores: the institution's defaults over the tool's. */
export function beginningOf<Values extends CourseValues>(
  first: Values,
  { values }: InstitutionDefaults,
): Values {
  return overlaid(first, values, values);
}

/** What applies in a course. Later values win: tool's first value < followed default < course's own < locked. */
export function inCourse<Own extends OwnValues>(
  own: Own,
  { values, locked }: InstitutionDefaults,
): Own & CourseValues {
  const followed = { ...firstValues, ...among(values, followedNames) };
  const unchosen = plainNames.filter((name) => own[name] === null);
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
  return names.length === 0
    ? {}
    : Object.fromEntries(Object.entries(values).filter(([name]) => names.some((one) => one === name)));
}

/** If a course without grades must give grades, the rest comes from the institution's defaults, then from the tool's. */
function policyOver(policy: GradePolicy, forced: PolicyValues, defaults: PolicyValues): GradePolicy {
  const kind = forced.kind ?? policy.kind;
  if (kind === "no-grades") return { kind };
  const own = policy.kind === "no-grades" ? { ...defaultGradePolicy, ...defaults } : policy;
  return { ...own, ...forced, kind };
}

/** Values that are saved together, so that a form can be checked against the locks. */
type SavedValues = Pick<CourseValues, "settings" | "door" | "newSpace" | "policy">;

/** Whether a change leaves locked options alone. @param current What applies now. */
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

/** What to store under locks: the course's own values stay, and apply again once a lock goes. @param requested As posted, with locked values. */
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
  // A policy without grades can't store the other parts, so the saved policy and its kind stay.
  if (own.kind === "no-grades") return requested;
  return { ...requested, ...among(own, locked), kind: kindIsLocked ? own.kind : requested.kind };
}

function timesOf({ opens, minutesBefore, minutesAfter }: EntryWindow): EntryWindowTimes {
  return { opens, minutesBefore, minutesAfter };
}

/** JSON with sorted names, because the store returns names in another order. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareText(a, b)))
      : inner,
  );
}

export type IgnoredParameter = { name: string; value: string };

/** Limits the size of a link's record, however many parameters it has. */
const maxIgnored = 10;
const maxIgnoredLength = 60;

/** Reads "space_..." parameters ("spaces_..." are the tool's). LMSs spell values differently: ignores case and spaces; yes, on and 1 mean true. */
export function customSettingsOf(custom: Readonly<Record<string, string>>) {
  const settings = new Map<JoinOptionName, boolean | string>();
  /** Sorted by name and shortened. An ignored parameter is never an error. */
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
