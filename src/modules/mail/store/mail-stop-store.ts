import type { Connection } from "mongoose";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { type MailStop, mailStopRecord } from "../rules/records.ts";

export type StopKey = Pick<MailStop, "registrationId" | "personId" | "kind">;
export type MailStopStore = ReturnType<typeof createMailStopStore>;

/** Who wants no mails of a kind, one record each. */
export function createMailStopStore(connection: Connection) {
  const model = recordModel(connection, mailStopRecord);

  return {
    has: async ({ registrationId, personId, kind }: StopKey): Promise<boolean> =>
      (await model.findOne({ registrationId, personId, kind }).lean()) !== null,
    /** Those of at most a few hundred people. */
    amongMany: async (
      { registrationId, kind }: Omit<StopKey, "personId">,
      personIds: readonly string[],
    ): Promise<Set<string>> => {
      const rows = await model.find({ registrationId, kind, personId: { $in: [...personIds] } }).lean();
      return new Set(rows.map(({ personId }) => personId));
    },
    stop: async ({ id, at, ...key }: MailStop): Promise<void> => {
      try {
        await model.updateOne({ ...key }, { $setOnInsert: { _id: id, at } }, { upsert: true });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown; // stopped just now
      }
    },
    start: async ({ registrationId, personId, kind }: StopKey): Promise<void> => {
      await model.deleteMany({ registrationId, personId, kind });
    },
  };
}
