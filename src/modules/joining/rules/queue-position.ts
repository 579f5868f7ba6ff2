import type { JoinSettings } from "../../../domain/join-settings.ts";
import {
  date,
  describeRecord,
  expiry,
  flag,
  flagOf,
  index,
  type ItemOf,
  json,
  leaseFields,
  number,
  onlyWhere,
  text,
  textOf,
  unique,
} from "../../../domain/record.ts";
import { everyCourse, given } from "../../../domain/held-record.ts";
import type { AccountId } from "../../../domain/account.ts";
import { queueCallsPerSecond } from "./limits.ts";

/** Outlives a restart. One queue for each environment. Stored as "Place", in `places`. */
export const queuePositionRecord = describeRecord("Place", {
  fields: {
    /** Digest of the browser's ticket; in the page's address. Entering again gives a new one. */
    ticket: text,
    environment: textOf<AccountId>(),
    registrationId: text,
    courseId: text,
    personId: text,
    /** Null: the course's own Space. */
    courseLinkId: text.orNull,
    role: textOf<"instructor" | "learner">(),
    /** Of this launch, such as "de" or "pt-BR"; null when not sent. */
    locale: text.orNull,
    /** A phone or tablet, where the classroom cannot record locally. */
    mobile: flag,
    shown: textOf<JoinSettings["mode"]>(),
    /** Lower turns go first; see `createQueueTurns` for how courses share the queue. */
    turn: number,
    arrivedAt: number,
    /** That this entry will probably need: see `callsToEnter`. */
    calls: number,
    state: textOf<QueuePositionState>(),
    /** The sealed URL; null before it is there and after its use. */
    login: text.orNull,
    /** Of the login's Space URL; a login for another one is not used. */
    fingerprint: text.orNull,
    /** The login's (ms). */
    usableUntil: number.or(0),
    problem: json<EntryProblem>().orNull,
    /** Since when the classroom does not answer for this position (ms). */
    troubleSince: number.orNull,
    /** The person counts as present until then (ms); absent people are not let in. */
    seenUntil: number,
  },
  hidden: {
    notBefore: number.or(0),
    expiresAt: date,
    /** Set while waiting, left or ready: a person has one such position in a course. */
    open: flagOf<true>().optional,
    /** Returns to the queue after its login was there. */
    returns: number.or(0),
    ...leaseFields,
  },
  indexes: [
    index("environment", "state", "turn", "arrivedAt", "_id"),
    index("environment", "state", "seenUntil"),
    unique("ticket"),
    onlyWhere({ open: true }, unique("registrationId", "courseId", "personId")),
    index("registrationId", "courseId", "personId", "arrivedAt"),
    index("environment", "arrivedAt"),
    index("registrationId", "courseId", "state", "-turn"),
    expiry("expiresAt"),
  ],
  held: {
    key: "places",
    holds: "a position in the waiting queue with a sealed login",
    kept: "two hours; the store deletes it by itself",
    person: [everyCourse],
    given: given(everyCourse, "courseId role arrivedAt state mobile locale"),
    names: [{ path: "personId", among: "courses" }],
  },
});
export type QueuePosition = ItemOf<typeof queuePositionRecord>;

/** "left": waiting, but their page is gone; "ready": the login is there; "entered": it was used. */
export type QueuePositionState = "waiting" | "left" | "ready" | "entered" | "failed";

export type EntryProblem = { code: string; message: string; status: number; temporary: boolean };

export type QueueView =
  /** `peopleBefore`: people who go first. `trouble`: the classroom does not answer. */
  | { state: "waiting"; peopleBefore: number; seconds: number; trouble: boolean }
  | { state: "ready" }
  | { state: "entered" }
  /** The position is another tab's now, or was forgotten. */
  | { state: "gone" }
  | { state: "failed"; problem: EntryProblem };

/** Seconds until a person is let in, with `calls` to be made (their own included). */
export function secondsUntilIn(calls: number): number {
  return Math.ceil(calls / queueCallsPerSecond);
}
