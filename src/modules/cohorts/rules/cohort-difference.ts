import type { Member } from "../../../domain/course.ts";
import type { Cohort, CohortPerson, PeopleCut } from "./cohort.ts";

/** A member of a section. */
export type SectionPerson = Pick<Member, "personId" | "role"> & {
  /** Whether the classroom knows them: without a user there nobody can be compared. */
  hasUser: boolean;
};

/** Somebody in a cohort who is not in the section. */
export type OnlyInCohort = {
  /** With an id: others are not compared. */
  userId: string;
  name: string | null;
  as: "attendee" | "organizer";
  /** Who that is here, in the course or not; empty when nobody here has this user. */
  personIds: readonly string[];
};

/** How a section and its cohort differ. */
export type CohortDifference =
  /** The cohort's people are not known: it could never be read, or the classroom did not say who is in it. */
  | { kind: "unknown"; why: "not-read" | "not-told" }
  | {
      kind: "compared";
      /** How many people are in both. */
      both: number;
      /** In the section, and not in the cohort. */
      onlySection: readonly string[];
      onlyCohort: readonly OnlyInCohort[];
      /** Of the section, and not yet known to the classroom. */
      withoutUser: readonly string[];
      /** Of the cohort, and listed by the classroom without an id. */
      withoutId: readonly CohortPerson[];
      /** Where the classroom told only some of its people: then nobody of the section is known not to be among the others. */
      cut: PeopleCut | null;
      /** Whether the classroom also told who organizes the cohort. */
      organizersTold: boolean;
    };

/**
 * Compares a section with a cohort, by the classroom's user ids and never by name. Organizers who teach the course are
 * where they belong, whatever section they are in.
 * @param personsOf Who has which user of the classroom, among the people of the course's deployment.
 * @param instructors Who teaches the course.
 */
export function compareWithCohort(
  section: readonly SectionPerson[],
  cohort: Pick<Cohort, "organizers" | "attendees" | "readAt" | "cut">,
  personsOf: ReadonlyMap<string, readonly string[]>,
  instructors: ReadonlySet<string>,
): CohortDifference {
  if (cohort.readAt === null) return { kind: "unknown", why: "not-read" };
  if (cohort.attendees === null) return { kind: "unknown", why: "not-told" };
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
    organizersTold: cohort.organizers !== null,
  };
}

function withIds<As extends OnlyInCohort["as"]>(people: readonly CohortPerson[], as: As) {
  const seen = new Map<string, { userId: string; name: string | null; as: As }>();
  for (const { userId, name } of people)
    if (userId !== null && !seen.has(userId)) seen.set(userId, { userId, name, as });
  return [...seen.values()];
}
