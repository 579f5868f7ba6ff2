import { compareText } from "../kernel/lists.ts";

/** The longest note (UTF-16 units); the classroom's longer ones are cut. */
export const maxClassroomNote = 1_000;

/** The statuses the classroom documents. Others are kept as they came, shown, and never graded. */
export const knownStatuses = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;
export type KnownStatus = (typeof knownStatuses)[number];

/** When a person was in the Space during a session; times in ms. */
export type SeenPresence = {
  /** The session as it was planned, or an unplanned class. */
  startsAt: number;
  endsAt: number;
  /** Their time in it. */
  ms: number;
  /** The part of `ms` with the Space hidden behind another tab; left out where none was reported. */
  hiddenMs?: number;
  /** The first of their stays, cut to it. */
  stays: readonly { from: number; to: number }[];
  /** Their leaving was not reported. */
  leftUnknown?: true;
  /** Their coming was not reported, or more signs came than are kept. */
  cameUnknown?: true;
};

/** Whole minutes of a session, as they are shown and counted. */
export type SessionMinutes = {
  present: number;
  /** The session's length. */
  of: number;
  /** The part of `present` with the Space hidden behind another tab; left out for none. */
  hidden?: number;
};

/** One observation of a person's attendance in one event, from a webhook or a poll, from presence, or from a check-in. */
export type AttendanceObservation = {
  status: string;
  notes: string | null;
  /** When it changed in the classroom (ms). */
  at: number;
  /** The user who changed it there; null when not reported. */
  updatedBy: string | null;
  /** The value before (`prevStatus`, interface 6.6); left out when not reported. */
  previous?: { status: string; notes: string | null };
  /**
   * "host": reported of the person's host user. "presence": not reported, but computed from when they were in the
   * Space; it counts only where there is no other. "code": they checked in themselves by a code shown in the room; it
   * counts where the classroom reported nothing, or an absence. Left out for other users of theirs.
   */
  as?: "host" | "presence" | "code";
  /** With `as` "presence": what it was computed from. */
  seen?: SeenPresence;
};

export type AttendanceHistory = readonly AttendanceObservation[];

/** An instructor's decision about one learner's session. The newest wins over the classroom's report. */
export type Correction = {
  /** Null withdraws earlier corrections: the classroom's status counts again. */
  status: KnownStatus | null;
  notes: string | null;
  /** In the instructor's words; null when they gave none. */
  reason: string | null;
  /** The person who corrected. */
  by: string;
  at: number;
};

export type AttendanceFacts = {
  history: AttendanceHistory;
  /** Newest first. */
  corrections: readonly Correction[];
  /** When they were in the Space during a planned session: evidence besides what was reported. Left out when unknown. */
  seen?: SeenPresence;
};

/** A person's attendance in a session as it is shown and counted. */
export type CurrentAttendance = {
  status: string;
  notes: string | null;
  /** "presence": suggested by the time in the Space; neither the classroom nor a person said anything. "code": by check-in. */
  source: "classroom" | "instructor" | "presence" | "code";
  /** When they checked in (ms), where the check-in counts. */
  checkedInAt?: number;
  /** What a suggestion is made from. */
  seen?: SeenPresence;
  /** The correction that counts; null when the classroom's status does. */
  correction: Correction | null;
  /** A later, different status of the classroom: shown, never counted. */
  conflicting: AttendanceObservation | null;
};

/** Person ids of instructors who made corrections, each once. */
export function authorsIn(records: readonly Pick<AttendanceFacts, "corrections">[]): string[] {
  return [...new Set(records.flatMap(({ corrections }) => corrections.map(({ by }) => by)))];
}

/** What counts now; null when nothing is known. */
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

/** What an observation is based on. */
export function sourceOf({ as }: Pick<AttendanceObservation, "as">): "classroom" | "presence" | "code" {
  return as === "presence" || as === "code" ? as : "classroom";
}

/** A learner who checks in says that they are there, and no more: an instructor knows better whether they came late, or are excused. */
function contradicts({ as, status }: AttendanceObservation, answer: KnownStatus): boolean {
  return as === "code" ? answer === "ABSENT" : status !== answer;
}

export function asKnownStatus(status: string): KnownStatus | null {
  return knownStatuses.find((known) => known === status) ?? null;
}

/** A status as the interface writes it, where only its case or the spaces around it differ; any other unchanged. */
export function statusAsWritten(text: string): string {
  return asKnownStatus(text.trim().toUpperCase()) ?? text;
}

