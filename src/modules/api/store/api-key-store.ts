import type { Connection } from "mongoose";
import { openRecords } from "../../../storage/records.ts";
import { type ApiKey, apiKeyRecord } from "../rules/api-key.ts";

const maxListed = 2_000;

export function createApiKeyStore(connection: Connection) {
  const records = openRecords(connection, apiKeyRecord);

  return {
    insert: async ({ id, ...facts }: ApiKey): Promise<void> => {
      await records.add({ _id: id, ...facts });
    },
    find: (id: string): Promise<ApiKey | null> => records.find({ _id: id }),
    /** Keys of one LMS, or of all for null, newest first. */
    list: (registrationId: string | null): Promise<ApiKey[]> =>
      records.list(registrationId === null ? {} : { registrationId }, {
        sort: { createdAt: -1 },
        limit: maxListed,
      }),
    /** Only writes if the key was last used before `unless` (ms), so a busy key costs few writes. */
    noteUse: async (id: string, at: number, unless: number): Promise<void> => {
      await records.change(
        { _id: id, $or: [{ usedAt: null }, { usedAt: { $lt: unless } }] },
        { $set: { usedAt: at } },
      );
    },
    /** Moves keys to the registration that continues this one. */
    move: async (id: string, registrationId: string, deploymentId: string | null): Promise<void> => {
      await records.change({ _id: id }, { $set: { registrationId, deploymentId } });
    },
    /** @returns whether it existed */
    remove: async (id: string): Promise<boolean> => (await records.remove({ _id: id })) === 1,
  };
}
