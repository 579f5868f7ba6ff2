import { describeRecord, index, type ItemOf } from "../../../domain/record.ts";
import { textOf, text, json, number, numberOf } from "../../../domain/record-fields.ts";
import { erasedId, inEnvironment, anyOf, type PersonRule } from "../../../domain/held-record.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** Somebody whom the classroom lists in a cohort. */
export type CohortPerson = {
  /** The classroom's user id; null when the reply gives none: then they can be compared with nobody. */
  userId: string | null;
  /** What the classroom calls them; null when it does not say. */
  name: string | null;
};

/** What a reading of a cohort told; null is "not told". */
export type CohortDetails = {
  name: string | null;
  organizers: readonly CohortPerson[] | null;
  attendees: readonly CohortPerson[] | null;
  /** Where the reply told only some of its people; null or left out: all of them, as far as it says. */
  cut?: PeopleCut | null;
};

/** How many people a reply told of a cohort, and how many there are; null where it only says that there are more. */
export type PeopleCut = { read: number; total: number | null };

/**
 * People of a cohort as they are known after a reading that told only some: whoever was known before may be among the others,
 * so nobody is taken for removed.
 */
export function withKnownPeople(
  known: readonly CohortPerson[] | null,
  told: readonly CohortPerson[],
): readonly CohortPerson[] {
  const ids = new Set(told.map(({ userId }) => userId));
  return [...told, ...(known ?? []).filter(({ userId }) => userId !== null && !ids.has(userId))];
}

const listedIn = (list: "organizers" | "attendees"): PersonRule => ({
  over: "once",
  find: (who) => inEnvironment(who, `${list}.userId`),
  change: ({ soleUserIds }) => ({ update: { $pull: { [list]: { userId: anyOf(soleUserIds) } } } }),
});

/**
 * A cohort of the classroom as we last read it, one record for each (environment, program, cohort). It belongs to the
 * environment, that is to the account whose key we use: every registration of that environment sees it. Nothing of it is
 * lost when it is deleted there, where it cannot be read any more (interface 6.7).
 */
export const cohortRecord = describeRecord("Cohort", {
  fields: {
    environment: textOf<EnvironmentName>(),
    programId: text,
    cohortId: text,
    name: text.orNull,
    organizers: json<readonly CohortPerson[]>().orNull,
    attendees: json<readonly CohortPerson[]>().orNull,
    /** Where the reply told only some of its people; null or left out: all of them, as far as it says. */
    cut: json<PeopleCut>().orNull.optional,
    /** When the details were read (ms); null when they never could be. */
    readAt: number.orNull,
    /** When it was last looked for, found or not (ms). */
    lookedAt: numberOf<number | null>().or(0),
    /** The latest moment at which it is known to have been there, by the classroom's clock (ms). */
    aliveAt: numberOf<number | null>().or(0),
    /** When the classroom says that it was deleted (ms); null when it never said so. */
    deletedAt: numberOf<number | null>().or(0),
    /** When it was first looked for in vain (ms); null when the latest look found it. */
    goneAt: number.orNull,
    /** When it was last changed, created or deleted, as webhooks tell (ms), and who did it, in the classroom's ids; left out or
     * null when none told. */
    changedAt: numberOf<number | null>().optional,
    changedBy: textOf<string | null>().optional,
  },
  hidden: {
    /** The name as lists are sorted and searched by. */
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

/** A cohort without the people in it, for lists. */
export type ListedCohort = Omit<Cohort, "organizers" | "attendees">;

/** So far two clocks may differ, and so old may be what a cache of the service still answers (ms). */
const allowance = 5 * 60_000;

/**
 * When a webhook's change took place. A time that is far ahead would count as the latest for ever, so nothing counts as
 * later than it came.
 * @param at What the webhook says (ms); null when that cannot be read.
 */
export function changedWhen(at: number | null, receivedAt: number): number {
  return Math.min(at ?? receivedAt, receivedAt + allowance);
}

/**
 * The moment at which a cohort is known to have been there after it was read.
 * @param readAt When the reading began, by our clock (ms).
 * @param changedAt When the change took place whose webhook led to the reading; null without one.
 */
export function knownAlive(readAt: number, changedAt: number | null): number {
  return Math.max(readAt - allowance, changedAt ?? 0);
}

/**
 * Since when a cohort is deleted (ms): as the classroom said, else since it was first looked for in vain; null while it
 * is there. A deletion holds until the cohort is known to have been there later, so that webhooks may come in any order.
 */
export function deletedSince(cohort: Pick<Cohort, "aliveAt" | "deletedAt" | "goneAt">): number | null {
  const { aliveAt, deletedAt, goneAt } = cohort;
  if (deletedAt !== null && (aliveAt === null || deletedAt >= aliveAt)) return deletedAt;
  return goneAt;
}

/** What a cohort is called: its name, else its id. */
export function cohortName({ name, cohortId }: Pick<Cohort, "name" | "cohortId">): string {
  return name ?? cohortId;
}

/** What tells cohorts apart. */
export type CohortKey = Pick<Cohort, "environment" | "programId" | "cohortId">;

/** Our id of a cohort. */
export function cohortRecordId({ environment, programId, cohortId }: CohortKey): string {
  return JSON.stringify([environment, programId, cohortId]);
}
