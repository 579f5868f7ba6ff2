import { wholeNumber } from "../kernel/text.ts";
import { dayMs, minuteMs } from "../kernel/clock.ts";
import type { ClassroomEvent } from "./classroom-event.ts";
import type { JoinSettings } from "../settings/options.ts";

export type Entry = {
  courseId: string;
  personId: string;
  /** Our id of the link; null opens the course's own Space. */
  courseLinkId: string | null;
  role: "instructor" | "learner";
  /** The LMS's locale of this launch, such as "de" or "pt-BR"; null when not sent. */
  locale: string | null;
  /** A phone or tablet, where the classroom cannot record locally. */
  mobile: boolean;
  shown: JoinSettings["mode"];
};

/** How a person entered last: the best guess for the next time. */
export type LastEntry = Pick<Entry, "courseLinkId" | "locale" | "mobile">;

/** When a course or one of its links lets learners in, and which. */
export type EntryWindow = {
  /** "around-sessions" depends on known sessions: see `entryStateAt`. */
  opens: "always" | "around-sessions";
  minutesBefore: number;
  minutesAfter: number;
  /** The LMS's ids of the sections that may enter; empty for all. */
  sectionIds: readonly string[];
};

export const alwaysOpen: EntryWindow = {
  opens: "always",
  minutesBefore: 15,
  minutesAfter: 15,
  sectionIds: [],
};

/** Most minutes before or after a session: a day. */
export const maxMinutes = 1_440;

/** Null unless a whole number from 0 to `maxMinutes`. */
export function minutesFrom(typed: string): number | null {
  const minutes = wholeNumber(typed);
  return minutes <= maxMinutes ? minutes : null;
}

export type EntryWindowEvent = Pick<ClassroomEvent, "startsAt" | "endsAt" | "cancelled" | "deleted">;

export type EntryFacts = {
  entryWindow: EntryWindow;
  role: "instructor" | "learner";
  /** Neither a learner nor staff, while such people stay out. */
  staysOut: boolean;
  /** The person's sections; null when the LMS does not report them. */
  sectionIds: readonly string[] | null;
  /** Sessions of the course, or the link's one; past ones may be left out. */
  events: readonly EntryWindowEvent[];
  oneSession: boolean;
  now: number;
};

type OpenBecause =
  | "always"
  | "host"
  /** A session is on; closes at `until`. */
  | "session"
  /** No session that is not over is known. */
  | "no-session"
  | "session-untimed";

export type EntryState =
  | { state: "open"; because: OpenBecause; until: number | null }
  | { state: "closed"; because: "early"; opensAt: number }
  /** The link's one session is over, cancelled or deleted. */
  | { state: "closed"; because: "over" | "cancelled" | "deleted" }
  /** The LMS lists them neither as learners nor as staff. */
  | { state: "closed"; because: "guests" }
  | { state: "closed"; because: "other-sections"; sectionIds: readonly string[] };

/** Assumed length (ms) of a session of unknown end: no one is locked out of one that still runs. */
const unknownEndMs = dayMs;

/**
 * Instructors always, and missing knowledge (no coming session, a session without a time, unreported sections) locks
 * no one out. Open from exactly `minutesBefore` before the start until just before `minutesAfter` after the end.
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

/** As {@link entryStateAt}, for all invited people, as instructors see it. */
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
    // A session that ends as it begins, with no minutes around it, lets nobody in.
    .filter(({ from, until }) => from < until);
  const current = windows.filter(({ from, until }) => from <= now && now < until);
  if (current.length > 0) return open("session", Math.max(...current.map(({ until }) => until)));
  const later = windows.filter(({ from }) => from > now);
  if (later.length > 0) {
    return { state: "closed", because: "early", opensAt: Math.min(...later.map(({ from }) => from)) };
  }
  if (!oneSession || events.length === 0) return open("no-session");
  if (planned.length > 0) return { state: "closed", because: "over" };
  const gone = events.every(({ deleted }) => deleted === true);
  return { state: "closed", because: gone ? "deleted" : "cancelled" };
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

/** Sessions that ended longer ago than this (ms) affect no entry. */
export const entryLookbackMs = maxMinutes * minuteMs + unknownEndMs;
