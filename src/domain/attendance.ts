import { compareText } from "../kernel/lists.ts";

/** The longest note we keep (UTF-16 units). Longer notes from the classroom are cut. */
export const maxClassroomNote = 1_000;

/** The statuses that the classroom documents. We store and show any other status as it came, and never grade it. */
export const knownStatuses = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;
export type KnownStatus = (typeof knownStatuses)[number];

/** When a person was in the Space during a session; all times in ms. */
export type SeenPresence = {
  /** When the session was planned, or when the unplanned class took place. */
  startsAt: number;
  endsAt: number;
  /** How long they were in it. */
  ms: number;
  /** The part of `ms` with the Space hidden behind another tab; left out if none was reported. */
  hiddenMs?: number;
  /** Their first stays, cut to the session. */
  stays: readonly { from: number; to: number }[];
  /** Nobody reported when they left. */
  leftUnknown?: true;
  /** Nobody reported when they came, or there were more reports than we keep. */
  cameUnknown?: true;
};

/** Whole minutes of a session, as pages show and policies count them. */
export type SessionMinutes = {
  present: number;
  /** The session's length. */
  of: number;
  /** The part of `present` with the Space hidden behind another tab; left out for 0. */
  hidden?: number;
};

/** One observation of a person's attendance in one event: from a webhook, a reading, presence or a check-in. */
export type AttendanceObservation = {
  status: string;
  notes: string | null;
  /** When it changed in the classroom (ms). */
  at: number;
  /** The classroom user who changed it; null when not reported. */
  updatedBy: string | null;
  /** The value before it (`prevStatus`, interface 6.6); left out when not reported. */
  previous?: { status: string; notes: string | null };
  /**
   * "host": reported about the person's host user. "presence": not reported, but computed from their time in the Space; it counts only if
   * there is nothing else. "code": they checked in with a code shown in the room; it counts if the classroom reported nothing, or an
   * absence.
   * Left out for their other users.
   */
  as?: "host" | "presence" | "code";
  /** With `as` "presence": their stay, from which the status was computed. */
  seen?: SeenPresence;
};

export type AttendanceHistory = readonly AttendanceObservation[];

/** An instructor's decision about one learner's session. The newest correction wins over the classroom's report. */
export type Correction = {
  /** Null withdraws earlier corrections, so the classroom's status counts again. */
  status: KnownStatus | null;
  notes: string | null;
  /** In the instructor's words; null when they gave none. */
  reason: string | null;
  /** The id of the person who corrected. */
  by: string;
  at: number;
};

export type AttendanceFacts = {
  history: AttendanceHistory;
  /** Newest first. */
  corrections: readonly Correction[];
  /** When they were in the Space during a planned session, as evidence. Left out when unknown. */
  seen?: SeenPresence;
};

/** A person's attendance in a session as it is shown and counted. */
export type CurrentAttendance = {
  status: string;
  notes: string | null;
  /** "presence": suggested by their time in the Space; neither the classroom nor a person said anything. "code": they checked in. */
  source: "classroom" | "instructor" | "presence" | "code";
  /** When they checked in (ms), if the check-in counts. */
  checkedInAt?: number;
  /** The stay that a suggestion is based on. */
  seen?: SeenPresence;
  /** The correction that counts; null when the classroom's status counts. */
  correction: Correction | null;
  /** A later status from the classroom that differs from the correction. Pages show it, but it never counts. */
  conflicting: AttendanceObservation | null;
};

/** Person ids of all instructors who made corrections, each once. */
export function authorsIn(records: readonly Pick<AttendanceFacts, "corrections">[]): string[] {
  return [...new Set(records.flatMap(({ corrections }) => corrections.map(({ by }) => by)))];
}

/** The attendance that counts now; null when nothing is known. */
export function currentAttendanceOf({ history, corrections }: AttendanceFacts): CurrentAttendance | null {
  const observed = latestObservation(history);
  const correction = corrections[0];
  if (correction === undefined || correction.status === null) {
    if (observed === null) return null;
    const { status, notes, seen } = observed;
    return {
      status,
      notes,
      source: sourceOf(observed),
      correction: null,
      conflicting: null,
      ...(seen === undefined ? {} : { seen }),
      ...(observed.as === "code" ? { checkedInAt: observed.at } : {}),
    };
  }
  const conflicts =
    observed !== null && observed.at > correction.at && contradicts(observed, correction.status);
  return {
    status: correction.status,
    notes: correction.notes,
    source: "instructor",
    correction,
    conflicting: conflicts ? observed : null,
  };
}

