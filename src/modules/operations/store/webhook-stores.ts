import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { RowOf } from "../../../domain/record.ts";
import { otherNames } from "../../../inbox/rules/webhook.ts";
import { unknownWebhookRecord, webhookArrivalRecord } from "../rules/records.ts";
import { openRecords, retriedOnDuplicate } from "../../../storage/records.ts";

/** By secret (ms, accurate to a few seconds). Null for never. */
export type WebhookArrivals = { currentAt: number | null; previousAt: number | null };

export type WebhookArrivalStore = ReturnType<typeof createWebhookArrivalStore>;

/** One record per account. */
export function createWebhookArrivalStore(connection: Connection) {
  const records = openRecords(connection, webhookArrivalRecord);
  const find = async (environment: AccountId): Promise<WebhookArrivals> => {
    const row = await records.row({ _id: environment });
    return { currentAt: row?.currentAt ?? null, previousAt: row?.previousAt ?? null };
  };

  return {
    note: async (environment: AccountId, secret: "current" | "previous", at: number): Promise<void> => {
      const field = secret === "current" ? "currentAt" : "previousAt";
      await records.save({ _id: environment }, { $max: { [field]: at } });
    },
    find,
    /** @param day Days since 1970. @returns bytes of webhooks that had no effect on that day */
    unusedOn: async (environment: AccountId, day: number): Promise<number> => {
      const row = await records.row({ _id: environment, unusedDay: day });
      return row?.unusedBytes ?? 0;
    },
    addUnused: async (environment: AccountId, day: number, bytes: number): Promise<void> => {
      await retriedOnDuplicate(async () => {
        const more = () =>
          records.change({ _id: environment, unusedDay: day }, { $inc: { unusedBytes: bytes } });
        if (await more()) return;
        // The first day, or a new one. Another process may begin the day at this moment.
        const begun = { $set: { unusedDay: day, unusedBytes: 0 } };
        await records.save({ _id: environment, unusedDay: { $ne: day } }, begun);
        await more();
      });
    },
    noteRefused: async (environment: AccountId, at: number): Promise<void> => {
      await records.change({ _id: environment }, { $max: { refusedAt: at } });
    },
    /** Accounts with a refused webhook since then. */
    refusedSince: async (since: number): Promise<AccountId[]> =>
      (await records.rows({ refusedAt: { $gte: since } })).map(({ _id }) => _id),
    /** The last webhook with either secret (ms), by account. Leaves out accounts without any. */
    lastOfAll: async (): Promise<Map<AccountId, number>> => {
      const rows = await records.rows({});
      return new Map(
        rows.map(({ _id, currentAt, previousAt }) => [_id, Math.max(currentAt ?? 0, previousAt ?? 0)]),
      );
    },
    /** The last webhook with either secret. Null for never. */
    lastAt: async (environment: AccountId): Promise<number | null> => {
      const { currentAt, previousAt } = await find(environment);
      return currentAt === null && previousAt === null ? null : Math.max(currentAt ?? 0, previousAt ?? 0);
    },
  };
}

/** Webhooks of one name that the document doesn't list. They are stored and counted. */
export type UnknownWebhooks = {
  environment: AccountId;
  family: string;
  eventType: string;
  count: number;
  firstAt: number;
  lastAt: number;
};

export type UnknownWebhookStore = ReturnType<typeof createUnknownWebhookStore>;

/** Further names are counted together, under this one. */
const maxNames = 300;
const beyond = { family: otherNames, eventType: "" };

/** One record per account, family and eventType. */
export function createUnknownWebhookStore(connection: Connection) {
  const records = openRecords(connection, unknownWebhookRecord);
  const idOf = (key: Pick<RowOf<typeof unknownWebhookRecord>, "environment" | "family" | "eventType">) =>
    JSON.stringify([key.environment, key.family, key.eventType]);

  return {
    add: async ({ count, firstAt, lastAt, ...key }: UnknownWebhooks): Promise<void> => {
      const more = { $inc: { count }, $min: { firstAt }, $max: { lastAt } };
      if (await records.change({ _id: idOf(key) }, more)) return;
      const isFull = (await records.count({})) >= maxNames;
      const to = isFull ? { environment: key.environment, ...beyond } : key;
      await records.save({ _id: idOf(to) }, { ...more, $setOnInsert: to });
    },
    list: async (): Promise<UnknownWebhooks[]> =>
      (await records.rows({}, { sort: { lastAt: -1 } })).map(({ _id, ...row }) => row),
  };
}
