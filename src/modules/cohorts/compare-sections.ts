import type { App } from "../../app.ts";
import { type Cohort, cohortRecordId } from "./rules/cohort.ts";
import { type CohortDifference, compareWithCohort, type SectionPerson } from "./rules/cohort-difference.ts";
import type { Course } from "../../domain/course.ts";
import type { SectionLink } from "./rules/section-link.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { personsOfUsers, type PersonsOfUsersDeps } from "./persons-of-users.ts";

export type CompareSectionsDeps = PersonsOfUsersDeps & Pick<App, "cohorts" | "members" | "people">;

export type ComparedLink = {
  link: SectionLink;
  /** Null when it was never known. */
  cohort: Cohort | null;
  difference: CohortDifference;
};

/** Members per read. */
const batchSize = 500;

/** How each linked section differs from its cohort, in one pass over the course's members. */
export async function compareSections(
  deps: CompareSectionsDeps,
  course: Pick<Course, "id" | "registrationId" | "deploymentId" | "environment">,
  links: readonly SectionLink[],
): Promise<ComparedLink[]> {
  if (links.length === 0) return [];
  const cohorts = new Map(
    (await deps.cohorts.findMany([...new Set(links.map(cohortRecordId))])).map((one) => [one.id, one]),
  );
  const { bySection, instructors } = await readMembers(deps, course, links);
  const userIds = [...cohorts.values()].flatMap(({ organizers, attendees }) =>
    [...(organizers ?? []), ...(attendees ?? [])].flatMap(({ userId }) => userId ?? []),
  );
  const persons = await personsOfUsers(deps, course, [...new Set(userIds)]);
  return links.map((link) => {
    const cohort = cohorts.get(cohortRecordId(link)) ?? null;
    const section = bySection.get(link.lmsSectionId) ?? [];
    const difference: CohortDifference =
      cohort === null
        ? { kind: "unknown", why: "not-read" }
        : compareWithCohort(section, cohort, persons, instructors);
    return { link, cohort, difference };
  });
}

async function readMembers(
  deps: CompareSectionsDeps,
  course: Pick<Course, "id" | "registrationId">,
  links: readonly SectionLink[],
): Promise<{ bySection: Map<string, SectionPerson[]>; instructors: Set<string> }> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const bySection = new Map<string, SectionPerson[]>(links.map(({ lmsSectionId }) => [lmsSectionId, []]));
  const instructors = new Set<string>();
  let last = "";
  for (;;) {
    const read = await deps.members.listAfter(key, last, batchSize);
    const there = read.filter(({ active, testUser }) => active && !testUser);
    for (const { personId, role } of there) if (role === "instructor") instructors.add(personId);
    const linked = there.filter(({ sectionIds }) => sectionIds.some((id) => bySection.has(id)));
    const strangers = new Set(await deps.people.withoutApiUser(linked.map(({ personId }) => personId)));
    for (const { personId, role, sectionIds } of linked) {
      const person = { personId, role, hasUser: !strangers.has(personId) };
      for (const id of new Set(sectionIds)) bySection.get(id)?.push(person);
    }
    if (read.length < batchSize) return { bySection, instructors };
    last = read.at(-1)?.personId ?? last;
    await letOthersRun();
  }
}
