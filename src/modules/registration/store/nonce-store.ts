import { type Connection, Schema } from "mongoose";
import { refusal } from "../../../kernel/refusal.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

type NonceRow = { _id: string; expiresAt: Date };

export type NonceStore = ReturnType<typeof createNonceStore>;

/** Nonces seen in verified launches. */
export function createNonceStore(connection: Connection) {
  const schema = new Schema<NonceRow>(
    { _id: { type: String, required: true }, expiresAt: { type: Date, required: true } },
    { versionKey: false, minimize: false },
  );
  schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  const model = connection.model<NonceRow>("Nonce", schema);
  const rows = connection.collection<NonceRow>(model.collection.collectionName);

  return {
    /**
     * Marks a nonce as used until `expiresAt` (ms).
     * @throws NamedError "nonce-used" when it was used before.
     */
    use: async (registrationId: string, nonce: string, expiresAt: number): Promise<void> => {
      try {
        // Without a mongoose document in between: its defaults and casts have nothing to do here.
        await rows.insertOne({ _id: `${registrationId} ${nonce}`, expiresAt: new Date(expiresAt) });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        throw refusal("nonce-used", {
          status: 401,
        });
      }
    },
  };
}
