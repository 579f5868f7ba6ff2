import type { Connection } from "mongoose";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import type { AccountId } from "../../../domain/account.ts";
import { type UserMatch, userMatchRecord } from "../rules/records.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { dueClaim, dueOf, longerLease, never, released, stillDue } from "../../../storage/lease.ts";
import { openRecords } from "../../../storage/records.ts";

export type UserMatchKey = Pick<UserMatch, "registrationId" | "deploymentId" | "environment" | "userId">;
export type UserMatchStore = ReturnType<typeof createUserMatchStore>;

/** One record for each (registration, deployment, environment, user). */
export function createUserMatchStore(connection: Connection) {
  const records = openRecords(connection, userMatchRecord);
  const firstDue = (_scope: string, dueAt: DueRange) => records.row({ dueAt }, { sort: { dueAt: 1 } });
  const queue = dueHeadsOf(connection).queue("matches", firstDue);

  return {
    /** @returns false when this user is matched already. */
    insert: async (match: Omit<UserMatch, "state">): Promise<boolean> => {
      const { id, ...facts } = match;
      const dueAt = match.dueAt ?? never;
      return queue.announced(everything, dueAt, () =>
        records.insert({ _id: id, ...facts, dueAt, state: "holds", ...released }),
      );
    },
    find: async (key: UserMatchKey): Promise<UserMatch | null> => {
      const row = await records.row({ ...key, state: "holds" });
      return row === null ? null : toMatch(row);
    },
    findById: async (id: string): Promise<UserMatch | null> => {
      const row = await records.row({ _id: id });
      return row === null ? null : toMatch(row);
    },
    findMany: async (place: Omit<UserMatchKey, "userId">, userIds: readonly string[]): Promise<UserMatch[]> =>
      (await records.rows({ ...place, userId: { $in: userIds }, state: "holds" })).map(toMatch),
    /** Users matched in any deployment, also where that is being taken back. */
    listMatchedUsers: async (environment: AccountId, userIds: readonly string[]): Promise<string[]> =>
      (await records.some(["userId"], { environment, userId: { $in: userIds } })).map(({ userId }) => userId),
    listOfUser: async (environment: AccountId, userId: string): Promise<UserMatch[]> =>
      (await records.rows({ environment, userId, state: "holds" }, { sort: { _id: 1 }, limit: 20 })).map(
        toMatch,
      ),
    listOfPerson: async (registrationId: string, personId: string): Promise<UserMatch[]> =>
      (await records.rows({ registrationId, personId, state: "holds" })).map(toMatch),
    /** Without undone ones. */
    listOfCourse: async (registrationId: string, courseId: string): Promise<UserMatch[]> =>
      (
        await records.rows({ registrationId, courseId, state: "holds" }, { sort: { at: -1 }, limit: 500 })
      ).map(toMatch),
    /** Ends a match, which is then taken back. @returns false when another caller has undone it. */
    undo: (id: string, now: number): Promise<boolean> =>
      queue.announced(everything, now, () =>
        records.change({ _id: id, state: "holds" }, { $set: { state: "undone", dueAt: now } }),
      ),
    /** Matches that are still to be applied or taken back. */
    countToApply: (registrationId: string, courseId: string): Promise<number> =>
      records.count(stillDue(registrationId, courseId)),
    claimDue: async (holder: string, now: number, until: number): Promise<UserMatch | null> => {
      const take = () => records.take(...dueClaim(holder, now, until));
      const row = await queue.claim(now, { take });
      return row === null ? null : toMatch(row);
    },
    extend: (id: string, holder: string, until: number): Promise<boolean> =>
      records.change(...longerLease(id, holder, until)),
    /** Applied, unless it was undone meanwhile; an undone one is deleted. */
    applied: async ({ id, state }: Pick<UserMatch, "id" | "state">, holder: string): Promise<void> => {
      if (state === "undone") await records.remove({ _id: id, leaseHolder: holder });
      else await records.change({ _id: id, leaseHolder: holder, state }, { $set: { dueAt: never } });
      const row = await records.before({ _id: id, leaseHolder: holder }, { $set: released });
      if (row !== null) await queue.givenBack(everything, row.dueAt);
    },
    /** Could not be applied; tried again at `dueAt`. */
    postpone: async (id: string, holder: string, dueAt: number): Promise<void> => {
      await records.change({ _id: id, leaseHolder: holder }, { $set: { dueAt, ...released } });
      await queue.givenBack(everything, dueAt);
    },
  };
}

const readMatch = readerOf(userMatchRecord);

function toMatch(row: RowOf<typeof userMatchRecord>): UserMatch {
  return { ...readMatch(row), dueAt: dueOf(row) };
}
