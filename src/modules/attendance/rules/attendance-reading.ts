import type { ClassroomEvent } from "../../../domain/classroom-event.ts";
import type { UnfinishedList } from "../../../domain/list-pages.ts";
import type { AccountId } from "../../../domain/account.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Times of readings after the end (ms): webhooks may be lost, and hosts correct late. */
export const readingsAfterEnd = [5 * minute, hour, 24 * hour, 7 * 24 * hour] as const;

/** The assumed length of a session without an end (ms). */
export const assumedLength = 2 * hour;

export type AttendanceReading = {
  id: string;
  environment: AccountId;
  eventId: string;
  registrationId: string;
  courseId: string;
  /** Known or assumed (ms). */
  endedAt: number;
  urgency: "person" | "timetable";
  /** Milliseconds; null: none is planned. */
  dueAt: number | null;
  /** In a row without an end: failures and killed processes. */
  attempts: number;
  runs: number;
  /** When the classroom last answered (ms). */
  readAt: number | null;
  /** People on the list then, and those with news. */
  listed: number;
  news: number;
  problem: string | null;
  /** When a message last left a gap to be looked into (ms). */
  gapSeenAt: number | null;
  /** The rest of the list when the last reading was interrupted; missing in earlier records. */
  unfinished?: UnfinishedList | null;
};

export function endOf({ startsAt, endsAt }: Pick<ClassroomEvent, "startsAt" | "endsAt">): number | null {
  if (endsAt !== null) return endsAt;
  return startsAt === null ? null : startsAt + assumedLength;
}

/** The next reading (ms); null after all. Missed readings count as one. @param readAt The last one; null for never. */
export function nextReading(endedAt: number, readAt: number | null): number | null {
  const times = readingsAfterEnd.map((after) => endedAt + after);
  return times.find((at) => readAt === null || at > readAt) ?? null;
}
