import type { Connection } from "mongoose";
import { openRecords } from "../../../storage/records.ts";
import { type CheckIn, checkInRecord, maxOpen } from "../rules/check-in.ts";

/** One record per session in which learners could check in. Starting again reuses it. */
export function createCheckInStore(connection: Connection) {
  const records = openRecords(connection, checkInRecord);

  const ofSession = (courseId: string, eventId: string): Promise<CheckIn | null> =>
    records.find({ courseId, eventId });

  return {
    find: (id: string): Promise<CheckIn | null> => records.find({ _id: id }),
    ofSession,
    listOpen: (courseId: string, now: number): Promise<CheckIn[]> =>
      records.list({ courseId, closesAt: { $gt: now } }, { sort: { closesAt: 1 }, limit: maxOpen }),
    /** Of concurrent callers, one gets true. An open check-in stays as it is. */
    start: async ({ id, courseId, eventId, ...facts }: CheckIn): Promise<boolean> => {
      const over = { courseId, eventId, closesAt: { $lte: facts.startedAt } };
      if (await records.change(over, { $set: facts })) return true;
      return records.insert({ _id: id, courseId, eventId, ...facts });
    },
    /** @returns false if it was over. */
    stop: (courseId: string, eventId: string, now: number): Promise<boolean> =>
      records.change({ courseId, eventId, closesAt: { $gt: now } }, { $set: { closesAt: now } }),
  };
}
