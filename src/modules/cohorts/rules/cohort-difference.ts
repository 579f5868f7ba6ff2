import type { Member } from "../../../domain/course.ts";
import type { Cohort, CohortPerson, PeopleCut } from "./cohort.ts";

export type SectionPerson = Pick<Member, "personId" | "role"> & {
  /** Without a classroom user nobody can be compared. */
  hasUser: boolean;
};

export type OnlyInCohort = {
  /** People without an id are not compared. */
  userId: string;
  name: string | null;
  as: "attendee" | "organizer";
  /** Who has this user here, in the course or not. */
  personIds: readonly string[];
};

export type CohortDifference =
  /** Never read, or the reply did not list the people. */
  | { kind: "unknown"; why: "not-read" | "not-listed" }
  | {
      kind: "compared";
      both: number;
      onlySection: readonly string[];
      onlyCohort: readonly OnlyInCohort[];
      /** Of the section, without a classroom user. */
      withoutUser: readonly string[];
      withoutId: readonly CohortPerson[];
      /** The classroom listed only some people: then nobody of the section counts as missing from the cohort. */
      cut: PeopleCut | null;
      organizersKnown: boolean;
    };

/**
 * By the classroom's user ids, never by name. Organizers who teach the course are never a difference. @param personsOf
 * Classroom users of the people of the course's deployment. @param instructors Who teaches the course.
 */
export function compareWithCohort(
  section: readonly SectionPerson[],
  cohort: Pick<Cohort, "organizers" | "attendees" | "readAt" | "cut">,
  personsOf: ReadonlyMap<string, readonly string[]>,
  instructors: ReadonlySet<string>,
): CohortDifference {
  if (cohort.readAt === null) return { kind: "unknown", why: "not-read" };
  if (cohort.attendees === null) return { kind: "unknown", why: "not-listed" };
  const { cut = null } = cohort;
  const attendees = withIds(cohort.attendees, "attendee");
  const ids = new Set(attendees.map(({ userId }) => userId));
  const organizers = withIds(cohort.organizers ?? [], "organizer").filter(({ userId }) => !ids.has(userId));
  const listed = [...attendees, ...organizers].map((one) => ({
    ...one,
    personIds: personsOf.get(one.userId) ?? [],
  }));
  const inCohort = new Set(listed.flatMap(({ personIds }) => personIds));
  const inSection = new Set(section.map(({ personId }) => personId));
  const missing = section.filter(({ personId }) => !inCohort.has(personId));
  return {
    kind: "compared",
    both: section.length - missing.length,
    onlySection: cut === null ? missing.filter(({ hasUser }) => hasUser).map(({ personId }) => personId) : [],
    cut,
    onlyCohort: listed.filter(
      ({ personIds, as }) =>
        !personIds.some((id) => inSection.has(id) || (as === "organizer" && instructors.has(id))),
    ),
    withoutUser: missing.filter(({ hasUser }) => !hasUser).map(({ personId }) => personId),
    withoutId: [...cohort.attendees, ...(cohort.organizers ?? [])].filter(({ userId }) => userId === null),
    organizersKnown: cohort.organizers !== null,
  };
}

function withIds<As extends OnlyInCohort["as"]>(people: readonly CohortPerson[], as: As) {
  const seen = new Map<string, { userId: string; name: string | null; as: As }>();
  for (const { userId, name } of people)
    if (userId !== null && !seen.has(userId)) seen.set(userId, { userId, name, as });
  return [...seen.values()];
}
