import type { ClassroomEvent } from "../../../domain/classroom-event.ts";
import type { UnfinishedList } from "../../../domain/list-pages.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

const minute = 60_000;
const hour = 60 * minute;

/** When attendance is read after the end of a session (ms): webhooks may be lost, and hosts correct late. */
export const readingsAfterEnd = [5 * minute, hour, 24 * hour, 7 * 24 * hour] as const;

/** A session whose end the classroom does not tell is taken to last so long (ms). */
export const assumedLength = 2 * hour;

/** What is kept about the reading of one session's attendance from the classroom. */
export type AttendanceReading = {
  id: string;
  environment: EnvironmentName;
  eventId: string;
  registrationId: string;
  courseId: string;
  /** When the session ended or is taken to have ended (ms). */
  endedAt: number;
  /** "person": an instructor waits for it. */
  urgency: "person" | "timetable";
  /** When it is read next (ms); null when nothing is planned any more. */
  dueAt: number | null;
  /** How often in a row it was begun without an end: of failures and of processes that were killed. */
  attempts: number;
  /** Readings that were completed. */
  runs: number;
  /** When the classroom was last asked and answered (ms); null before the first time. */
  readAt: number | null;
  /** People on the classroom's list then, and those of them who were news. */
  listed: number;
  news: number;
  /** Why it could not be read, as a sentence; null when nothing is wrong. */
  problem: string | null;
  /** When a message last left a gap in somebody's history (ms) that is to be looked into; null when none did. */
  gapSeenAt: number | null;
  /** What is left of the list when the last reading did not come to its end; earlier records lack it. */
  unfinished?: UnfinishedList | null;
};

/** When a session ended or is taken to end (ms); null when no time of it is told. */
export function endOf({ startsAt, endsAt }: Pick<ClassroomEvent, "startsAt" | "endsAt">): number | null {
  if (endsAt !== null) return endsAt;
  return startsAt === null ? null : startsAt + assumedLength;
}

/**
 * When the attendance of a session is to be read next (ms); null when all readings have been made. Readings that were
 * missed are one: what is read now is all there is to know.
 * @param readAt When it was last read; null when it never was.
 */
export function nextReading(endedAt: number, readAt: number | null): number | null {
  const times = readingsAfterEnd.map((after) => endedAt + after);
  return times.find((at) => readAt === null || at > readAt) ?? null;
}
