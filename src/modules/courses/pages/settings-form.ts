import { z } from "zod";
import {
  type CourseLink,
  type NewSpace,
  openSpace,
  type SpaceAccess,
  spaceAccesses,
} from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import type { EntryWindow } from "../../../domain/entry.ts";
import { ofEach } from "../../../kernel/lists.ts";
import { joinAnswers, readJoin } from "../../../settings/forms.ts";
import {
  courseOptions,
  joinNames,
  type JoinSettings,
  type Problems,
  type Texts,
  wholeSettings,
} from "../../../settings/options.ts";
import type { CourseRules, LinkRules } from "../change-settings.ts";

/** "" in a link's form means "as in the course". */
export const settingsFields = [
  ...joinNames,
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
export type SettingsForm = Texts<SettingsField>;
export type FormProblems = Problems<SettingsField>;

export function formOfCourse({
  settings,
  door,
  spaceAccess,
  newSpace,
}: Pick<Course, "settings" | "door" | "spaceAccess" | "newSpace">): SettingsForm {
  return {
    ...joinAnswers(settings),
    ...courseOptions.doorTimes.form.write(door),
    ...sectionFields(door.sectionIds),
    access: spaceAccess,
    ...newSpaceFields(newSpace),
  };
}

/** Minutes that the link doesn't set are the course's. */
export function formOfLink(
  course: Pick<Course, "door">,
  { settings, door, spaceAccess }: Pick<CourseLink, "settings" | "door" | "spaceAccess">,
): SettingsForm {
  return {
    ...joinAnswers(settings),
    ...courseOptions.doorTimes.form.write({ ...course.door, ...door }),
    opens: door.opens ?? "",
    ...sectionFields(door.sectionIds),
    access: spaceAccess?.access ?? "unknown",
    ...newSpaceFields(openSpace),
  };
}

export function newSpaceFields(newSpace: NewSpace) {
  return courseOptions.newSpace.form.write(newSpace);
}

function sectionFields(sectionIds: readonly string[] | undefined) {
  const chosen = sectionIds?.length === 0 ? "all" : "some";
  return { who: sectionIds === undefined ? "" : chosen, sections: listed(sectionIds ?? []) };
}

/** Sorts the ids, so the same choice is always the same text. */
function listed(ids: readonly string[]): string {
  return JSON.stringify([...new Set(ids)].sort());
}

const text = z.string().max(300).catch("");
const ids = z.array(z.string().max(255)).max(500);
const postedSchema = z.object({
  ...ofEach(joinNames, () => text),
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
  return {
    rules: {
      settings: wholeSettings(settings),
      door: { opens, minutesBefore, minutesAfter, sectionIds },
      spaceAccess: access,
      ...(newSpace === null ? {} : { newSpace }),
    },
    problems: null,
  };
}

/** Null if the page didn't ask. */
export function readNewSpace(
  form: Pick<SettingsForm, "newAccess" | "newWaiting">,
  problems: FormProblems,
): NewSpace | null {
  const isAsked = form.newAccess !== "" || form.newWaiting !== "";
  return isAsked ? courseOptions.newSpace.form.read(form, problems) : null;
}

export function settingsTyped(form: SettingsForm): Partial<JoinSettings> {
  return readJoin(joinNames, form);
}

export function rulesOfLinkForm(form: SettingsForm, link: CourseLink): Read<LinkRules> {
  const { settings, door, access, problems } = readForm(form, true);
  if (Object.keys(problems).length > 0 || access === null) return { rules: null, problems };
  const spaceAccess = link.choice.kind === "space" ? { spaceId: link.choice.spaceId, access } : null;
  return { rules: { settings, door, spaceAccess }, problems: null };
}

function readForm(form: SettingsForm, mayInherit: boolean) {
  const problems: FormProblems = {};
  const asked = joinNames.filter((name) => !mayInherit || form[name] !== "");
  const settings = readJoin(asked, form, problems);
  const door = { ...readTimes(form, mayInherit, problems), ...readSections(form, mayInherit, problems) };
  const access = isAccess(form.access) ? form.access : null;
  if (access === null) problems.access = "choose";
  return { settings, door, access, problems };
}

function readTimes(form: SettingsForm, mayInherit: boolean, problems: FormProblems): Partial<EntryWindow> {
  if (mayInherit && form.opens === "") return {};
  const times = courseOptions.doorTimes.form.read(form, problems);
  if (times === null) return {};
  // A link that is always open keeps its course's minutes.
  return mayInherit && times.opens === "always" ? { opens: times.opens } : times;
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
