import type { Connection } from "mongoose";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import type { AccountId } from "../../../domain/account.ts";
import { type UserMatch, userMatchRecord } from "../rules/records.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { dueClaim, dueOf, longerLease, never, released, stillDue } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type UserMatchKey = Pick<UserMatch, "registrationId" | "deploymentId" | "environment" | "userId">;
export type UserMatchStore = ReturnType<typeof createUserMatchStore>;

/** One record for each (registration, deployment, environment, user). */
export function createUserMatchStore(connection: Connection) {
  const model = recordModel(connection, userMatchRecord);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("matches", firstDue);

  return {
    /** @returns false when this user is matched already. */
    insert: async (match: Omit<UserMatch, "state">): Promise<boolean> => {
      const { id, ...facts } = match;
      try {
        const dueAt = match.dueAt ?? never;
        await queue.announced(everything, dueAt, () =>
          model.create({ _id: id, ...facts, dueAt, state: "holds", ...released }),
        );
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    find: async (key: UserMatchKey): Promise<UserMatch | null> => {
      const row = await model.findOne({ ...key, state: "holds" }).lean();
      return row === null ? null : toMatch(row);
    },
    findById: async (id: string): Promise<UserMatch | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toMatch(row);
    },
    findMany: async (place: Omit<UserMatchKey, "userId">, userIds: readonly string[]): Promise<UserMatch[]> =>
      (await model.find({ ...place, userId: { $in: [...userIds] }, state: "holds" }).lean()).map(toMatch),
    /** Users matched in any deployment, also where that is being taken back. */
    listMatchedUsers: async (environment: AccountId, userIds: readonly string[]): Promise<string[]> =>
      (await model.find({ environment, userId: { $in: [...userIds] } }, { userId: 1 }).lean()).map(
        ({ userId }) => userId,
      ),
    listOfUser: async (environment: AccountId, userId: string): Promise<UserMatch[]> =>
      (await model.find({ environment, userId, state: "holds" }).sort({ _id: 1 }).limit(20).lean()).map(
        toMatch,
      ),
    listOfPerson: async (registrationId: string, personId: string): Promise<UserMatch[]> =>
      (await model.find({ registrationId, personId, state: "holds" }).lean()).map(toMatch),
    /** Without undone ones. */
    listOfCourse: async (registrationId: string, courseId: string): Promise<UserMatch[]> =>
      (await model.find({ registrationId, courseId, state: "holds" }).sort({ at: -1 }).limit(500).lean()).map(
        toMatch,
      ),
    /** Ends a match, which is then taken back. @returns false when another caller has undone it. */
    undo: async (id: string, now: number): Promise<boolean> =>
      (
        await queue.announced(everything, now, () =>
          model.updateOne({ _id: id, state: "holds" }, { $set: { state: "undone", dueAt: now } }),
        )
      ).matchedCount === 1,
    /** Matches that are still to be applied or taken back. */
    countToApply: (registrationId: string, courseId: string): Promise<number> =>
      model.countDocuments(stillDue(registrationId, courseId)).exec(),
    claimDue: async (holder: string, now: number, until: number): Promise<UserMatch | null> => {
      const take = () => model.findOneAndUpdate(...dueClaim(holder, now, until)).lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toMatch(row);
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /** Applied, unless it was undone meanwhile; an undone one is deleted. */
    applied: async ({ id, state }: Pick<UserMatch, "id" | "state">, holder: string): Promise<void> => {
      if (state === "undone") await model.deleteOne({ _id: id, leaseHolder: holder });
      else await model.updateOne({ _id: id, leaseHolder: holder, state }, { $set: { dueAt: never } });
      const row = await model.findOneAndUpdate({ _id: id, leaseHolder: holder }, { $set: released }).lean();
      if (row !== null) await queue.givenBack(everything, row.dueAt);
    },
    /** Could not be applied; tried again at `dueAt`. */
    postpone: async (id: string, holder: string, dueAt: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { dueAt, ...released } });
      await queue.givenBack(everything, dueAt);
    },
  };
}

const readMatch = readerOf(userMatchRecord);

function toMatch(row: RowOf<typeof userMatchRecord>): UserMatch {
  return { ...readMatch(row), dueAt: dueOf(row) };
}
