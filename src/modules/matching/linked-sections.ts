import type { App } from "../../app.ts";
import { cohortRecordId } from "../cohorts/rules/cohort.ts";
import type { Course } from "../../domain/course.ts";

export type LinkedSectionsDeps = Pick<App, "cohorts" | "sectionLinks">;

/** Sections, by linked cohorts, of users and events of the classroom; empty for none. */
export type LinkedSections = {
  ofUser: (userId: string) => string[];
  ofCohorts: (cohortIds: readonly string[]) => string[];
};

/** Sections by the cohorts linked to them. Being in one matches a user to nobody. */
export async function linkedSections(
  deps: LinkedSectionsDeps,
  { registrationId, id }: Pick<Course, "id" | "registrationId">,
): Promise<LinkedSections> {
  const links = await deps.sectionLinks.listLinked(registrationId, id);
  const cohorts = await deps.cohorts.findMany([...new Set(links.map(cohortRecordId))]);
  const people = new Map(
    cohorts.map(({ id: cohort, attendees, organizers }) => [
      cohort,
      new Set([...(attendees ?? []), ...(organizers ?? [])].map(({ userId }) => userId)),
    ]),
  );
  return {
    ofUser: (userId) =>
      links
        .filter((link) => people.get(cohortRecordId(link))?.has(userId) === true)
        .map(({ lmsSectionId }) => lmsSectionId),
    ofCohorts: (cohortIds) =>
      links.filter(({ cohortId }) => cohortIds.includes(cohortId)).map(({ lmsSectionId }) => lmsSectionId),
  };
}
