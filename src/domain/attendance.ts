/** The statuses the classroom documents. Others are kept as they came, shown, and never graded. */
export const knownStatuses = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;
export type KnownStatus = (typeof knownStatuses)[number];

/** One observation of a person's attendance in one event, from a webhook or a poll. */
export type AttendanceObservation = {
  /** As the classroom wrote it. */
  status: string;
  notes: string | null;
  /** When it changed in the classroom (ms). */
  at: number;
  /** Who changed it there; null when not reported. */
  updatedBy: string | null;
  /** The value before (`prevStatus`, interface 6.6); left out when not reported. */
  previous?: { status: string; notes: string | null };
  /** Reported of the person's host user; left out for other users of theirs. */
  as?: "host";
};

export type AttendanceHistory = readonly AttendanceObservation[];

/** An instructor's decision about one learner's session. The newest wins over the classroom's report. */
export type Correction = {
  /** Null withdraws earlier corrections: the classroom's status holds again. */
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
};

/** A person's attendance in a session as it is shown and counted. */
export type CurrentAttendance = {
  status: string;
  notes: string | null;
  source: "classroom" | "instructor";
  /** The correction that holds; null when the classroom's status does. */
  correction: Correction | null;
  /** A later, different status of the classroom: shown, never counted. */
  conflicting: AttendanceObservation | null;
};

/** What holds now; null when nothing is known. */
export function currentAttendanceOf({ history, corrections }: AttendanceFacts): CurrentAttendance | null {
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

export function asKnownStatus(status: string): KnownStatus | null {
  return knownStatuses.find((known) => known === status) ?? null;
}

/** Adds an observation. Order and repetition of arrivals do not matter: they are sorted by their own time, duplicates dropped. */
export function withObservation(history: AttendanceHistory, seen: AttendanceObservation): AttendanceHistory {
  if (history.some((known) => compareObservations(known, seen) === 0)) return history;
  return [...history, seen].sort(compareObservations);
}

/** Adds a correction, newest first by its own time: work resumed after a crash does not undo a later one. Duplicates are dropped. */
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

/** The newest by the classroom's timestamp. Reports about the host user hold only where there is no other: they are no learner's mark. */
export function latestObservation(history: AttendanceHistory): AttendanceObservation | null {
  return history.find((one) => one.as !== "host") ?? history[0] ?? null;
}

/** Observations of the same role as the given one: to the classroom the two users are two people. */
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

/** Null sorts before every text, even an empty one: as equals, the first to arrive would win. */
function compareMaybe(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
