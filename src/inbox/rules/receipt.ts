import type { AccountId } from "../../domain/account.ts";
import { describeRecord, field, index, type ItemOf } from "../../domain/record.ts";
import { dayMs, hourMs, minuteMs } from "../../kernel/clock.ts";

export const receiptRecord = describeRecord("Receipt", {
  fields: {
    environment: field.textOf<AccountId>(),
    /** See `familyOf`; earlier versions lack it. */
    family: field.text.optional,
    /** SHA-256 of the raw body: with the environment the webhook's identity, for the service sends no id. */
    digest: field.text,
    /** With replacement characters for what is not UTF-8. */
    body: field.text,
    /** The bytes in base64, where they are not UTF-8. */
    bytes: field.text.optional,
    receivedAt: field.number,
    /**
     * waiting: to be processed · asking: may ask the classroom, a few calls a second · again: an operator replays it, behind those
     * · unmatched: event, Space or user unknown, tried for days · done · kept: of a family without effect · failed: given up.
     */
    state: field.textOf<ReceiptState>(),
    attempts: field.number,
    nextTryAt: field.number,
    /** In English. */
    reason: field.text.orNull,
    /** Code of `reason`; missing in earlier versions. */
    code: field.textOf<string | null>().optional,
    /** `waitKey` of its event or Space, and of its user; null: nothing known. */
    waitsFor: field.textOf<string | null>().optional,
    waitsForUser: field.textOf<string | null>().optional,
  },
  hidden: {
    /** `Asking.about`, while the classroom may have to be asked; else null or missing. */
    about: field.textOf<string | null>().optional,
    ...field.lease,
  },
  indexes: [
    index.unique("environment", "digest"),
    index("state", "nextTryAt"),
    index("state", "receivedAt"),
    // Hardly any receipt waits: the others cost nothing here.
    index.onlyWhere({ waitsFor: { $gt: "" } }, index("waitsFor"), "waits_for"),
    index.onlyWhere({ waitsForUser: { $gt: "" } }, index("waitsForUser"), "waits_for_user"),
    index.onlyWhere({ about: { $gt: "" } }, index("about")),
  ],
  personalData: {
    key: "webhooks",
    holds: "webhooks as they came, with classroom user ids",
    stored:
      "90 days after they took effect; failed ones stay for a replay, or for RETENTION_DAYS if set. A body that names an erased person is replaced",
  },
});
export type Receipt = ItemOf<typeof receiptRecord>;

/** Done and kept webhooks (ms); failed ones stay for a replay. */
export const receiptRetentionMs = 90 * dayMs;

/** Failed first. */
export const receiptStates = ["failed", "unmatched", "waiting", "asking", "again", "done", "kept"] as const;
export type ReceiptState = (typeof receiptStates)[number];

/** A user who becomes a person, or an event or Space that becomes a course's. */
export type Matchable = { kind: "user" | "event" | "space"; environment: AccountId; id: string };

/** The text under which receipts wait for it. */
export function waitKey({ kind, environment, id }: Matchable): string {
  return `${kind}:${environment}:${id}`;
}

/** Delays of tries (ms); the last one repeats. */
const retryDelaysMs = [5_000, 30_000, 5 * minuteMs, 30 * minuteMs, 6 * hourMs];
/** From arrival to failed (ms). */
const givenUpAfterMs = 14 * dayMs;

/** State of a webhook whose event, Space or user is unknown. The first of `waitsFor` names the reason. */
export function unmatchedOutcome(
  { receivedAt, attempts }: Pick<Receipt, "receivedAt" | "attempts">,
  { reason, waitsFor }: { reason: string; waitsFor: readonly Matchable[] },
  now: number,
) {
  const keyOf = (what: Matchable | undefined) => (what === undefined ? null : waitKey(what));
  const waits = {
    waitsFor: keyOf(waitsFor.find(({ kind }) => kind !== "user")),
    waitsForUser: keyOf(waitsFor.find(({ kind }) => kind === "user")),
    code: `${waitsFor[0]?.kind ?? "nothing"}-unknown`,
  };
  if (now - receivedAt > givenUpAfterMs)
    return { state: "failed", reason, nextTryAt: now, ...waits } as const;
  const delay = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] ?? minuteMs;
  return { state: "unmatched", reason, nextTryAt: now + delay, ...waits } as const;
}

export const inboxRecords = [receiptRecord];
