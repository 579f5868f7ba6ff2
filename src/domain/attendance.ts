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
  /** What the classroom says was before (`prevStatus`, interface 6.6); left out when it was not told. */
  previous?: { status: string; notes: string | null };
  /** It was told of the user somebody has as a host; left out where it was told of another user of theirs. */
  as?: "host";
};

/** What we know about one person in one event: every observation, the newest first. */
export type AttendanceHistory = readonly AttendanceObservation[];

/** What an instructor says about one learner's session. The newest one wins over whatever the classroom tells. */
export type Correction = {
  /** Null takes earlier corrections back: the classroom's word holds again. */
  status: KnownStatus | null;
  notes: string | null;
  /** Why, in the instructor's words; null when they gave none. */
  reason: string | null;
  /** The person who did it. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
};

/** All that is known about one learner's session: what the classroom told, and what instructors said. */
export type AttendanceFacts = {
  history: AttendanceHistory;
  /** The newest first. */
  corrections: readonly Correction[];
};

/** How somebody's attendance in a session stands: what is shown and counted. */
export type AttendanceStanding = {
  status: string;
  notes: string | null;
  source: "classroom" | "instructor";
  /** The correction that holds; null when the classroom's word does. */
  correction: Correction | null;
  /** What the classroom said after the correction, where that is another status: shown, never counted. */
  conflicting: AttendanceObservation | null;
};

/** What holds now; null when nothing does. */
export function standingOf({ history, corrections }: AttendanceFacts): AttendanceStanding | null {
  const observed = latestObservation(history);
  const correction = corrections[0];
  if (correction === undefined || correction.status === null) {
    if (observed === null) return null;
    const { status, notes } = observed;
    return { status, notes, source: "classroom", correction: null, conflicting: null };
  }
  const conflicts = observed !== null && observed.at > correction.at && observed.status !== correction.status;
  return {
    status: correction.status,
    notes: correction.notes,
    source: "instructor",
    correction,
    conflicting: conflicts ? observed : null,
  };
}

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

/**
 * Adds a correction, the newest first. A correction that was said before another comes after it, whenever it arrives:
 * work that a crash interrupted does not undo what somebody said since. The same one twice counts once.
 */
export function withCorrection(corrections: readonly Correction[], said: Correction): readonly Correction[] {
  if (corrections.some((known) => isSameCorrection(known, said))) return corrections;
  const newer = corrections.filter(({ at }) => at > said.at);
  return [...newer, said, ...corrections.slice(newer.length)];
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
 * The observation that holds now: the newest by the classroom's own timestamp. What was told of somebody as a host is no
 * learner's mark, and holds only where nothing was told of them otherwise: they were there, or not, in the other role.
 */
export function latestObservation(history: AttendanceHistory): AttendanceObservation | null {
  return history.find((one) => one.as !== "host") ?? history[0] ?? null;
}

/** What was told of somebody in the same role as an observation: the classroom knows the two as two people. */
export function historyOfSameUser(
  history: AttendanceHistory,
  { as }: Pick<AttendanceObservation, "as">,
): AttendanceHistory {
  return history.filter((one) => one.as === as);
}

/** A total order, newest first; equal times are settled by content, so that every instance settles them alike. */
function compareObservations(a: AttendanceObservation, b: AttendanceObservation): number {
  return (
    b.at - a.at ||
    compareText(a.status, b.status) ||
    compareMaybe(a.notes, b.notes) ||
    compareMaybe(a.updatedBy, b.updatedBy) ||
    compareMaybe(a.as ?? null, b.as ?? null)
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
