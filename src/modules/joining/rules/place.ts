import type { Entry } from "../../../domain/entry.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** A place in the line at the classroom's door. One line for each environment; what is in it outlives a restart. */
export type Place = Entry & {
  id: string;
  /** Digest of the ticket that the waiting browser keeps; it names the page's address. A person who comes again gets a new one. */
  ticket: string;
  environment: EnvironmentName;
  registrationId: string;
  /** Places with a lower turn go first; see `PlaceStore.join` for how courses share the door. */
  turn: number;
  arrivedAt: number;
  /** Calls this entry will probably need: one, and one more while there is no API user. */
  calls: number;
  state: PlaceState;
  /** The sealed login URL; null before it is there and after it was used. */
  login: string | null;
  /** Names the Space URL the login is for; a login for another one than today's is not used. */
  fingerprint: string | null;
  /** When the login stops being used (ms). */
  usableUntil: number;
  /** Why it failed, or why it takes longer; null when all is well. */
  problem: PlaceProblem | null;
  /** When the classroom began not to answer for this place; null when it did not. */
  troubleSince: number | null;
  /** The person is taken to be there until this moment; nobody is let in who is not. */
  seenUntil: number;
};

/** "ready": the login is there; "entered": it was used. */
export type PlaceState = "waiting" | "ready" | "entered" | "failed";

/** What went wrong, as a NamedError says it. */
export type PlaceProblem = { code: string; message: string; status: number; temporary: boolean };

/** What a waiting person is told. */
export type PlaceView =
  /** `trouble`: the classroom does not answer at the moment; it is tried again by itself. */
  | { state: "waiting"; ahead: number; seconds: number; trouble: boolean }
  | { state: "ready" }
  | { state: "entered" }
  /** The place is another tab's now, or was forgotten. */
  | { state: "gone" }
  | { state: "failed"; problem: PlaceProblem };

/** Calls a second that the throttle lets through, a little below the limit of 4. */
const callsPerSecond = 3.9;

/** How long until somebody is let in, with so many calls to be made before (their own included); whole seconds. */
export function secondsUntilIn(calls: number): number {
  return Math.ceil(calls / callsPerSecond);
}

/** A login is used up to this age (ms): the classroom takes it for an hour, and the person still has to arrive. */
export const loginUsableFor = 55 * 60_000;
