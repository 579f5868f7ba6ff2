import { type ItemOf, readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { toolKeyRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { refusal } from "../../../kernel/refusal.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

type ToolKey = ItemOf<typeof toolKeyRecord>;

export type ToolKeyStore = ReturnType<typeof createToolKeyStore>;

/** One key pair, or several during a rotation, for each registration. */
export function createToolKeyStore(connection: Connection) {
  const model = recordModel(connection, toolKeyRecord);

  return {
    /** @throws NamedError "tool-key-exists" when another process has made this generation. */
    insert: async ({ kid, ...facts }: ToolKey): Promise<void> => {
      try {
        await model.create({ _id: kid, ...facts });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        throw refusal("tool-key-exists", {
          temporary: true,
        });
      }
    },
    /** Newest generation first. */
    listOf: async (registrationId: string): Promise<ToolKey[]> =>
      (await model.find({ registrationId }).sort({ generation: -1 }).lean()).map(toToolKey),
    /** Of all registrations, for the published key set. */
    list: async (): Promise<ToolKey[]> => (await model.find({}).lean()).map(toToolKey),
    retire: async (kid: string, retiredAt: number): Promise<void> => {
      await model.updateOne({ _id: kid }, { $set: { retiredAt } });
    },
    /** Replaces exactly this sealed private half; of two at once the first stays. */
    reseal: async (kid: string, from: string, to: string): Promise<void> => {
      await model.updateOne({ _id: kid, sealedPrivateKey: from }, { $set: { sealedPrivateKey: to } });
    },
    remove: async (kid: string): Promise<void> => {
      await model.deleteOne({ _id: kid });
    },
  };
}

const toToolKey = readerOf(toolKeyRecord);