/** Whether an observation comes from the classroom, from presence or from a check-in. */
export function sourceOf({ as }: Pick<AttendanceObservation, "as">): "classroom" | "presence" | "code" {
  return as === "presence" || as === "code" ? as : "classroom";
}

/** A check-in contradicts only an absence: the instructor knows better who came late or is excused. */
function contradicts({ as, status }: AttendanceObservation, answer: KnownStatus): boolean {
  return as === "code" ? answer === "ABSENT" : status !== answer;
}

export function asKnownStatus(status: string): KnownStatus | null {
  return knownStatuses.find((known) => known === status) ?? null;
}

/** The status in the interface's spelling if only case or surrounding spaces differ; any other text unchanged. */
export function statusAsWritten(text: string): string {
  return asKnownStatus(text.trim().toUpperCase()) ?? text;
}

/** How many of the newest observations of one person in one event we keep. Each page of the course reads them all. */
const maxObservations = 200;

/**
 * Adds an observation. Arrivals may come in any order and repeatedly: they are sorted by their own time, and duplicates are dropped.
 * Of two equal ones, that with `previous` stays: a webhook says what was before, a reading of the same mark doesn't.
 */
export function withObservation(history: AttendanceHistory, seen: AttendanceObservation): AttendanceHistory {
  const known = history.find((one) => compareObservations(one, seen) === 0);
  if (known === undefined) {
    const all = [...history, seen].sort(compareObservations);
    return all.filter((one, at) => at < maxObservations || sourceOf(one) !== "classroom");
  }
  if (previousText(seen) <= previousText(known)) return history;
  return history.map((one) => (one === known ? seen : one));
}

export function hasObservation(history: AttendanceHistory, seen: AttendanceObservation): boolean {
  return history.some((known) => compareObservations(known, seen) === 0);
}

function previousText({ previous }: AttendanceObservation): string {
  return previous === undefined ? "" : JSON.stringify([previous.status, previous.notes]);
}

/** Adds a correction, sorted by its time, so work resumed after a crash doesn't undo a later one. Newest first, duplicates dropped. */
export function withCorrection(
  corrections: readonly Correction[],
  correction: Correction,
): readonly Correction[] {
  if (corrections.some((known) => isSameCorrection(known, correction))) return corrections;
  const newer = corrections.filter(({ at }) => at > correction.at);
  return [...newer, correction, ...corrections.slice(newer.length)];
}

function isSameCorrection(one: Correction, other: Correction): boolean {
  return (
    one.at === other.at &&
    one.by === other.by &&
    one.status === other.status &&
    one.notes === other.notes &&
    one.reason === other.reason
  );
}

/**
 * The observation that counts, the newest by the classroom's timestamp. Reports about the host user count only if there is no other,
 * since they aren't a learner's mark. A check-in counts if the classroom reported nothing or an absence, because it doesn't see learners
 * in the room. A suggestion from presence counts only if nothing else was reported.
 */
export function latestObservation(history: AttendanceHistory): AttendanceObservation | null {
  const told = newestOf(history, undefined) ?? newestOf(history, "host");
  const checkedIn = history.find(({ as }) => as === "code");
  if (checkedIn !== undefined && (told === null || told.status === "ABSENT")) return checkedIn;
  return told ?? history[0] ?? null;
}

/** If several marks have the same time, the one that no other names as its predecessor; else the first in `compareObservations`. */
function newestOf(history: AttendanceHistory, as: AttendanceObservation["as"]): AttendanceObservation | null {
  const own = history.filter((one) => one.as === as);
  const tied = own.filter(({ at }) => at === own[0]?.at);
  const isFollowed = ({ status }: AttendanceObservation) =>
    tied.some((other) => other.status !== status && other.previous?.status === status);
  return tied.find((one) => !isFollowed(one)) ?? tied[0] ?? null;
}

/** When they checked in (ms), even if something else counts. */
export function checkInOf({ history }: Pick<AttendanceFacts, "history">): number | undefined {
  return history.find(({ as }) => as === "code")?.at;
}

/** Adds a check-in; only the first one counts. @returns `history` itself if they had checked in already. */
export function withCheckIn(
  history: AttendanceHistory,
  checkIn: Pick<AttendanceObservation, "status" | "at">,
): AttendanceHistory {
  if (history.some(({ as }) => as === "code")) return history;
  return withObservation(history, { ...checkIn, notes: null, updatedBy: null, as: "code" });
}

