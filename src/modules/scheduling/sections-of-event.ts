import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { SectionLink } from "../cohorts/rules/section-link.ts";

export type CohortLinksDeps = Pick<App, "sectionLinks">;

export async function linksOfEvent(
  deps: CohortLinksDeps,
  { environment, cohortIds }: Pick<ClassroomEvent, "environment" | "cohortIds">,
): Promise<SectionLink[]> {
  return cohortIds == null ? [] : deps.sectionLinks.listOfCohorts(environment, cohortIds);
}

/** The course's sections among these links, sorted; none: the event is for the whole course. */
export function sectionsOfCourse(links: readonly SectionLink[], courseId: string | null): string[] {
  const own = links.filter((link) => link.courseId === courseId);
  return [...new Set(own.map(({ lmsSectionId }) => lmsSectionId))].sort();
}

export type PlaceEventsDeps = CohortLinksDeps & Pick<App, "events" | "whileSessionsChange">;

/** The latest ones are read. */
const maxSessions = 2_000;

/** After a link with a cohort was made or ended: the cohort's sessions become the section's, or the course's. */
export async function placeEventsAnew(
  deps: PlaceEventsDeps,
  course: Pick<Course, "id" | "registrationId">,
  cohortId: string,
): Promise<void> {
  const events = await deps.events.listOfCourse(course.id, maxSessions);
  const concerned = events.filter(({ cohortIds }) => cohortIds?.includes(cohortId));
  if (concerned.length === 0) return;
  await deps.whileSessionsChange(course, async () => {
    for (const event of concerned) {
      const sectionIds = sectionsOfCourse(await linksOfEvent(deps, event), course.id);
      await deps.events.setSections(event.environment, event.eventId, sectionIds);
    }
  });
}
