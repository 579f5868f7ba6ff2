import { z } from "zod";
import {
  type CourseLink,
  type NewSpace,
  openSpace,
  type SpaceAccess,
  spaceAccesses,
} from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { type EntryWindow, minutesFrom, alwaysOpen } from "../../../domain/entry.ts";
import type { RuleName } from "../../../domain/institution-defaults.ts";
import {
  answerOfSettings,
  defaultJoinSettings,
  type JoinQuestion,
  joinQuestions,
  type JoinSettings,
  ofEachQuestion,
  settingsOfAnswer,
} from "../../../domain/join-settings.ts";
import { type CourseRules, type LinkRules, newSpaceOf } from "../change-settings.ts";

/** "" in a link's form means "as in the course". */
export const settingsFields = [
  ...joinQuestions,
  "opens",
  "minutesBefore",
  "minutesAfter",
  "who",
  "sections",
  "access",
  "newAccess",
  "newWaiting",
] as const;
export type SettingsField = (typeof settingsFields)[number];

/** "sections" is a JSON list of ids. */
export type SettingsForm = Readonly<Record<SettingsField, string>>;

export type FieldProblem = "choose" | "minutes" | "sections";
export type FormProblems = Partial<Record<SettingsField, FieldProblem>>;

export function formOfCourse(
  course: Pick<Course, "settings" | "door" | "spaceAccess" | "newSpace">,
): SettingsForm {
  const { settings, door, spaceAccess } = course;
  return {
    ...answersOf(settings),
    ...entryWindowFields(door, door),
    access: spaceAccess,
    ...newSpaceFields(newSpaceOf(course)),
  };
}

/** Minutes that the link does not set are the course's. */
export function formOfLink(
  course: Pick<Course, "door">,
  { settings, door, spaceAccess }: Pick<CourseLink, "settings" | "door" | "spaceAccess">,
): SettingsForm {
  return {
    ...newSpaceFields(openSpace),
    ...answersOf(settings),
    ...entryWindowFields(door, course.door),
    access: spaceAccess?.access ?? "unknown",
  };
}

export function newSpaceFields({ access, waitingRoom }: NewSpace) {
  return { newAccess: access, newWaiting: waitingRoom ? "yes" : "no" };
}

function answersOf(settings: Partial<JoinSettings>): Record<JoinQuestion, string> {
  return ofEachQuestion((question) => answerOfSettings(question, settings) ?? "");
}

function entryWindowFields(entryWindow: Partial<EntryWindow>, whole: EntryWindow) {
  const { opens = "", minutesBefore, minutesAfter, sectionIds } = entryWindow;
  return {
    opens,
    minutesBefore: String(minutesBefore ?? whole.minutesBefore),
    minutesAfter: String(minutesAfter ?? whole.minutesAfter),
    who: sectionIds === undefined ? "" : sectionIds.length === 0 ? "all" : "some",
    sections: listed(sectionIds ?? []),
  };
}

/** In one order, so that the same choice is the same text. */
function listed(ids: readonly string[]): string {
  return JSON.stringify([...new Set(ids)].sort());
}

const text = z.string().max(300).catch("");
const ids = z.array(z.string().max(255)).max(500);
const postedSchema = z.object({
  ...ofEachQuestion(() => text),
  opens: text,
  minutesBefore: text,
  minutesAfter: text,
  who: text,
  access: text,
  newAccess: text,
  newWaiting: text,
  section: z.union([ids, z.string().transform((one) => [one])]).catch([]),
});

export function formOfPosted(body: unknown): SettingsForm {
  const { section, ...fields } = postedSchema.parse(typeof body === "object" && body !== null ? body : {});
  return { ...fields, sections: listed(section) };
}

const formSchema = z.record(z.enum(settingsFields), z.string());

/** The form that the page carries as text; null when it was tampered with. */
export function formOfText(carried: unknown): SettingsForm | null {
  if (typeof carried !== "string" || carried.length > 20_000) return null;
  try {
    return formSchema.safeParse(JSON.parse(carried)).data ?? null;
  } catch {
    return null;
  }
}

export function sectionsIn(form: SettingsForm): string[] {
  try {
    return ids.catch([]).parse(JSON.parse(form.sections));
  } catch {
    return [];
  }
}

type Read<T> = { rules: T; problems: null } | { rules: null; problems: FormProblems };

export function rulesOfCourseForm(form: SettingsForm): Read<CourseRules> {
  const { settings, door, access, problems } = readForm(form, false);
  const newSpace = readNewSpace(form, problems);
  if (Object.keys(problems).length > 0 || access === null) return { rules: null, problems };
  const { opens = "always", minutesBefore = 0, minutesAfter = 0, sectionIds = [] } = door;
  const whole = { ...defaultJoinSettings, ...settings };
  return {
    rules: {
      settings: whole,
      door: { opens, minutesBefore, minutesAfter, sectionIds },
      spaceAccess: access,
      ...(newSpace === null ? {} : { newSpace }),
    },
    problems: null,
  };
}

