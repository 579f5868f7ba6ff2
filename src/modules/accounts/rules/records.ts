import type { AccountStage } from "../../../domain/account.ts";
import {
  describeRecord,
  flag,
  type ItemOf,
  json,
  number,
  text,
  textOf,
  texts,
} from "../../../domain/record.ts";

/** An institution's contract with the classroom service; its secrets are sealed. The built-in accounts are not stored. */
export const accountRecord = describeRecord("ClassroomAccount", {
  fields: {
    name: text,
    stage: textOf<AccountStage>(),
    /** Empty until the institution has given them. */
    baseUrl: text.or(""),
    appUrl: text.or(""),
    /** Null until the institution has given one. */
    sealedKey: text.orNull,
    /** The current one first; two during a rotation. */
    sealedWebhookSecrets: texts,
    /** JSON over the dialect that CLASSROOM_DIALECT names; null: that one. */
    dialect: json<unknown>().orNull,
    /** Its own limits below the service's; null: the service's. */
    callsPerSecond: number.orNull,
    analyticsSeconds: number.orNull,
    paused: flag.or(false),
    /** When addresses, key or dialect were changed last: what was found out before may be wrong since. */
    connectionChangedAt: number.or(0),
    /** When the service confirmed that it sends its webhooks to us; null while it has not. */
    webhooksConnectedAt: number.orNull,
    /** Grows with every change, so that processes see it. */
    revision: number,
    createdAt: number,
    changedAt: number,
  },
  held: {
    key: "accounts",
    holds: "contracts with the classroom service: addresses, and keys under encryption; no person",
    kept: "always",
  },
});
export type StoredAccount = ItemOf<typeof accountRecord>;

/** What a secret of an account is sealed for: it opens in no other account and place. */
export function sealPurpose(id: string, what: "key" | "webhook-secret"): string {
  return `account ${id} ${what}`;
}

/** Its institution has not given addresses and key yet. */
export function isIncomplete({
  baseUrl,
  appUrl,
  sealedKey,
}: Pick<StoredAccount, "baseUrl" | "appUrl" | "sealedKey">): boolean {
  return baseUrl === "" || appUrl === "" || sealedKey === null;
}

export const accountsRecords = [accountRecord];
