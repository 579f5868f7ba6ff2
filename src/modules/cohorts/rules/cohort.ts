import {
  describeRecord,
  index,
  type ItemOf,
  json,
  number,
  numberOf,
  text,
  textOf,
} from "../../../domain/record.ts";
import { erasedId, inEnvironment, anyOf, type PersonRule } from "../../../domain/held-record.ts";
import type { AccountId } from "../../../domain/account.ts";

export type CohortPerson = {
  /** The classroom's; null when the reply has none, so they cannot be compared. */
  userId: string | null;
  name: string | null;
};

/** What a reading of a cohort found; null is "not in the reply". */
export type CohortDetails = {
  name: string | null;
  organizers: readonly CohortPerson[] | null;
  attendees: readonly CohortPerson[] | null;
  /** The reply listed only some people; null or left out: all, as far as it says. */
  cut?: PeopleCut | null;
};

/** People listed and people in all; null where the reply says only that there are more. */
export type PeopleCut = { read: number; total: number | null };

/** A cohort's people after a partial reading: those known before may be among the rest, so nobody counts as removed. */
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
 * One record for each (environment, program, cohort), as last read. It belongs to the environment's account, so every
 * registration there sees it. It stays after deletion, when it cannot be read any more (interface 6.7).
 */
export const cohortRecord = describeRecord("Cohort", {
  fields: {
    environment: textOf<AccountId>(),
    programId: text,
    cohortId: text,
    name: text.orNull,
    organizers: json<readonly CohortPerson[]>().orNull,
    attendees: json<readonly CohortPerson[]>().orNull,
    /** As in `CohortDetails`. */
    cut: json<PeopleCut>().orNull.optional,
    /** When the details were read (ms). */
    readAt: number.orNull,
    /** When it was last looked for, found or not (ms). */
    lookedAt: numberOf<number | null>().or(0),
    /** The latest moment at which it is known to have existed, by the classroom's clock (ms). */
    aliveAt: numberOf<number | null>().or(0),
    /** As the classroom says (ms); null when it never said so. */
    deletedAt: numberOf<number | null>().or(0),
    /** When it was first missing (ms); null when the latest look found it. */
    goneAt: number.orNull,
    /** The last change, as webhooks say (ms), and the classroom user who made it. */
    changedAt: numberOf<number | null>().optional,
    changedBy: textOf<string | null>().optional,
  },
  hidden: {
    listName: text.or(""),
  },
  indexes: [index("environment", "listName", "_id")],
  held: {
    key: "cohorts",
    holds:
      "names and user ids of organizers and attendees of the classroom's cohorts; the user id of who changed one last",
    kept: "as long as the tool; it belongs to the classroom's account",
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
 * After a reading. @param readAt Its start, by our clock (ms). @param changedAt When the change that caused it took
 * place; null without one.
 */
export function knownAlive(readAt: number, changedAt: number | null): number {
  return Math.max(readAt - toleranceMs, changedAt ?? 0);
}

/**
 * As the classroom said (ms), else since it was first missing; null while it exists. A deletion holds until the cohort
 * is known to have existed later, so webhooks may come in any order.
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
