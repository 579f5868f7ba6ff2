import type { AccountId } from "../../../domain/account.ts";
import type { Member } from "../../../domain/course.ts";
import {
  anyOf,
  erasedId,
  inEnvironment,
  type PersonRule,
  signedBy,
  withCourse,
} from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";

export type CohortPerson = {
  /** The classroom's id. Null if the reply has none, so they can't be compared. */
  userId: string | null;
  name: string | null;
};

/** What a reading of a cohort found. Null means "not in the reply". */
export type CohortDetails = {
  name: string | null;
  organizers: readonly CohortPerson[] | null;
  attendees: readonly CohortPerson[] | null;
  /** The reply listed only some people. Null or left out: all, as far as it says. */
  cut?: PeopleCut | null;
};

/** How many people were listed, and how many there are. Null if the reply only says that there are more. */
export type PeopleCut = { read: number; total: number | null };

/** A cohort's people after a partial reading: people known before may be among the rest, so nobody counts as removed. */
export function withKnownPeople(
  known: readonly CohortPerson[] | null,
  reported: readonly CohortPerson[],
): readonly CohortPerson[] {
  const ids = new Set(reported.map(({ userId }) => userId));
  return [...reported, ...(known ?? []).filter(({ userId }) => userId !== null && !ids.has(userId))];
}

const listedIn = (list: "organizers" | "attendees"): PersonRule => ({
  over: "once",
  find: (who) => inEnvironment(who, `${list}.userId`),
  change: ({ soleUserIds }) => ({ update: { $pull: { [list]: { userId: anyOf(soleUserIds) } } } }),
});

/**
 * One record per account, program and cohort, as last read. It belongs to the account, so every registration with that account sees it. It
 * stays after deletion, when it can't be read any more (interface 6.7).
 */
export const cohortRecord = describeRecord("Cohort", {
  fields: {
    environment: field.textOf<AccountId>(),
    programId: field.text,
    cohortId: field.text,
    name: field.text.orNull,
    organizers: field.json<readonly CohortPerson[]>().orNull,
    attendees: field.json<readonly CohortPerson[]>().orNull,
    /** As in `CohortDetails`. */
    cut: field.json<PeopleCut>().orNull.optional,
    /** When the details were read (ms). */
    readAt: field.number.orNull,
    /** When it was last searched for, whether found or not (ms). */
    lookedAt: field.numberOf<number | null>().or(0),
    /** The latest moment at which it's known to have existed, by the classroom's clock (ms). */
    aliveAt: field.numberOf<number | null>().or(0),
    /** As the classroom says (ms). Null if it never said so. */
    deletedAt: field.numberOf<number | null>().or(0),
    /** When it was first missing (ms). Null if the latest search found it. */
    goneAt: field.number.orNull,
    /** The last change, as webhooks say (ms), and the classroom user who made it. */
    changedAt: field.numberOf<number | null>().optional,
    changedBy: field.textOf<string | null>().optional,
  },
  hidden: { listName: field.text.or("") },
  indexes: [
    index("environment", "listName", "_id"),
    index("environment", "organizers.userId"),
    index("environment", "attendees.userId"),
    index("environment", "changedBy"),
  ],
  personalData: {
    key: "cohorts",
    holds:
      "names and user ids of people in the classroom's cohorts, and the user id of each cohort's latest author",
    stored: "with the installation, since it belongs to the classroom account",
    person: [
      listedIn("organizers"),
      listedIn("attendees"),
      {
        over: "once",
        find: (who) => inEnvironment(who, "changedBy"),
        change: () => ({ update: { $set: { changedBy: erasedId } } }),
      },
    ],
  },
});
export type Cohort = ItemOf<typeof cohortRecord>;

export type ListedCohort = Omit<Cohort, "organizers" | "attendees">;

/** The largest difference of two clocks, and the age of a cached answer (ms). */
const toleranceMs = 5 * 60_000;

/**
 * When a cohort is known to have existed after a reading. @param readAt The reading's start, by our clock (ms). @param changedAt When the
 * change that caused it happened, or null.
 */
export function knownAlive(readAt: number, changedAt: number | null): number {
  return Math.max(readAt - toleranceMs, changedAt ?? 0);
}

/**
 * When a cohort was deleted, as the classroom said (ms), otherwise since when it has been missing. Null while it exists. A deletion counts
 * until the cohort is known to have existed later, so webhooks may come in any order.
 */
export function deletedSince(cohort: Pick<Cohort, "aliveAt" | "deletedAt" | "goneAt">): number | null {
  const { aliveAt, deletedAt, goneAt } = cohort;
  if (deletedAt !== null && (aliveAt === null || deletedAt >= aliveAt)) return deletedAt;
  return goneAt;
}

export function cohortName({ name, cohortId }: Pick<Cohort, "name" | "cohortId">): string {
  return name ?? cohortId;
}

export type CohortKey = Pick<Cohort, "environment" | "programId" | "cohortId">;

export function cohortRecordId({ environment, programId, cohortId }: CohortKey): string {
  return JSON.stringify([environment, programId, cohortId]);
}

/** An instructor's link of a course's section with a cohort, one at a time per section. Ended links stay. */
export const sectionLinkRecord = describeRecord("SectionLink", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    /** The LMS's id of the section (Canvas) or group (Moodle). */
    lmsSectionId: field.text,
    environment: field.textOf<AccountId>(),
    programId: field.text,
    cohortId: field.text,
    sectionName: field.text.orNull,
    cohortName: field.text.orNull,
    state: field.textOf<"linked" | "unlinked">(),
    /** Person id, and when (ms). */
    by: field.text,
    at: field.number,
    /** Person id, and when (ms). Null while it lasts. */
    endedBy: field.text.orNull,
    endedAt: field.number.orNull,
  },
  indexes: [
    index.onlyWhere(
      { state: "linked" },
      index.unique("registrationId", "courseId", "lmsSectionId"),
      "one_cohort",
    ),
    index("registrationId", "courseId", "-at"),
    index("environment", "cohortId"),
  ],
  personalData: {
    key: "sectionLinks",
    holds: "links between sections and cohorts, with their authors",
    stored: withCourse,
    person: [signedBy("by"), signedBy("endedBy")],
    names: [
      { path: "by", among: "courses" },
      { path: "endedBy", among: "courses" },
    ],
  },
});
export type SectionLink = ItemOf<typeof sectionLinkRecord>;

export type SectionPerson = Pick<Member, "personId" | "role"> & {
  /** A person without a classroom user can't be compared. */
  hasUser: boolean;
};

export type OnlyInCohort = {
  /** People without an id aren't compared. */
  userId: string;
  name: string | null;
  as: "attendee" | "organizer";
  /** People here who have this user, in the course or not. */
  personIds: readonly string[];
};

export type CohortDifference =
  /** Never read, or the reply didn't list the people. */
  | { kind: "unknown"; why: "not-read" | "not-listed" }
  | {
      kind: "compared";
      both: number;
      onlySection: readonly string[];
      onlyCohort: readonly OnlyInCohort[];
      /** Members of the section without a classroom user. */
      withoutUser: readonly string[];
      withoutId: readonly CohortPerson[];
      /** If the classroom listed only some people, nobody of the section counts as missing from the cohort. */
      cut: PeopleCut | null;
      organizersKnown: boolean;
    };

/**
 * Compares by the classroom's user ids, never by name. Organizers who teach the course never count as a difference.
 * @param personsOf Classroom users of the people of the course's deployment. @param instructors Who teaches the course.
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

export const cohortsRecords = [sectionLinkRecord, cohortRecord];
