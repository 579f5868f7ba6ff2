import { describeRecord, type ItemOf } from "../../../domain/record.ts";
import { flag, json, number, text, texts, textOf } from "../../../domain/record-fields.ts";
import type { AccountStage } from "../../../domain/account.ts";

/** An institution's contract with the classroom service; its secrets are sealed. The built-in accounts are not stored. */
export const accountRecord = describeRecord("ClassroomAccount", {
  fields: {
    name: text,
    stage: textOf<AccountStage>(),
    baseUrl: text,
    appUrl: text,
    sealedKey: text,
    /** The current one first; two during a rotation. */
    sealedWebhookSecrets: texts,
    /** JSON over the dialect that CLASSROOM_DIALECT names; null: that one. */
    dialect: json<unknown>().orNull,
    paused: flag.or(false),
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
