import type { JoinSettings } from "../../../domain/join-url.ts";
import { describeRecord, index, unique, onlyWhere, expiry, type ItemOf } from "../../../domain/record.ts";
import {
  text,
  textOf,
  flag,
  number,
  json,
  date,
  leaseFields,
  flagOf,
} from "../../../domain/record-fields.ts";
import { everyCourse, given } from "../../../domain/held-record.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** A place in the line at the classroom's door. One line for each environment; what is in it outlives a restart. */
export const queuePositionRecord = describeRecord("Place", {
  fields: {
    /** Digest of the ticket that the waiting browser keeps; it names the page's address. A person who comes again gets a new one. */
    ticket: text,
    environment: textOf<EnvironmentName>(),
    registrationId: text,
    courseId: text,
    personId: text,
    /** Our id of the link through which they come; null opens the course's own Space. */
    courseLinkId: text.orNull,
    role: textOf<"instructor" | "learner">(),
    /** The LMS's locale of this launch, such as "de" or "pt-BR"; null when not told. */
    locale: text.orNull,
    /** A phone or tablet, where the classroom cannot record locally. */
    mobile: flag,
    /** Whether the Space is shown in a tab of its own or inside our page. */
    shown: textOf<JoinSettings["mode"]>(),
    /** Places with a lower turn go first; see `PlaceStore.join` for how courses share the door. */
    turn: number,
    arrivedAt: number,
    /** Calls this entry will probably need: one, and one more while there is no API user. */
    calls: number,
    state: textOf<QueuePositionState>(),
    /** The sealed login URL; null before it is there and after it was used. */
    login: text.orNull,
    /** Names the Space URL the login is for; a login for another one than today's is not used. */
    fingerprint: text.orNull,
    /** When the login stops being used (ms). */
    usableUntil: number.or(0),
    /** Why it failed, or why it takes longer; null when all is well. */
    problem: json<EntryProblem>().orNull,
    /** When the classroom began not to answer for this place; null when it did not. */
    troubleSince: number.orNull,
    /** The person is taken to be there until this moment; nobody is let in who is not. */
    seenUntil: number,
  },
  hidden: {
    notBefore: number.or(0),
    expiresAt: date,
    /** Set while the place is waiting or ready: a person has one such place in a course. */
    open: flagOf<true>().optional,
    /** How often it came back to the line after its login had been there. */
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
    holds: "a place in the line at the door with a sealed login",
    kept: "two hours; the store deletes it by itself",
    person: [everyCourse],
    given: given(everyCourse, "courseId role arrivedAt state mobile locale"),
    names: [{ path: "personId", among: "courses" }],
  },
});
export type QueuePosition = ItemOf<typeof queuePositionRecord>;

/** "ready": the login is there; "entered": it was used. */
export type QueuePositionState = "waiting" | "ready" | "entered" | "failed";

/** What went wrong, as a NamedError says it. */
export type EntryProblem = { code: string; message: string; status: number; temporary: boolean };

/** What a waiting person is told. */
export type QueueView =
  /** `trouble`: the classroom does not answer at the moment; it is tried again by itself. */
  | { state: "waiting"; ahead: number; seconds: number; trouble: boolean }
  | { state: "ready" }
  | { state: "entered" }
  /** The place is another tab's now, or was forgotten. */
  | { state: "gone" }
  | { state: "failed"; problem: EntryProblem };

/** Calls a second that the throttle lets through, a little below the limit of 4. */
const callsPerSecond = 3.9;

/** How long until somebody is let in, with so many calls to be made before (their own included); whole seconds. */
export function secondsUntilIn(calls: number): number {
  return Math.ceil(calls / callsPerSecond);
}

/** A login is used up to this age (ms): the classroom takes it for an hour, and the person still has to arrive. */
export const loginUsableFor = 55 * 60_000;
