import { recordModel } from "../../../storage/record-model.ts";
import { askedEventRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type AskedEventStore = ReturnType<typeof createAskedEventStore>;

const minute = 60_000;
/** After calls in vain (ms); the last one repeats. */
const pauses = [5_000, 30_000, 5 * minute, 30 * minute, 360 * minute];
/** After news of an event (ms). */
const newsAfter = minute;

/** About events unknown or without a course: once for all processes, ever more rarely. */
export function createAskedEventStore(connection: Connection) {
  const model = recordModel(connection, askedEventRecord);
  const idOf = (environment: AccountId, eventId: string) => `${environment}:${eventId}`;

  return {
    /** @returns whether the caller must ask now; true for one caller at most. */
    take: async (environment: AccountId, eventId: string, now: number): Promise<boolean> => {
      const _id = idOf(environment, eventId);
      const row = await model.findOne({ _id }).lean();
      if (row !== null && row.nextAskAt > now) return false;
      const times = row?.times ?? 0;
      const asked = { times: times + 1, askedAt: now, nextAskAt: now + pauseAfter(times) };
      if (row !== null) return (await model.updateOne({ _id, times }, { $set: asked })).matchedCount === 1;
      try {
        await model.create({ _id, ...asked });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** The classroom did not answer: the call does not count. */
    giveBack: async (environment: AccountId, eventId: string): Promise<void> => {
      await model.updateOne(
        { _id: idOf(environment, eventId) },
        { $set: { nextAskAt: 0 }, $inc: { times: -1 } },
      );
    },
    /** Ends the pause after news, unless it was asked within the last minute. */
    hasten: async (environment: AccountId, eventId: string, now: number): Promise<void> => {
      const early = {
        _id: idOf(environment, eventId),
        askedAt: { $lte: now - newsAfter },
        nextAskAt: { $gt: now },
      };
      // Mostly there is none, and a read is cheaper than a write.
      if ((await model.findOne(early, { _id: 1 }).lean()) !== null)
        await model.updateOne(early, { $set: { nextAskAt: now } });
    },
    /** It has a course now. */
    forget: async (environment: AccountId, eventId: string): Promise<void> => {
      await model.deleteOne({ _id: idOf(environment, eventId) });
    },
  };
}

function pauseAfter(times: number): number {
  return pauses[Math.min(Math.max(times, 0), pauses.length - 1)] ?? minute;
}
