import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { unknownWebhookRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { otherNames } from "../../../inbox/rules/webhook-family.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** Webhooks of one name that the document does not list: stored and counted. */
export type UnknownWebhooks = {
  environment: AccountId;
  family: string;
  eventType: string;
  count: number;
  firstAt: number;
  lastAt: number;
};

type UnknownRow = RowOf<typeof unknownWebhookRecord>;

export type UnknownWebhookStore = ReturnType<typeof createUnknownWebhookStore>;

/** Further names are counted together, under this one. */
const maxNames = 300;
const beyond = { family: otherNames, eventType: "" };

/** One record for each (environment, family, eventType). */
export function createUnknownWebhookStore(connection: Connection) {
  const model = recordModel(connection, unknownWebhookRecord);
  const idOf = (key: Pick<UnknownRow, "environment" | "family" | "eventType">) =>
    JSON.stringify([key.environment, key.family, key.eventType]);

  return {
    add: async ({ count, firstAt, lastAt, ...key }: UnknownWebhooks): Promise<void> => {
      const more = { $inc: { count }, $min: { firstAt }, $max: { lastAt } };
      if ((await model.updateOne({ _id: idOf(key) }, more)).matchedCount === 1) return;
      const isFull = (await model.countDocuments({})) >= maxNames;
      const to = isFull ? { environment: key.environment, ...beyond } : key;
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: idOf(to) }, { ...more, $setOnInsert: to }, { upsert: true }),
      );
    },
    list: async (): Promise<UnknownWebhooks[]> =>
      (await model.find({}).sort({ lastAt: -1 }).lean()).map(({ _id, ...row }) => row),
  };
}
