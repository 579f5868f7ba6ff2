import type { CourseLink } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { openDoor } from "../../domain/door.ts";
import { defaultJoinSettings } from "../../domain/join-url.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseLinkStore } from "../../storage/course-link-store.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { SectionStore } from "../../storage/section-store.ts";

export type ChangeSettingsDeps = {
  courses: Pick<CourseStore, "changeSettings">;
  courseLinks: Pick<CourseLinkStore, "changeSettings">;
  sections: Pick<SectionStore, "listOf">;
};

/** What an instructor sets for a course: how people enter, when and who, and what they say about the Space. */
export type CourseRules = Pick<Course, "settings" | "door" | "spaceAccess">;

/** What an instructor sets for one link: only what is different from its course. */
export type LinkRules = Pick<CourseLink, "settings" | "door" | "spaceAccess">;

/**
 * Changes a course's settings, from the next entry on.
 * @param revision The one that the instructor saw.
 * @returns false, and nothing is changed, when somebody else has changed them since.
 * @throws NamedError "section-unknown"
 */
export async function changeCourseSettings(
  deps: ChangeSettingsDeps,
  course: Course,
  revision: number,
  rules: CourseRules,
): Promise<boolean> {
  await refuseForeignSections(deps, course, rules.door.sectionIds);
  return deps.courses.changeSettings(course.id, revision, rules);
}

/** As {@link changeCourseSettings}, for one link of the course. */
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

/** What a course has when everything is as in the beginning; what was said about its Space is no setting and stays. */
export function firstRulesOfCourse({ spaceAccess }: Course): CourseRules {
  return { settings: defaultJoinSettings, door: openDoor, spaceAccess };
}

/** As {@link firstRulesOfCourse}: everything as in the course. */
export function firstRulesOfLink({ spaceAccess }: CourseLink): LinkRules {
  return { settings: {}, door: {}, spaceAccess };
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
  throw new NamedError(
    "section-unknown",
    "One of the sections is none of this course. Open the settings again and choose from the list.",
    { status: 422 },
  );
}
