import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { CourseLink, NewSpace } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import {
  beginningOf,
  belowLocks,
  firstValues,
  type InstitutionDefaults,
  isLocked,
  keepsToLocks,
} from "../../settings/in-effect.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { byId } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditApp, writeCourseAudit } from "../audit/audit.ts";
import type { SingleOption } from "./store/course-store.ts";

/** What an instructor sets for a course: how, when and who may enter, how its Space is made, and who may use the Space. */
export type CourseRules = Pick<Course, "settings" | "door"> &
  // Left out if the page doesn't ask, and then kept.
  Partial<Pick<Course, "spaceAccess"> & { newSpace: NewSpace }>;

/** "for-next-space": saved, but the course had its Space by then, made under the earlier settings. */
export type SettingsOutcome = "saved" | "for-next-space" | "conflict";

export type LinkRules = Pick<CourseLink, "settings" | "door" | "spaceAccess">;

/**
 * Changes settings from the next entry on. Values below a lock keep what was chosen in the course.
 * @param course As it is in effect, with its institution's locks. @param revision The one that the instructor saw.
 * @returns "conflict", without effect, if the settings have changed since.
 * @throws NamedError "section-unknown", "set-by-institution"
 */
export async function changeCourseSettings(
  app: Pick<App, "courseLinks" | "courses" | "sections">,
  course: Course,
  revision: number,
  rules: CourseRules,
): Promise<SettingsOutcome> {
  await refuseForeignSections(app, course, rules.door.sectionIds);
  const { settings, door, spaceAccess, newSpace = course.newSpace } = rules;
  const locked = course.locked ?? [];
  const desired = { settings, door, newSpace, policy: course.policy };
  if (!keepsToLocks(course, desired, locked)) throw setByInstitution();
  const own = locked.length === 0 ? null : await app.courses.findOwn(course.id);
  const toStore = own === null ? desired : belowLocks(own, desired, locked);
  const to = {
    settings: toStore.settings,
    door: toStore.door,
    newSpace: toStore.newSpace,
    ...(spaceAccess === undefined ? {} : { spaceAccess }),
  };
  const { changeSettings } = app.courses;
  // If a Space is being made, it follows these settings. A Space that already exists doesn't change.
  const withoutSpace = { spaceId: null };
  if (course.spaceId === null && (await changeSettings(course.id, revision, to, withoutSpace)))
    return "saved";
  return (await changeSettings(course.id, revision, to)) ? "for-next-space" : "conflict";
}

/** Like {@link changeCourseSettings}, for a link. Locked settings have no effect in links, so they aren't checked. */
export async function changeLinkSettings(
  app: Pick<App, "courseLinks" | "courses" | "sections">,
  course: Course,
  link: CourseLink,
  revision: number,
  rules: LinkRules,
): Promise<boolean> {
  await refuseForeignSections(app, course, rules.door.sectionIds ?? []);
  return app.courseLinks.changeSettings(link.id, revision, rules);
}

/** What was said about a course's Space isn't a setting, so it survives a reset. */
export function firstRulesOfCourse(
  { spaceAccess }: Course,
  defaults: InstitutionDefaults,
): Required<CourseRules> {
  const { settings, door, newSpace } = beginningOf(firstValues, defaults);
  return { settings, door, newSpace, spaceAccess };
}

/** Like {@link firstRulesOfCourse}: everything as in the course. */
export function firstRulesOfLink({ spaceAccess }: CourseLink): LinkRules {
  return { settings: {}, door: {}, spaceAccess };
}

export function setByInstitution(): NamedError {
  return refusal("set-by-institution", { status: 422 });
}

/**
 * Saves one option of a course, with a line in the change log. @param words The value as instructors read it, for the change log.
 * @returns false if it already has this value. @throws NamedError "set-by-institution"
 */
export async function saveOption<Name extends SingleOption>(
  app: CourseAuditApp & Pick<App, "courses">,
  course: Course,
  personId: string,
  [name, value]: readonly [Name, Course[Name]],
  words: (value: Course[Name]) => string,
): Promise<boolean> {
  if (isLocked(course, name)) throw setByInstitution();
  if (isDeepStrictEqual(course[name], value)) return false;
  if (!(await app.courses.setOption(course.id, name, value))) return false;
  const change = { before: words(course[name]), after: words(value) };
  await writeCourseAudit(app, course, personId, { what: "settings-changed", ...change });
  return true;
}

/** Section ids are valid within one course only. */
async function refuseForeignSections(
  app: Pick<App, "courseLinks" | "courses" | "sections">,
  course: Course,
  sectionIds: readonly string[],
): Promise<void> {
  if (sectionIds.length === 0) return;
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const known = new Set(sections.map(({ lmsSectionId }) => lmsSectionId));
  if (sectionIds.every((id) => known.has(id))) return;
  throw refusal("section-unknown", { status: 422 });
}

/**
 * Changes the course's time zone and computes grades again, because excused days, the last day for grades and the names
 * of columns depend on it. @param course As the instructor saw it. @param personId The instructor's. @param timeZone A
 * name of the IANA database.
 */
export async function changeTimeZone(
  app: CourseAuditApp & Pick<App, "courses" | "whileSessionsChange">,
  course: Pick<Course, "id" | "registrationId" | "timeZone">,
  personId: string,
  timeZone: string,
): Promise<void> {
  const before = course.timeZone;
  const change = () => app.courses.setTimeZone(course.id, timeZone);
  if (before === timeZone || !(await app.whileSessionsChange(course, change))) return;
  await writeCourseAudit(app, course, personId, { what: "time-zone-changed", before, after: timeZone });
}

/**
 * Notes that a link came with a copy of another course, because its choice is that course's. This is the weakest evidence, for LMSs without
 * history and notices. The choice itself doesn't count here.
 */
export async function noteCopiedLink(
  app: Pick<App, "courseCopies" | "ids" | "linkChoices">,
  course: Course,
  launch: Launch,
): Promise<void> {
  const choiceId = launch.custom[customParameter.choice];
  if (choiceId === undefined) return;
  const choice = await app.linkChoices.find(course.registrationId, choiceId);
  if (choice === null || choice.courseId === course.id) return;
  const { registrationId, deploymentId, contextId } = course;
  await app.courseCopies.noteMadeIn(
    { registrationId, deploymentId, contextId },
    choice.courseId,
    app.ids.id("cpy"),
  );
}

/** The courses of an account that may use a Space and have a link to it, each once. */
export async function coursesOpening(
  app: Pick<App, "courseLinks" | "courses">,
  environment: Course["environment"],
  spaceId: string,
): Promise<Course[]> {
  const links = await app.courseLinks.listOpening(spaceId);
  const listed = await app.courses.listMany([...new Set(links.map(({ courseId }) => courseId))]);
  return listed.map(({ course }) => course).filter((course) => course.environment === environment);
}

/** Every course that has or had a Space, or links or linked to it, each once. */
export async function coursesOfSpace(
  app: Pick<App, "courses" | "courseLinks">,
  environment: Course["environment"],
  spaceId: string,
): Promise<Course[]> {
  const [owners, before, opening] = await Promise.all([
    app.courses.findBySpace(environment, spaceId),
    app.courses.coursesBefore(environment, spaceId),
    coursesOpening(app, environment, spaceId),
  ]);
  const others = await app.courses.listMany(before);
  const all = [...owners, ...opening, ...others.map(({ course }) => course)];
  return [...byId(all).values()];
}
