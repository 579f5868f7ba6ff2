/** A session of a course: an event of the classroom that is linked to its Space, and what was planned with it here. */
export type CourseSession = {
  eventId: string;
  title: string | null;
  /** Milliseconds since the epoch; null when the classroom does not say. */
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
  /** Whether the cancelled session was deleted in the classroom. */
  deleted?: boolean;
  /** The LMS's ids of the sections it is for; empty for the whole course. */
  sectionIds: readonly string[];
  /** The series it was planned with; null for a single session and for one made in the classroom. */
  seriesId: string | null;
  /** False when an instructor said that it does not count for grades: neither what happened in it nor that it was planned. */
  counts: boolean;
};

/** Whether a session is for somebody: for the whole course, or for one of their sections. */
export function isForSections(session: Pick<CourseSession, "sectionIds">, own: readonly string[]): boolean {
  return session.sectionIds.length === 0 || session.sectionIds.some((id) => own.includes(id));
}

/** A session that nothing is known of but its id: facts of it are shown and counted all the same. */
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
