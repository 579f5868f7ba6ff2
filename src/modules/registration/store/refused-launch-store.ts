import type { Connection } from "mongoose";
import type { ItemOf } from "../../../domain/record.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { refusedLaunchRecord } from "../rules/records.ts";

/** Launches that were refused for one reason: of a registered LMS, or of whatever the requests said they come from. */
export type RefusedLaunches = ItemOf<typeof refusedLaunchRecord>;

export type RefusedLaunchStore = ReturnType<typeof createRefusedLaunchStore>;

const keptMs = 30 * 24 * 3_600_000;
/** Anybody can send a launch with any name: further ones are counted together, without a name. */
const maxKinds = 300;
const nameless = { registrationId: "", issuer: "", clientId: "" };

/** One record for each LMS and reason. */
export function createRefusedLaunchStore(connection: Connection) {
  const model = recordModel(connection, refusedLaunchRecord);
  type Key = Pick<RefusedLaunches, "registrationId" | "issuer" | "clientId" | "code">;
  const idOf = ({ registrationId, issuer, clientId, code }: Key) =>
    JSON.stringify([registrationId, issuer, clientId, code]);

  return {
    add: async (key: Key, { at, reference }: { at: number; reference: string }): Promise<void> => {
      const more = {
        $inc: { count: 1 },
        $min: { firstAt: at },
        $max: { lastAt: at },
        $set: { reference, expiresAt: new Date(at + keptMs) },
      };
      if ((await model.updateOne({ _id: idOf(key) }, more)).matchedCount === 1) return;
      const isFull = key.registrationId === "" && (await model.countDocuments({})) >= maxKinds;
      const to = isFull ? { ...key, ...nameless } : key;
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: idOf(to) }, { ...more, $setOnInsert: to }, { upsert: true }),
      );
    },
    /** Newest first. */
    list: async (): Promise<RefusedLaunches[]> => {
      const rows = await model.find({}).sort({ lastAt: -1 }).lean();
      return rows.map(({ _id: _, expiresAt: __, ...row }) => row);
    },
  };
}
