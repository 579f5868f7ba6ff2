import type { App } from "../../app.ts";
import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import { personName } from "../../domain/person.ts";
import { byId, byKey, inSlices } from "../../kernel/lists.ts";
import { bindingsOf } from "../accounts/known-accounts.ts";
import { personsOfUsers } from "../members/people.ts";
import { memberSlices } from "../members/sections.ts";
import {
  type Cohort,
  type CohortDifference,
  cohortRecordId,
  compareWithCohort,
  type OnlyInCohort,
  type PeopleCut,
  type SectionLink,
  type SectionPerson,
} from "./rules/cohort.ts";

/** What comparing sections with their cohorts needs. */
type CompareApp = Pick<App, "cohorts" | "members" | "people" | "userMatches">;

/** People, or users, per read. */
const batchSize = 200;

export type ComparedLink = Awaited<ReturnType<typeof compareSections>>[number];

/** How each linked section differs from its cohort, in one pass over the course's members. */
export async function compareSections(
  app: CompareApp,
  course: Pick<Course, "id" | "registrationId" | "deploymentId" | "environment">,
  links: readonly SectionLink[],
) {
  if (links.length === 0) return [];
  const cohorts = byId(await app.cohorts.findMany([...new Set(links.map(cohortRecordId))]));
  const { bySection, instructors } = await readMembers(app, course, links);
  const userIds = [...cohorts.values()].flatMap(({ organizers, attendees }) =>
    [...(organizers ?? []), ...(attendees ?? [])].flatMap(({ userId }) => userId ?? []),
  );
  const persons = await personsOfUsers(app, course, [...new Set(userIds)]);
  return links.map((link) => {
    /** Null if it was never known. */
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
  app: CompareApp,
  course: Pick<Course, "id" | "registrationId">,
  links: readonly SectionLink[],
): Promise<{ bySection: Map<string, SectionPerson[]>; instructors: Set<string> }> {
  const bySection = new Map<string, SectionPerson[]>(links.map(({ lmsSectionId }) => [lmsSectionId, []]));
  const instructors = new Set<string>();
  for await (const read of memberSlices(app, keyOfCourse(course))) {
    const present = read.filter(({ active, testUser }) => active && !testUser);
    for (const { personId, role } of present) if (role === "instructor") instructors.add(personId);
    const linked = present.filter(({ sectionIds }) => sectionIds.some((id) => bySection.has(id)));
    const strangers = new Set(await app.people.withoutApiUser(linked.map(({ personId }) => personId)));
    for (const { personId, role, sectionIds } of linked) {
      const person = { personId, role, hasUser: !strangers.has(personId) };
      for (const id of new Set(sectionIds)) bySection.get(id)?.push(person);
    }
  }
  return { bySection, instructors };
}

export type CohortStranger = Pick<OnlyInCohort, "userId" | "as"> & {
  /** The name here, otherwise from the classroom. Null: only the id. */
  name: string | null;
  /** "in-course": in another section or none. "left": a former member. "elsewhere": not in this course. */
  where: "in-course" | "left" | "elsewhere";
  sectionIds: readonly string[];
};

export type SectionDifference = {
  link: SectionLink;
  cohort: Cohort | null;
  /** Null if the cohort's people aren't known, for the reason in `why`. */
  compared: {
    both: number;
    onlySection: readonly string[];
    onlyCohort: readonly CohortStranger[];
    withoutUser: readonly string[];
    /** People listed without an id. Null if the name is missing, too. */
    withoutId: readonly (string | null)[];
    organizersKnown: boolean;
    cut: PeopleCut | null;
  } | null;
  why: "not-read" | "not-listed" | null;
  showsNames: boolean;
};

export async function showDifference(
  app: CompareApp & Pick<App, "registrations" | "deployments" | "courses" | "sectionLinks">,
  course: Course,
  lmsSectionId: string,
): Promise<SectionDifference | null> {
  const { registrationId, id: courseId } = course;
  const link = await app.sectionLinks.findLinked({ registrationId, courseId, lmsSectionId });
  if (link === null) return null;
  const [compared] = await compareSections(app, course, [link]);
  if (compared === undefined) return null;
  const { cohort, difference } = compared;
  if (difference.kind === "unknown")
    return { link, cohort, compared: null, why: difference.why, showsNames: true };
  const showsNames = await mayShowNames(app, course, difference);
  return { link, cohort, compared: await named(app, course, difference, showsNames), why: null, showsNames };
}

/**
 * Whether to name unknown people. If LMSs share the account and nobody of this LMS is in the cohort, its people belong to another LMS, so they
 * are shown only by id.
 */
async function mayShowNames(
  app: Pick<App, "registrations" | "deployments" | "courses">,
  { environment, registrationId }: Course,
  { both, onlyCohort }: Extract<CohortDifference, { kind: "compared" }>,
): Promise<boolean> {
  if (both > 0 || onlyCohort.some(({ personIds }) => personIds.length > 0)) return true;
  const active = (await app.registrations.list()).filter((one) => one.active);
  const others = (await bindingsOf(app, active)).filter((one) => one.registrationId !== registrationId);
  if (others.some(({ account }) => account === environment)) return false;
  return !(await app.courses.isUsedElsewhere(environment, registrationId));
}

async function named(
  app: CompareApp,
  course: Course,
  difference: Extract<CohortDifference, { kind: "compared" }>,
  showsNames: boolean,
): Promise<NonNullable<SectionDifference["compared"]>> {
  const { both, onlySection, onlyCohort, withoutUser, withoutId, organizersKnown, cut } = difference;
  const { registrationId, id: courseId } = course;
  const strangers = onlyCohort.flatMap(({ personIds }) => personIds);
  const people = byId(
    await inSlices([...onlySection, ...withoutUser, ...strangers], batchSize, app.people.findMany),
  );
  const members = byKey(
    await inSlices(strangers, batchSize, (ids) => app.members.findMany({ registrationId, courseId }, ids)),
    ({ personId }) => personId,
  );
  const nameOf = (personId: string) => nameIn(people, personId) ?? personId;
  const byName = (one: string, other: string) => one.localeCompare(other);
  return {
    both,
    onlySection: onlySection.map(nameOf).sort(byName),
    withoutUser: withoutUser.map(nameOf).sort(byName),
    withoutId: withoutId.map(({ name }) => (showsNames ? name : null)),
    organizersKnown,
    cut,
    onlyCohort: onlyCohort
      .map(({ userId, name, as, personIds }): CohortStranger => {
        const member = personIds.flatMap((id) => members.get(id) ?? [])[0];
        const [known = null] = member === undefined ? [] : [nameIn(people, member.personId)];
        const whereInCourse = member?.active === true ? "in-course" : "left";
        const where = member === undefined ? "elsewhere" : whereInCourse;
        const listedName = showsNames ? name : null;
        return { userId, as, name: known ?? listedName, where, sectionIds: member?.sectionIds ?? [] };
      })
      .sort((one, other) => byName(one.name ?? one.userId, other.name ?? other.userId)),
  };
}

function nameIn(people: ReadonlyMap<string, Person>, personId: string): string | null {
  const person = people.get(personId);
  return person === undefined ? null : personName(person);
}