/** The newest of one person in one event are kept: each page of the course reads them all. */
const maxObservations = 200;

/**
 * Adds an observation. Order and repetition of arrivals do not matter: they are sorted by their own time, duplicates dropped. Of
 * these a webhook knows what was before, and a reading of the same mark does not.
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

/** Adds a correction, newest first by its own time: work resumed after a crash does not undo a later one. Duplicates are dropped. */
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
 * The newest by the classroom's timestamp. Reports about the host user hold only where there is no other: they are no
 * learner's mark. A check-in counts where the classroom said nothing, or that they were absent: it does not see learners in the
 * room. What presence suggests counts only where nothing was said.
 */
export function latestObservation(history: AttendanceHistory): AttendanceObservation | null {
  const told = newestOf(history, undefined) ?? newestOf(history, "host");
  const checkedIn = history.find(({ as }) => as === "code");
  if (checkedIn !== undefined && (told === null || told.status === "ABSENT")) return checkedIn;
  return told ?? history[0] ?? null;
}

/** Among marks of the same moment, the one that no other names as its predecessor; else the first in `compareObservations`. */
function newestOf(history: AttendanceHistory, as: AttendanceObservation["as"]): AttendanceObservation | null {
  const own = history.filter((one) => one.as === as);
  const tied = own.filter(({ at }) => at === own[0]?.at);
  const isFollowed = ({ status }: AttendanceObservation) =>
    tied.some((other) => other.status !== status && other.previous?.status === status);
  return tied.find((one) => !isFollowed(one)) ?? tied[0] ?? null;
}

/** When they checked in (ms), even where something else counts. */
export function checkInOf({ history }: Pick<AttendanceFacts, "history">): number | undefined {
  return history.find(({ as }) => as === "code")?.at;
}

/** The first check-in counts. @returns `history` itself when there is one. */
export function withCheckIn(
  history: AttendanceHistory,
  checkIn: Pick<AttendanceObservation, "status" | "at">,
): AttendanceHistory {
  if (history.some(({ as }) => as === "code")) return history;
  return withObservation(history, { ...checkIn, notes: null, updatedBy: null, as: "code" });
}

/** What presence suggests, even where something else counts. */
export function presenceSeen({ history, seen }: Pick<AttendanceFacts, "history" | "seen">) {
  return history.find(({ as }) => as === "presence")?.seen ?? seen;
}

/** Null where it is not known how long they were there. */
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
 * The minutes that a policy by minutes counts in place of the status that counts; null where the status itself counts:
 * an instructor gave it, it says that they were not there or are excused, their time is not known, or they checked in:
 * time in the Space says nothing of a learner in the room. What presence itself suggested is counted by minutes even
 * where it suggests an absence, for that is made of them.
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

/** Presence says one thing only: a later suggestion replaces the earlier one. Null takes it back. @returns `history` itself when nothing changes. */
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

/** A store may return an object's fields in another order. */
function seenText({ seen }: { seen?: SeenPresence | undefined }): string {
  if (seen === undefined) return "";
  const { startsAt, endsAt, ms, hiddenMs = 0, stays, leftUnknown = false, cameUnknown = false } = seen;
  const times = stays.map(({ from, to }) => [from, to]);
  return JSON.stringify([startsAt, endsAt, ms, hiddenMs, leftUnknown, cameUnknown, times]);
}

/** Observations of the same role as the given one: to the classroom the two users are two people. */
export function historyOfSameUser(
  history: AttendanceHistory,
  { as }: Pick<AttendanceObservation, "as">,
): AttendanceHistory {
  return history.filter((one) => one.as === as);
}

/** A total order, newest first; equal times are settled by content, so every instance settles them alike: nobody is absent by chance. */
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

/** As it is shown and compared, half up: 23 of 40 are 58, though 0.575 * 100 is a little less than 57.5. */
export function wholePercent(share: number): number {
  return Math.round(Math.round(share * 1e6) / 1e4);
}

/** The better one for the learner first, and what cannot be counted last. */
export function rankOf(status: string): number {
  const rank = bestFirst.findIndex((known) => known === status);
  return rank < 0 ? bestFirst.length : rank;
}

const bestFirst: readonly KnownStatus[] = ["PRESENT", "LATE", "EXCUSED", "ABSENT"];

/** Null sorts before every text, even an empty one: as equals, the first to arrive would win. */
function compareMaybe(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareText(a, b);
}
