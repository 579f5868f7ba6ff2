export type CourseSession = {
  eventId: string;
  title: string | null;
  /** Milliseconds since the epoch; null when unknown. */
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
  deleted?: boolean;
  /** Made of a class that nobody planned: the classroom does not know it. */
  ours?: boolean;
  /** The LMS's ids; empty for the whole course. */
  sectionIds: readonly string[];
  /** Null for a single session and for one made in the classroom. */
  seriesId: string | null;
  /** False when an instructor excluded it from grades. */
  counts: boolean;
  /** As in `PlannedSession`; left out for no. */
  keepsMarks?: boolean;
  /** As in `countedTo`; left out where its minutes count to its end. */
  countsTo?: number;
};

/** Whether a session is for the whole course or one of these sections. */
export function isForSections(session: Pick<CourseSession, "sectionIds">, own: readonly string[]): boolean {
  return session.sectionIds.length === 0 || session.sectionIds.some((id) => own.includes(id));
}

/** Whether a session began before somebody was in the course: without a mark it is none of theirs. */
export function isBeforeTheirs(
  { startsAt }: { startsAt?: number | null },
  { joinedAt = null }: { joinedAt?: number | null },
): boolean {
  return joinedAt !== null && startsAt != null && startsAt < joinedAt;
}

/** A session known by id only; its facts are shown and counted all the same. */
export function unknownSession(eventId: string): CourseSession {
  return {
    eventId,
    title: null,
    startsAt: null,
    endsAt: null,
    cancelled: false,
    sectionIds: [],
    seriesId: null,
    counts: true,
  };
}
