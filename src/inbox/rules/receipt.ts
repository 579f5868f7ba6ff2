import { describeRecord, unique, index, onlyWhere, type ItemOf } from "../../domain/record.ts";
import { textOf, text, number, leaseFields } from "../../domain/record-fields.ts";
import type { EnvironmentName } from "../../domain/registration.ts";

/** A webhook as it arrived and what became of it. */
export const receiptRecord = describeRecord("Receipt", {
  fields: {
    environment: textOf<EnvironmentName>(),
    /** What it is filed under, see `familyOf`; receipts of earlier versions lack it. */
    family: text.optional,
    /** SHA-256 of the raw body: with the environment it is the webhook's identity, for the service sends no id. */
    digest: text,
    /** The body as it came; what is no UTF-8 in it stands as replacement characters. */
    body: text,
    /** The body's bytes in base64, where its text is not all they say. */
    bytes: text.optional,
    receivedAt: number,
    /**
     * waiting: to be processed (also again, after a temporary failure) · asking: the classroom may have to be asked about
     * it, which takes a few calls a second · again: an operator wants it processed once more, behind those · unmatched: its
     * event, Space or user is not known yet; tried again for days · done · kept: of a family we do not act on · failed:
     * given up.
     */
    state: textOf<ReceiptState>(),
    attempts: number,
    nextTryAt: number,
    /** Why it is where it is, in words. */
    reason: text.orNull,
    /** Code of what `reason` says, to say it in other languages; null and missing (earlier versions): there is none. */
    code: textOf<string | null>().optional,
    /** What an unmatched receipt waits for, by `waitKey`: its event or that event's Space, and its user. Null: nothing known. */
    waitsFor: textOf<string | null>().optional,
    waitsForUser: textOf<string | null>().optional,
  },
  hidden: {
    /** Whom it is about, by `Asking.about`, while the classroom may have to be asked about it; null or missing before and after. */
    about: textOf<string | null>().optional,
    ...leaseFields,
  },
  indexes: [
    unique("environment", "digest"),
    index("state", "nextTryAt"),
    index("state", "receivedAt"),
    // Of a burst, hardly any receipt waits for something: those that do not cost nothing here.
    onlyWhere({ waitsFor: { $type: "string" } }, index("waitsFor")),
    onlyWhere({ waitsForUser: { $type: "string" } }, index("waitsForUser")),
    onlyWhere({ about: { $gt: "" } }, index("about")),
  ],
  held: {
    key: "webhooks",
    holds: "bodies of webhooks as they came, with user ids of the classroom",
    kept: "90 days after they took effect; what failed is kept for a replay, or RETENTION_DAYS where that is set. The body of one that names an erased person is replaced",
  },
});
export type Receipt = ItemOf<typeof receiptRecord>;

/** Webhooks that have taken effect, or that we do not act on, are kept so long (ms); what failed is kept for a replay. */
export const receiptsKeptFor = 90 * 24 * 3_600_000;

/** Every state, those first that need somebody. */
export const receiptStates = ["failed", "unmatched", "waiting", "asking", "again", "done", "kept"] as const;
export type ReceiptState = (typeof receiptStates)[number];

/** Something of the classroom that a receipt may wait for: a user who becomes somebody, an event or Space that becomes a course's. */
export type Matchable = { kind: "user" | "event" | "space"; environment: EnvironmentName; id: string };

/** How a receipt writes down what it waits for. */
export function waitKey({ kind, environment, id }: Matchable): string {
  return `${kind}:${environment}:${id}`;
}