/** Null where the page did not ask. */
export function readNewSpace(
  { newAccess, newWaiting }: Pick<SettingsForm, "newAccess" | "newWaiting">,
  problems: FormProblems,
): NewSpace | null {
  if (newAccess === "" && newWaiting === "") return null;
  const access = newAccess === "Public" || newAccess === "Private" ? newAccess : null;
  if (access === null) problems.newAccess = "choose";
  if (newWaiting !== "yes" && newWaiting !== "no") problems.newWaiting = "choose";
  return access === null || problems.newWaiting !== undefined
    ? null
    : { access, waitingRoom: newWaiting === "yes" };
}

export function fieldsOfRule(name: RuleName): readonly SettingsField[] {
  if (name === "doorTimes") return ["opens", "minutesBefore", "minutesAfter"];
  if (name === "newSpace") return ["newAccess", "newWaiting"];
  return settingsFields.filter((field) => field === name);
}

/** Puts back what the institution has locked, as the page does not ask for it. @param now The stored form. */
export function withoutLocked(
  typed: SettingsForm,
  now: SettingsForm,
  locked: readonly RuleName[] = [],
): SettingsForm {
  const fields = locked.flatMap(fieldsOfRule);
  return { ...typed, ...Object.fromEntries(fields.map((field) => [field, now[field]])) };
}

export function settingsTyped(form: SettingsForm): Partial<JoinSettings> {
  const settings: Partial<JoinSettings> = {};
  for (const question of joinQuestions) Object.assign(settings, settingsOfAnswer(question, form[question]));
  return settings;
}

export function rulesOfLinkForm(form: SettingsForm, link: CourseLink): Read<LinkRules> {
  const { settings, door, access, problems } = readForm(form, true);
  if (Object.keys(problems).length > 0 || access === null) return { rules: null, problems };
  const spaceAccess = link.choice.kind === "space" ? { spaceId: link.choice.spaceId, access } : null;
  return { rules: { settings, door, spaceAccess }, problems: null };
}

function readForm(form: SettingsForm, mayInherit: boolean) {
  const settings: Partial<JoinSettings> = {};
  const problems: FormProblems = {};
  for (const question of joinQuestions) {
    const answer = form[question];
    if (answer === "" && mayInherit) continue;
    const read = settingsOfAnswer(question, answer);
    if (read === null) problems[question] = "choose";
    else Object.assign(settings, read);
  }
  const door = { ...readTimes(form, mayInherit, problems), ...readSections(form, mayInherit, problems) };
  const access = isAccess(form.access) ? form.access : null;
  if (access === null) problems.access = "choose";
  return { settings, door, access, problems };
}

function readTimes(form: SettingsForm, mayInherit: boolean, problems: FormProblems): Partial<EntryWindow> {
  const { opens } = form;
  if (opens === "always") return { opens, ...(mayInherit ? {} : restingMinutes(form)) };
  if (opens !== "around-sessions") {
    if (opens !== "" || !mayInherit) problems.opens = "choose";
    return {};
  }
  const minutesBefore = minutesFrom(form.minutesBefore);
  const minutesAfter = minutesFrom(form.minutesAfter);
  if (minutesBefore === null) problems.minutesBefore = "minutes";
  if (minutesAfter === null) problems.minutesAfter = "minutes";
  return minutesBefore === null || minutesAfter === null ? {} : { opens, minutesBefore, minutesAfter };
}

/** Hidden while the window is always open, so errors in them do not matter. */
function restingMinutes(form: SettingsForm): Pick<EntryWindow, "minutesBefore" | "minutesAfter"> {
  return {
    minutesBefore: minutesFrom(form.minutesBefore) ?? alwaysOpen.minutesBefore,
    minutesAfter: minutesFrom(form.minutesAfter) ?? alwaysOpen.minutesAfter,
  };
}

function readSections(form: SettingsForm, mayInherit: boolean, problems: FormProblems): Partial<EntryWindow> {
  switch (form.who) {
    case "all":
      return { sectionIds: [] };
    case "some": {
      const sectionIds = sectionsIn(form);
      if (sectionIds.length === 0) problems.sections = "sections";
      return { sectionIds };
    }
    default:
      if (form.who !== "" || !mayInherit) problems.who = "choose";
      return {};
  }
}

function isAccess(text: string): text is SpaceAccess {
  return spaceAccesses.some((access) => access === text);
}

export type FieldChange = { field: SettingsField; was: string; now: string };

/**
 * What somebody else changed meanwhile, and the form to continue with: theirs where only they changed it.
 * @param seen The form before typing; null when unknown.
 */
export function afterConflict(
  seen: SettingsForm | null,
  typed: SettingsForm,
  now: SettingsForm,
): { form: SettingsForm; changes: FieldChange[] } {
  const before = seen ?? typed;
  const changes = settingsFields
    .filter((field) => before[field] !== now[field])
    .map((field) => ({ field, was: before[field], now: now[field] }));
  const form = { ...typed };
  for (const { field } of changes)
    if (typed[field] === before[field] && seen !== null) form[field] = now[field];
  return { form, changes };
}
