import { wholeNumber } from "../kernel/text.ts";
import { dayMs, minuteMs } from "../kernel/clock.ts";
import type { ClassroomEvent } from "./classroom-event.ts";
import type { JoinSettings } from "../settings/options.ts";

export type Entry = {
  courseId: string;
  personId: string;
  /** Our id of the link; null for the course's own Space. */
  courseLinkId: string | null;
  role: "instructor" | "learner";
  /** The LMS's locale of this launch, such as "de" or "pt-BR"; null when not sent. */
  locale: string | null;
  /** A phone or tablet, where the classroom cannot record locally. */
  mobile: boolean;
  shown: JoinSettings["mode"];
};

/** How a person last entered, as the best guess for the next time. */
export type LastEntry = Pick<Entry, "courseLinkId" | "locale" | "mobile">;

/** When a course or one of its links lets learners in, and which learners. */
export type EntryWindow = {
  /** "around-sessions" depends on sessions that we know: see `entryStateAt`. */
  opens: "always" | "around-sessions";
  minutesBefore: number;
  minutesAfter: number;
  /** The sections that may enter, by the LMS's ids; empty for all. */
  sectionIds: readonly string[];
};

export const alwaysOpen: EntryWindow = {
  opens: "always",
  minutesBefore: 15,
  minutesAfter: 15,
  sectionIds: [],
};

/** The most minutes before or after a session: one day. */
export const maxMinutes = 1_440;

/** Reads a whole number from 0 to `maxMinutes`; null for anything else. */
export function minutesFrom(typed: string): number | null {
  const minutes = wholeNumber(typed);
  return minutes <= maxMinutes ? minutes : null;
}

export type EntryWindowEvent = Pick<ClassroomEvent, "startsAt" | "endsAt" | "cancelled" | "deleted">;

export type EntryFacts = {
  entryWindow: EntryWindow;
  role: "instructor" | "learner";
  /** They are neither a learner nor staff, and such people aren't let in. */
  staysOut: boolean;
  /** The person's sections; null when the LMS does not report them. */
  sectionIds: readonly string[] | null;
  /** Sessions of the course, or the one session of the link; past ones may be left out. */
  events: readonly EntryWindowEvent[];
  oneSession: boolean;
  now: number;
};

type OpenBecause =
  | "always"
  | "host"
  /** A session is on; entry closes at `until`. */
  | "session"
  /** We know no session that isn't over. */
  | "no-session"
  | "session-untimed";

export type EntryState =
  | { state: "open"; because: OpenBecause; until: number | null }
  | { state: "closed"; because: "early"; opensAt: number }
  /** The link's only session is over, cancelled or deleted. */
  | { state: "closed"; because: "over" | "cancelled" | "deleted" }
  /** The LMS lists them neither as learners nor as staff. */
  | { state: "closed"; because: "guests" }
  | { state: "closed"; because: "other-sections"; sectionIds: readonly string[] };

/** Assumed length (ms) of a session whose end is unknown, so that we don't lock people out while it is still on. */
const unknownEndMs = dayMs;

/**
 * Instructors may always enter, and missing knowledge (no coming session, a session without a time, unreported sections) locks
 * nobody out. Open from exactly `minutesBefore` the start until just before `minutesAfter` the end.
 */
export function entryStateAt(facts: EntryFacts): EntryState {
  const { entryWindow, role, sectionIds, staysOut } = facts;
  if (role === "instructor") return open("host");
  if (staysOut) return { state: "closed", because: "guests" };
  const invited =
    entryWindow.sectionIds.length === 0 ||
    sectionIds === null ||
    sectionIds.some((id) => entryWindow.sectionIds.includes(id));
  if (!invited) return { state: "closed", because: "other-sections", sectionIds: entryWindow.sectionIds };
  return timesAt(facts);
}

/** As {@link entryStateAt}, for everyone who is invited, as instructors see it. */
export function timesAt({
  entryWindow,
  events,
  oneSession,
  now,
}: Omit<EntryFacts, "role" | "sectionIds" | "staysOut">): EntryState {
  if (entryWindow.opens === "always") return open("always");
  const planned = events.filter(({ cancelled }) => !cancelled);
  if (planned.some(({ startsAt }) => startsAt === null)) return open("session-untimed");
  const windows = planned
    .flatMap((event) => windowOf(event, entryWindow) ?? [])
    // A session that ends the moment it begins, with no minutes around it, lets nobody in.
    .filter(({ from, until }) => from < until);
  const current = windows.filter(({ from, until }) => from <= now && now < until);
  if (current.length > 0) return open("session", Math.max(...current.map(({ until }) => until)));
  const later = windows.filter(({ from }) => from > now);
  if (later.length > 0) {
    return { state: "closed", because: "early", opensAt: Math.min(...later.map(({ from }) => from)) };
  }
  if (!oneSession || events.length === 0) return open("no-session");
  if (planned.length > 0) return { state: "closed", because: "over" };
  const allDeleted = events.every(({ deleted }) => deleted === true);
  return { state: "closed", because: allDeleted ? "deleted" : "cancelled" };
}

function open(because: OpenBecause, until: number | null = null): EntryState {
  return { state: "open", because, until };
}

function windowOf(event: EntryWindowEvent, entryWindow: EntryWindow): { from: number; until: number } | null {
  if (event.startsAt === null) return null;
  const endsAt =
    event.endsAt === null ? event.startsAt + unknownEndMs : Math.max(event.startsAt, event.endsAt);
  return {
    from: event.startsAt - entryWindow.minutesBefore * minuteMs,
    until: endsAt + entryWindow.minutesAfter * minuteMs,
  };
}

/** Sessions that ended longer ago than this (ms) don't affect entry. */
export const entryLookbackMs = maxMinutes * minuteMs + unknownEndMs;
