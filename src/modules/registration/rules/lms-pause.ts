import { describeRecord, flag, type ItemOf, number, text, textOf, texts } from "../../../domain/record.ts";
import { NamedError } from "../../../kernel/errors.ts";

/** While an LMS's services are not called, by any process. One record for each LMS and reason. */
export const lmsPauseRecord = describeRecord("LmsPause", {
  id: null,
  fields: {
    registrationId: text,
    /** refused: it gives the tool no access token · closed: it answers every call with a page of maintenance. */
    why: textOf<"refused" | "closed">(),
    since: number,
    /** By the clock of the process that asked (ms). */
    triedAt: number,
    nextTryAt: number,
    /** How often the LMS has said so. */
    tries: number,
    /** HTTP status of its latest answer. */
    status: number,
    /** The LMS's error code (RFC 6749, section 5.2); null for none. */
    error: text.orNull,
    /** Scope sets it gave no token for, each sorted and joined by a space; empty when it is closed. */
    refused: texts.or([]),
    /** Whether one of them is for the gradebook. */
    grades: flag.or(false),
    /** Only about these scopes: other tokens are given, or the LMS said so. */
    ofScopes: flag.or(false),
  },
  held: {
    key: "lmsPauses",
    holds: "that an LMS is left alone for a while, since when and why; no person",
    kept: "until the LMS can be asked again",
  },
});
export type LmsPause = ItemOf<typeof lmsPauseRecord>;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Another process may try after this (ms): the one that tries may have ended. */
export const trialTtlMs = 30_000;

/** A maintenance page that promises at least this (ms) closes the LMS for all processes; less is a hiccup. */
export const minClosingMs = 5_000;

/**
 * A closed LMS is asked again after this (ms). A 503's Retry-After is an estimate (RFC 9110, 10.2.3), and maintenance
 * is often over sooner; that of a 429 is a demand (RFC 6585, 4) and is kept.
 */
export const closedLookIntervalMs = 30_000;

/** A clock that was ahead by more than this (ms) makes a pause due: its times are useless. */
const maxClockLeadMs = minuteMs;

/** Whether the LMS may be asked again. */
export function isPauseDue({ nextTryAt, triedAt }: LmsPause, now: number): boolean {
  return nextTryAt <= now || triedAt > now + maxClockLeadMs;
}

/** The pause after a refused token (ms): 1, 5, 15 minutes, and each hour after a day. */
export function refusedPause(tries: number, since: number, now: number): number {
  if (tries <= 1) return minuteMs;
  if (tries === 2) return 5 * minuteMs;
  return now - since < dayMs ? 15 * minuteMs : 60 * minuteMs;
}

/** Whether no score can be sent. A refusal of some scopes concerns some courses only. */
export function stopsScores(pause: LmsPause, now: number): boolean {
  if (isPauseDue(pause, now)) return false;
  return pause.why === "closed" || (pause.grades && !pause.ofScopes);
}

export const pausedCodes: readonly string[] = ["lms-closed", "lms-token-refused", "lms-key-refused"];

/** The end of the pause that caused an error; else null. */
export function pausedUntil(thrown: unknown): number | null {
  const until = thrown instanceof NamedError ? thrown.details["pausedUntil"] : null;
  return typeof until === "number" ? until : null;
}
