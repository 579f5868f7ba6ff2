import { type Connection, Schema } from "mongoose";
import { NamedError } from "../../../kernel/errors.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

/** One of our signing keys towards one LMS. */
type ToolKey = {
  kid: string;
  registrationId: string;
  /** 1, 2, 3 ... within the registration, so that two instances cannot both make "the next" key. */
  generation: number;
  /** Public JWK as JSON. */
  publicKey: string;
  /** PKCS #8 PEM, sealed. */
  sealedPrivateKey: string;
  /** Published from its creation on, used for signing from here on. */
  notBefore: number;
  /** No longer published from here on; null while in use. */
  retiredAt: number | null;
  createdAt: number;
};
type ToolKeyRow = Omit<ToolKey, "kid"> & { _id: string };

export type ToolKeyStore = ReturnType<typeof createToolKeyStore>;

/** Our key pairs, one or (during a rotation) several for each registration. */
export function createToolKeyStore(connection: Connection) {
  const schema = new Schema<ToolKeyRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      generation: { type: Number, required: true },
      publicKey: { type: String, required: true },
      sealedPrivateKey: { type: String, required: true },
      notBefore: { type: Number, required: true },
      retiredAt: { type: Number, default: null },
      createdAt: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, generation: 1 }, { unique: true });
  const model = connection.model<ToolKeyRow>("ToolKey", schema);

  return {
    /** @throws NamedError "tool-key-exists" when this generation was made by somebody else meanwhile. */
    insert: async ({ kid, ...facts }: ToolKey): Promise<void> => {
      try {
        await model.create({ _id: kid, ...facts });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        throw new NamedError(
          "tool-key-exists",
          "Another instance made this key at the same moment; use that one.",
          {
            temporary: true,
          },
        );
      }
    },
    /** All keys of a registration, newest generation first. */
    listOf: async (registrationId: string): Promise<ToolKey[]> =>
      (await model.find({ registrationId }).sort({ generation: -1 }).lean()).map(toToolKey),
    /** All keys of all registrations, for the published key set. */
    list: async (): Promise<ToolKey[]> => (await model.find({}).lean()).map(toToolKey),
    retire: async (kid: string, retiredAt: number): Promise<void> => {
      await model.updateOne({ _id: kid }, { $set: { retiredAt } });
    },
    /** Puts a newly sealed private half in place of exactly this one; of two at once the first stays. */
    reseal: async (kid: string, from: string, to: string): Promise<void> => {
      await model.updateOne({ _id: kid, sealedPrivateKey: from }, { $set: { sealedPrivateKey: to } });
    },
    remove: async (kid: string): Promise<void> => {
      await model.deleteOne({ _id: kid });
    },
  };
}

function toToolKey({ _id, ...facts }: ToolKeyRow): ToolKey {
  return { kid: _id, ...facts };
}
