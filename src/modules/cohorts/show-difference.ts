import type { App } from "../../app.ts";
import type { Cohort, PeopleCut } from "./rules/cohort.ts";
import type { CohortDifference, OnlyInCohort } from "./rules/cohort-difference.ts";
import type { Course, Person } from "../../domain/course.ts";
import { personName } from "../../domain/person-name.ts";
import type { SectionLink } from "./rules/section-link.ts";
import { compareSections, type CompareSectionsDeps } from "./compare-sections.ts";

export type ShowDifferenceDeps = Omit<CompareSectionsDeps, "people" | "members"> &
  Pick<App, "members" | "people" | "registrations" | "sectionLinks">;

export type CohortStranger = Pick<OnlyInCohort, "userId" | "as"> & {
  /** Here, else from the classroom; null: id only. */
  name: string | null;
  /** "in-course": in another section or none; "left": a former member; "elsewhere": not of this course. */
  where: "in-course" | "left" | "elsewhere";
  sectionIds: readonly string[];
};

export type DifferencePage = {
  link: SectionLink;
  cohort: Cohort | null;
  /** Null when the cohort's people are not known; `why` says so. */
  compared: {
    both: number;
    onlySection: readonly string[];
    onlyCohort: readonly CohortStranger[];
    withoutUser: readonly string[];
    /** People listed without an id; null where the name is missing, too. */
    withoutId: readonly (string | null)[];
    organizersKnown: boolean;
    cut: PeopleCut | null;
  } | null;
  why: "not-read" | "not-listed" | null;
  showsNames: boolean;
};

const batchSize = 200;

export async function showDifference(
  deps: ShowDifferenceDeps,
  course: Course,
  lmsSectionId: string,
): Promise<DifferencePage | null> {
  const { registrationId, id: courseId } = course;
  const link = await deps.sectionLinks.findLinked({ registrationId, courseId, lmsSectionId });
  if (link === null) return null;
  const [compared] = await compareSections(deps, course, [link]);
  if (compared === undefined) return null;
  const { cohort, difference } = compared;
  if (difference.kind === "unknown")
    return { link, cohort, compared: null, why: difference.why, showsNames: true };
  const showsNames = await mayShowNames(deps, course, difference);
  return { link, cohort, compared: await named(deps, course, difference, showsNames), why: null, showsNames };
}

/**
 * Where LMSs share the environment and nobody of this one is in the cohort, its people belong to another LMS: unknown
 * ones are shown by id only.
 */
async function mayShowNames(
  deps: Pick<ShowDifferenceDeps, "registrations">,
  { environment }: Course,
  { both, onlyCohort }: Extract<CohortDifference, { kind: "compared" }>,
): Promise<boolean> {
  if (both > 0 || onlyCohort.some(({ personIds }) => personIds.length > 0)) return true;
  const sharing = (await deps.registrations.list()).filter(
    (one) => one.active && one.environment === environment,
  );
  return sharing.length <= 1;
}

async function named(
  deps: ShowDifferenceDeps,
  course: Course,
  difference: Extract<CohortDifference, { kind: "compared" }>,
  showsNames: boolean,
): Promise<NonNullable<DifferencePage["compared"]>> {
  const { both, onlySection, onlyCohort, withoutUser, withoutId, organizersKnown, cut } = difference;
  const ids = [...onlySection, ...withoutUser, ...onlyCohort.flatMap(({ personIds }) => personIds)];
  const people = await peopleById(deps, ids);
  const members = await membersById(
    deps,
    course,
    onlyCohort.flatMap(({ personIds }) => personIds),
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
        const where = member === undefined ? "elsewhere" : member.active ? "in-course" : "left";
        const shownName = showsNames ? name : null;
        return { userId, as, name: known ?? shownName, where, sectionIds: member?.sectionIds ?? [] };
      })
      .sort((one, other) => byName(one.name ?? one.userId, other.name ?? other.userId)),
  };
}

async function peopleById(
  deps: Pick<ShowDifferenceDeps, "people">,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const found = new Map<string, Person>();
  for (let from = 0; from < ids.length; from += batchSize)
    for (const person of await deps.people.findMany(ids.slice(from, from + batchSize)))
      found.set(person.id, person);
  return found;
}

async function membersById(
  deps: Pick<ShowDifferenceDeps, "members">,
  { registrationId, id: courseId }: Course,
  ids: readonly string[],
) {
  const found = new Map<string, { personId: string; active: boolean; sectionIds: readonly string[] }>();
  for (let from = 0; from < ids.length; from += batchSize)
    for (const member of await deps.members.findMany(
      { registrationId, courseId },
      ids.slice(from, from + batchSize),
    ))
      found.set(member.personId, member);
  return found;
}

function nameIn(people: ReadonlyMap<string, Person>, personId: string): string | null {
  const person = people.get(personId);
  return person === undefined ? null : personName(person);
}
