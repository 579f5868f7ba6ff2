import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { unknownWebhookRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { otherNames } from "../../../inbox/rules/webhook-kind.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** Webhooks of one name that the document does not list: kept as they came, and counted. */
export type UnknownWebhooks = {
  environment: EnvironmentName;
  /** The family as its `_type` says. */
  family: string;
  /** Empty when they tell none. */
  eventType: string;
  count: number;
  /** When the first and the last one came (ms). */
  firstAt: number;
  lastAt: number;
};

type UnknownRow = RowOf<typeof unknownWebhookRecord>;

export type UnknownWebhookStore = ReturnType<typeof createUnknownWebhookStore>;

/** So many names are counted each for itself; what goes beyond is counted together, under this name. */
const maxNames = 300;
const beyond = { family: otherNames, eventType: "" };

/** How many webhooks with names that nobody knows came, one record for each (environment, family, eventType). */
export function createUnknownWebhookStore(connection: Connection) {
  const model = recordModel(connection, unknownWebhookRecord);
  const idOf = (key: Pick<UnknownRow, "environment" | "family" | "eventType">) =>
    JSON.stringify([key.environment, key.family, key.eventType]);

  return {
    /** Counts some more that came between two moments (ms). */
    add: async ({ count, firstAt, lastAt, ...key }: UnknownWebhooks): Promise<void> => {
      const more = { $inc: { count }, $min: { firstAt }, $max: { lastAt } };
      if ((await model.updateOne({ _id: idOf(key) }, more)).matchedCount === 1) return;
      const isFull = (await model.countDocuments({})) >= maxNames;
      const to = isFull ? { environment: key.environment, ...beyond } : key;
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: idOf(to) }, { ...more, $setOnInsert: to }, { upsert: true }),
      );
    },
    /** Every name, the one that came last first. */
    list: async (): Promise<UnknownWebhooks[]> =>
      (await model.find({}).sort({ lastAt: -1 }).lean()).map(({ _id, ...row }) => row),
  };
}
