import type { Connection } from "mongoose";
import type { RowOf } from "../../../domain/record.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { nonceRecord } from "../rules/records.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

type NonceRow = RowOf<typeof nonceRecord>;

export type NonceStore = ReturnType<typeof createNonceStore>;

export function createNonceStore(connection: Connection) {
  const model = recordModel(connection, nonceRecord);
  const rows = connection.collection<NonceRow>(model.collection.collectionName);

  const idOf = (registrationId: string, nonce: string) => `${registrationId} ${nonce}`;

  return {
    /** Marks a nonce as used until `expiresAt` (ms). @throws NamedError "nonce-used" when it was used before. */
    use: async (registrationId: string, nonce: string, expiresAt: number): Promise<void> => {
      try {
        // No mongoose document: its defaults and casts have nothing to do here.
        await rows.insertOne({ _id: idOf(registrationId, nonce), expiresAt: new Date(expiresAt) });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        throw refusal("nonce-used", {
          status: 401,
        });
      }
    },
    wasUsed: async (registrationId: string, nonce: string): Promise<boolean> =>
      (await rows.findOne({ _id: idOf(registrationId, nonce) })) !== null,
  };
}