/** The stay that presence reports, even if something else counts. */
export function presenceSeen({ history, seen }: Pick<AttendanceFacts, "history" | "seen">) {
  return history.find(({ as }) => as === "presence")?.seen ?? seen;
}

/** Null when we don't know how long they were there. */
export function minutesOf(seen: SeenPresence): SessionMinutes | null {
  const { startsAt, endsAt, ms, hiddenMs = 0, leftUnknown = false, cameUnknown = false } = seen;
  const of = wholeMinutes(endsAt - startsAt);
  if (leftUnknown || cameUnknown || of === 0) return null;
  const present = Math.min(of, wholeMinutes(ms));
  const hidden = Math.min(present, wholeMinutes(hiddenMs));
  return { present, of, ...(hidden === 0 ? {} : { hidden }) };
}

function wholeMinutes(ms: number): number {
  return Math.round(ms / 60_000);
}

/**
 * The minutes that a policy by minutes counts instead of the status. Null if the status itself counts: an instructor gave it, it says absent
 * or excused, their time is unknown, or they checked in (time in the Space says nothing about a learner in the room). A status suggested
 * by presence is counted by minutes even if it suggests an absence, because it is computed from them.
 */
export function countedMinutes(facts: AttendanceFacts): SessionMinutes | null {
  const current = currentAttendanceOf(facts);
  const seen = presenceSeen(facts);
  if (current === null || seen === undefined || current.source === "instructor") return null;
  if (checkInOf(facts) !== undefined) return null;
  const attended = current.status === "PRESENT" || current.status === "LATE";
  const isSuggested = current.source === "presence" && seen.stays.length > 0;
  return attended || isSuggested ? minutesOf(seen) : null;
}

export function sameSeen(one: SeenPresence | undefined, other: SeenPresence | undefined): boolean {
  return seenText({ seen: one }) === seenText({ seen: other });
}

/** Adds or replaces the suggestion of presence, of which there is only one; null removes it. @returns `history` itself if nothing changes. */
export function withSuggestion(history: AttendanceHistory, suggestion: AttendanceObservation | null) {
  const others = history.filter(({ as }) => as !== "presence");
  const before = history.filter(({ as }) => as === "presence");
  if (suggestion === null) return before.length === 0 ? history : others;
  const [only, ...more] = before;
  if (only !== undefined && more.length === 0 && saysSame(only, suggestion)) return history;
  return [...others, suggestion].sort(compareObservations);
}

function saysSame(one: AttendanceObservation, other: AttendanceObservation): boolean {
  return compareObservations(one, other) === 0 && seenText(one) === seenText(other);
}

/** Comparable text, because a store may return an object's fields in another order. */
function seenText({ seen }: { seen?: SeenPresence | undefined }): string {
  if (seen === undefined) return "";
  const { startsAt, endsAt, ms, hiddenMs = 0, stays, leftUnknown = false, cameUnknown = false } = seen;
  const times = stays.map(({ from, to }) => [from, to]);
  return JSON.stringify([startsAt, endsAt, ms, hiddenMs, leftUnknown, cameUnknown, times]);
}

/** Observations about the same classroom user as the given one. To the classroom, a person's two users are two people. */
export function historyOfSameUser(
  history: AttendanceHistory,
  { as }: Pick<AttendanceObservation, "as">,
): AttendanceHistory {
  return history.filter((one) => one.as === as);
}

/** A total order, newest first. Equal times are decided by content, so every process decides alike and nobody is absent by chance. */
function compareObservations(a: AttendanceObservation, b: AttendanceObservation): number {
  return (
    b.at - a.at ||
    rankOf(a.status) - rankOf(b.status) ||
    compareText(a.status, b.status) ||
    compareMaybe(a.notes, b.notes) ||
    compareMaybe(a.updatedBy, b.updatedBy) ||
    compareMaybe(a.as ?? null, b.as ?? null)
  );
}

/** A percentage as shown and compared, rounded half up: 23 of 40 is 58, although 0.575 * 100 is a little less than 57.5. */
export function wholePercent(share: number): number {
  return Math.round(Math.round(share * 1e6) / 1e4);
}

/** A status that is better for the learner has a lower rank. Unknown statuses come last. */
export function rankOf(status: string): number {
  const rank = bestFirst.findIndex((known) => known === status);
  return rank < 0 ? bestFirst.length : rank;
}

const bestFirst: readonly KnownStatus[] = ["PRESENT", "LATE", "EXCUSED", "ABSENT"];

/** Null sorts before every text, even "". If they were equal, the first to arrive would win. */
function compareMaybe(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareText(a, b);
}
