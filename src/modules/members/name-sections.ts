import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { showsNothing } from "../../kernel/text.ts";

/** UTF-16 units, as browsers count. */
export const maxSectionNameLength = 80;

export type NameSectionsDeps = CourseAuditDeps & Pick<App, "sections">;

export type TypedNames = ReadonlyMap<string, string>;

/**
 * All or nothing, with a line of the trail for each change; a blank name removes the instructor's. @param actor The
 * instructor's person id. @returns the ids of sections whose names are too long; empty when all were kept.
 */
export async function nameSections(
  deps: NameSectionsDeps,
  course: Pick<Course, "id" | "registrationId">,
  actor: string,
  typed: TypedNames,
): Promise<string[]> {
  const wanted = [...typed].map(([id, name]) => ({ id, name: name.replace(/\s+/g, " ").trim() }));
  const tooLong = wanted.filter(({ name }) => name.length > maxSectionNameLength).map(({ id }) => id);
  if (tooLong.length > 0) return tooLong;
  const known = await deps.sections.listOf(course.registrationId, course.id);
  for (const { lmsSectionId, lmsName, givenName } of known) {
    const name = wanted.find(({ id }) => id === lmsSectionId)?.name;
    const to = name === undefined || !showsNothing(name) ? name : null;
    if (to === undefined || to === givenName) continue;
    const key = { registrationId: course.registrationId, courseId: course.id, lmsSectionId };
    if (!(await deps.sections.giveName(key, to))) continue;
    const called = (name: string | null) => name ?? lmsName ?? lmsSectionId;
    await writeCourseAudit(deps, course, actor, {
      what: "section-named",
      before: called(givenName),
      after: called(to),
    });
  }
  return [];
}
