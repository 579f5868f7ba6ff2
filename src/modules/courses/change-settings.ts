import type { App } from "../../app.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { alwaysOpen } from "../../domain/entry-window.ts";
import { defaultGradePolicy } from "../../domain/grade-policy.ts";
import {
  beginningOf,
  belowLocks,
  type CourseValues,
  type InstitutionDefaults,
  keepsToLocks,
} from "../../domain/institution-defaults.ts";
import { defaultJoinSettings } from "../../domain/join-url.ts";
import { type NewSpace, openSpace } from "../../domain/space-access.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";

export type ChangeSettingsDeps = Pick<App, "courses" | "courseLinks" | "sections">;

/**
 * What an instructor sets for a course: how people enter, when and who, how its Space is made, and what they say about
 * the Space.
 */
export type CourseRules = Pick<Course, "settings" | "door" | "spaceAccess"> & {
  /** Left out by those who do not ask about it: it stays. */
  newSpace?: NewSpace;
};

/** What an instructor sets for one link: only what is different from its course. */
export type LinkRules = Pick<CourseLink, "settings" | "door" | "spaceAccess">;

/**
 * Changes a course's settings, from the next entry on. What was chosen in the course before stays below a lock.
 * @param course As it holds now, with what its institution locked.
 * @param revision The one that the instructor saw.
 * @returns false, and nothing is changed, when somebody else has changed them since.
 * @throws NamedError "section-unknown", "set-by-institution"
 */
export async function changeCourseSettings(
  deps: ChangeSettingsDeps,
  course: Course,
  revision: number,
  rules: CourseRules,
): Promise<boolean> {
  await refuseForeignSections(deps, course, rules.door.sectionIds);
  const { settings, door, spaceAccess, newSpace = newSpaceOf(course) } = rules;
  const locked = course.locked ?? [];
  const wanted = { settings, door, newSpace, policy: course.policy };
  if (!keepsToLocks(allValues(course), wanted, locked)) throw setByInstitution();
  const own = locked.length === 0 ? null : await deps.courses.findOwn(course.id);
  const kept = own === null ? wanted : belowLocks(own, wanted, locked);
  return deps.courses.changeSettings(course.id, revision, {
    settings: kept.settings,
    door: kept.door,
    newSpace: kept.newSpace,
    spaceAccess,
  });
}

/**
 * As {@link changeCourseSettings}, for one link of the course. What is locked has no effect in a link, so it is not
 * looked at: pages do not offer it.
 */
export async function changeLinkSettings(
  deps: ChangeSettingsDeps,
  course: Course,
  link: CourseLink,
  revision: number,
  rules: LinkRules,
): Promise<boolean> {
  await refuseForeignSections(deps, course, rules.door.sectionIds ?? []);
  return deps.courseLinks.changeSettings(link.id, revision, rules);
}

/** What a course begins with at its institution, and goes back to. */
export function firstValues(defaults: InstitutionDefaults): CourseValues {
  const plain = {
    settings: defaultJoinSettings,
    door: alwaysOpen,
    policy: defaultGradePolicy,
    newSpace: openSpace,
  };
  return beginningOf(plain, defaults);
}

/** What was said about a course's Space is no setting and stays when all else is as in the beginning. */
export function firstRulesOfCourse({ spaceAccess }: Course, defaults: InstitutionDefaults): CourseRules {
  const { settings, door, newSpace } = firstValues(defaults);
  return { settings, door, newSpace, spaceAccess };
}

/** As {@link firstRulesOfCourse}: everything as in the course. */
export function firstRulesOfLink({ spaceAccess }: CourseLink): LinkRules {
  return { settings: {}, door: {}, spaceAccess };
}

/** How a course's Space is to be made. */
export function newSpaceOf({ newSpace }: Pick<Course, "newSpace">): NewSpace {
  return newSpace ?? openSpace;
}

/** A course's values, the way its Space is made among them. */
export function allValues(course: Course): CourseValues {
  const { settings, door, policy } = course;
  return { settings, door, policy, newSpace: newSpaceOf(course) };
}

/** Somebody wants to change what the institution has locked; pages offer no way to it. */
export function setByInstitution(): NamedError {
  return refusal("set-by-institution", { status: 422 });
}

/** Section ids mean something within one course only. */
async function refuseForeignSections(
  deps: ChangeSettingsDeps,
  course: Course,
  sectionIds: readonly string[],
): Promise<void> {
  if (sectionIds.length === 0) return;
  const sections = await deps.sections.listOf(course.registrationId, course.id);
  const known = new Set(sections.map(({ lmsSectionId }) => lmsSectionId));
  if (sectionIds.every((id) => known.has(id))) return;
  throw refusal("section-unknown", { status: 422 });
}
