/** The statuses the classroom documents. Others are kept as they came, shown, and never graded. */
export const knownStatuses = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;
export type KnownStatus = (typeof knownStatuses)[number];

/** One observation of somebody's attendance in one event, from a webhook or a poll. */
export type AttendanceObservation = {
  /** As the classroom wrote it. */
  status: string;
  notes: string | null;
  /** When it changed in the classroom, milliseconds since the epoch. */
  at: number;
  /** Who changed it there; null when not told. */
  updatedBy: string | null;
};

/** What we know about one person in one event: every observation, the newest first. */
export type AttendanceHistory = readonly AttendanceObservation[];

/** Narrow a status to the four known ones, or null. */
export function asKnownStatus(status: string): KnownStatus | null {
  return knownStatuses.find((known) => known === status) ?? null;
}

/**
 * Adds an observation to a history. The result does not depend on the order or the number of times
 * observations arrive: they are sorted by their own time, and the same one twice counts once.
 */
export function withObservation(history: AttendanceHistory, seen: AttendanceObservation): AttendanceHistory {
  if (history.some((known) => compareObservations(known, seen) === 0)) return history;
  return [...history, seen].sort(compareObservations);
}

/** The observation that holds now: the newest by the classroom's own timestamp. */
export function latestObservation(history: AttendanceHistory): AttendanceObservation | null {
  return history[0] ?? null;
}

/** A total order, newest first; equal times are settled by content, so that every instance settles them alike. */
function compareObservations(a: AttendanceObservation, b: AttendanceObservation): number {
  return (
    b.at - a.at ||
    compareText(a.status, b.status) ||
    compareMaybe(a.notes, b.notes) ||
    compareMaybe(a.updatedBy, b.updatedBy)
  );
}

/** Nothing comes before a text, even before an empty one: taking them for equal would let the first to arrive win. */
function compareMaybe(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
