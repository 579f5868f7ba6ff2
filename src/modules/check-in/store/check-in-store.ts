import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { type CheckIn, checkInRecord } from "../rules/records.ts";
import { maxOpen } from "../rules/check-in.ts";

export type CheckInStore = ReturnType<typeof createCheckInStore>;

/** One record for each session in which learners could check in; starting again takes the same. */
export function createCheckInStore(connection: Connection) {
  const model = recordModel(connection, checkInRecord);

  const ofSession = async (courseId: string, eventId: string): Promise<CheckIn | null> => {
    const row = await model.findOne({ courseId, eventId }).lean();
    return row === null ? null : toCheckIn(row);
  };

  return {
    find: async (id: string): Promise<CheckIn | null> => {
      const row = await model.findById(id).lean();
      return row === null ? null : toCheckIn(row);
    },
    ofSession,
    listOpen: async (courseId: string, now: number): Promise<CheckIn[]> =>
      (
        await model
          .find({ courseId, closesAt: { $gt: now } })
          .sort({ closesAt: 1 })
          .limit(maxOpen)
          .lean()
      ).map(toCheckIn),
    /** Of concurrent callers one gets true; one that is open stays as it is. */
    start: async ({ id, courseId, eventId, ...facts }: CheckIn): Promise<boolean> => {
      const over = { courseId, eventId, closesAt: { $lte: facts.startedAt } };
      if ((await model.updateOne(over, { $set: facts })).matchedCount === 1) return true;
      try {
        await model.create({ _id: id, courseId, eventId, ...facts });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** @returns false when it was over. */
    stop: async (courseId: string, eventId: string, now: number): Promise<boolean> =>
      (await model.updateOne({ courseId, eventId, closesAt: { $gt: now } }, { $set: { closesAt: now } }))
        .matchedCount === 1,
  };
}

const toCheckIn = readerOf(checkInRecord);
