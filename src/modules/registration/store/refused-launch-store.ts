import type { Connection } from "mongoose";
import type { ItemOf, RowOf } from "../../../domain/record.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { failedLaunchHourRecord, maxReferences, refusedLaunchRecord } from "../rules/records.ts";

/** Launches that were refused for one reason: of a registered LMS, or of whatever the requests said they come from. */
export type RefusedLaunches = ItemOf<typeof refusedLaunchRecord>;

export type RefusedLaunchStore = ReturnType<typeof createRefusedLaunchStore>;

/** Launches of one LMS that were refused in one hour; `registrationId` is "" for those of no registered LMS. */
export type FailedLaunchHour = ItemOf<typeof failedLaunchHourRecord>;

const keptMs = 30 * 24 * 3_600_000;
const hourMs = 3_600_000;
const hourKeptMs = 21 * 24 * hourMs;
/** Anybody can send a launch with any name: further ones are counted together, without a name. */
const maxKinds = 300;
const nameless = { registrationId: "", issuer: "", clientId: "" };

/** One record for each LMS and reason. */
export function createRefusedLaunchStore(connection: Connection) {
  const model = recordModel(connection, refusedLaunchRecord);
  const hours = recordModel(connection, failedLaunchHourRecord);
  type Key = Pick<RefusedLaunches, "registrationId" | "issuer" | "clientId" | "code">;
  const idOf = ({ registrationId, issuer, clientId, code }: Key) =>
    JSON.stringify([registrationId, issuer, clientId, code]);

  const countHour = async (registrationId: string, at: number, count: number): Promise<void> => {
    const hour = at - (at % hourMs);
    await retriedOnDuplicate(() =>
      hours.updateOne(
        { _id: `${registrationId} ${hour}` },
        {
          $inc: { count },
          $setOnInsert: { registrationId, hour, expiresAt: new Date(hour + hourKeptMs) },
        },
        { upsert: true },
      ),
    );
  };

  return {
    /**
     * @param refused.references Of the pages that people saw, oldest first.
     * @param refused.count How many of them since the last one was kept.
     */
    add: async (
      key: Key,
      { at, references, count = 1 }: { at: number; references: readonly string[]; count?: number },
    ): Promise<void> => {
      await countHour(key.registrationId, at, count);
      const more = {
        $inc: { count },
        $min: { firstAt: at },
        $max: { lastAt: at },
        $set: { reference: references.at(-1) ?? "", expiresAt: new Date(at + keptMs) },
        $push: { references: { $each: references.slice(-maxReferences), $slice: -maxReferences } },
      };
      if ((await model.updateOne({ _id: idOf(key) }, more)).matchedCount === 1) return;
      const isFull = key.registrationId === "" && (await model.countDocuments({})) >= maxKinds;
      const to = isFull ? { ...key, ...nameless } : key;
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: idOf(to) }, { ...more, $setOnInsert: to }, { upsert: true }),
      );
    },
    /** Newest first; a few hundred, for each LMS has a few reasons and unknown ones are bounded. */
    list: async (): Promise<RefusedLaunches[]> => {
      const rows = await model.find({}).sort({ lastAt: -1 }).lean();
      return rows.map(shown);
    },
    /** By the reference that somebody's page showed, of the latest ones of each reason. */
    listOfReference: async (reference: string): Promise<RefusedLaunches[]> =>
      (await model.find({ references: reference }).sort({ lastAt: -1 }).limit(5).lean()).map(shown),
    /** Of all LMSs, in hours that began then (ms): from the first moment on, before the second. */
    listHours: async (from: number, before: number): Promise<FailedLaunchHour[]> => {
      const rows = await hours.find({ hour: { $gte: from, $lt: before } }).lean();
      return rows.map(({ registrationId, hour, count }) => ({ registrationId, hour, count }));
    },
  };
}

function shown({
  _id: _,
  expiresAt: __,
  references: ___,
  ...row
}: RowOf<typeof refusedLaunchRecord>): RefusedLaunches {
  return row;
}
