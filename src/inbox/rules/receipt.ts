import type { AccountId } from "../../domain/account.ts";
import { describeRecord, field, index, type ItemOf } from "../../domain/record.ts";
import { dayMs, hourMs, minuteMs } from "../../kernel/clock.ts";

export const receiptRecord = describeRecord("Receipt", {
  fields: {
    environment: field.textOf<AccountId>(),
    /** See `familyOf`; missing in receipts of earlier versions. */
    family: field.text.optional,
    /** SHA-256 of the raw body. With the environment it identifies the webhook, because the service sends no id. */
    digest: field.text,
    /** Bytes that aren't UTF-8 are replacement characters. */
    body: field.text,
    /** The bytes in base64, if they aren't UTF-8. */
    bytes: field.text.optional,
    receivedAt: field.number,
    /**
     * waiting: to be processed · asking: may ask the classroom, a few calls a second · again: an operator replays it, after the
     * others · unmatched: event, Space or user unknown, tried for days · done · kept: its family has no effect · failed: given up.
     */
    state: field.textOf<ReceiptState>(),
    attempts: field.number,
    nextTryAt: field.number,
    /** Why it is unmatched or failed, in English. */
    reason: field.text.orNull,
    /** The code of `reason`; missing in receipts of earlier versions. */
    code: field.textOf<string | null>().optional,
    /** `waitKey` of its event or Space, and of its user; null if it waits for neither. A kept one may wait for its Space. */
    waitsFor: field.textOf<string | null>().optional,
    waitsForUser: field.textOf<string | null>().optional,
  },
  hidden: {
    /** `Asking.about` while the classroom may have to be asked; otherwise null or missing. */
    about: field.textOf<string | null>().optional,
    ...field.lease,
  },
  indexes: [
    index.unique("environment", "digest"),
    index("state", "nextTryAt", "environment"),
    index("state", "receivedAt"),
    // Partial indexes, because few receipts wait and the others should cost nothing.
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

/** How long done and kept webhooks are stored (ms). Failed ones stay for a replay. */
export const receiptRetentionMs = 90 * dayMs;

/** In the order of pages: failed first. */
export const receiptStates = ["failed", "unmatched", "waiting", "asking", "again", "done", "kept"] as const;
export type ReceiptState = (typeof receiptStates)[number];

/** Something that may become known later: a user who becomes a person, or an event or Space that gets a course. */
export type Matchable = { kind: "user" | "event" | "space"; environment: AccountId; id: string };

/** The key under which receipts wait for it. */
export function waitKey({ kind, environment, id }: Matchable): string {
  return `${kind}:${environment}:${id}`;
}

/** Delays between tries (ms); the last one repeats. */
const retryDelaysMs = [5_000, 30_000, 5 * minuteMs, 30 * minuteMs, 6 * hourMs];
/** How long after arrival a webhook counts as failed (ms). */
const givenUpAfterMs = 14 * dayMs;

/** The outcome of a webhook whose event, Space or user is unknown. The first of `waitsFor` gives the reason's code. */
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
