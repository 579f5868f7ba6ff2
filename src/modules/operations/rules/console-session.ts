import { date, describeRecord, expiry, index, type ItemOf, number, text } from "../../../domain/record.ts";
import { once } from "../../../domain/held-record.ts";

/** Somebody who is logged in to the console. Its id is a digest of what the cookie holds. */
export const consoleSessionRecord = describeRecord("ConsoleSession", {
  fields: {
    /** By which they may enter: "password", "lms", or an entry of the operators' or readers' list. */
    right: text,
    /** E-mail address of an operator or reader, else their id at the provider; null with the password, or from an LMS. */
    operator: text.orNull,
    /** Of an LMS's administrator; else null. */
    registrationId: text.orNull,
    personId: text.orNull,
    /** From which an LMS's administrator came; null of none, or in sessions of earlier versions. */
    deploymentId: text.orNull,
    /** Milliseconds since the epoch. */
    beganAt: number,
    /** Of the latest request (ms), to the minute. */
    usedAt: number,
    endsAt: date,
  },
  indexes: [
    // Only tidies up; readers compare the time.
    expiry("endsAt"),
    index("registrationId", "personId"),
  ],
  held: {
    key: "consoleSessions",
    holds:
      "who is logged in to the console since when: an operator's e-mail address, or which administrator of an LMS by our id; a digest of its secret",
    kept: "12 hours after the log-in; less when it is ended",
    person: [once],
    names: [{ path: "personId", among: "registration" }],
  },
});
export type ConsoleSessionRow = ItemOf<typeof consoleSessionRecord>;

const hour = 3_600_000;

/** Latest end after the log-in (ms). */
export const consoleLifetimeMs = 12 * hour;
/** Shorter for an LMS's administrators: theirs rest on one launch. */
export const scopedLifetimeMs = 2 * hour;
/** Ends when nothing was asked for so long (ms). */
export const consoleIdleMs = hour;
/** `usedAt` is written only when it is this old (ms). */
export const usedIntervalMs = 60_000;

/** Over by its latest end, or unused for too long. */
export function isConsoleSessionOver(
  { endsAt, usedAt }: Pick<ConsoleSessionRow, "endsAt" | "usedAt">,
  now: number,
): boolean {
  return endsAt.getTime() <= now || usedAt + consoleIdleMs <= now;
}
