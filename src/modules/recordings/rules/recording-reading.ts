import type { UnfinishedList } from "../../../domain/list-pages.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** When the classroom's list of a Space's recordings is read, and what came of it the last time. */
export type RecordingReading = {
  id: string;
  environment: EnvironmentName;
  spaceId: string;
  /** "person": somebody waits for it. "news": something may have changed. */
  urgency: "person" | "news";
  /** The next reading (ms); null when none is planned. */
  dueAt: number | null;
  /** Since the last one that succeeded. */
  attempts: number;
  /** When it was read last (ms); null when it never was. */
  readAt: number | null;
  /** Whether the classroom has such a list; null while nobody knows. Where it has none, webhooks alone tell. */
  offered: boolean | null;
  /** Entries of the list that did not say of which Space they are. They are nobody's until a webhook tells. */
  unplaced: number;
  /** How often it was wanted: what was told while it was being read wants another one. */
  wants: number;
  /** Why the last reading failed, as a sentence for people; null when it did not. */
  problem: string | null;
  /** Code of what `problem` says, to say it in other languages; earlier records lack it, and alone it means nothing. */
  problemCode?: string | null;
  /** What is left of the list when the last reading did not come to its end; earlier records lack it. */
  unfinished?: UnfinishedList | null;
};

const minute = 60_000;
/** How long the next reading waits after so many that failed. */
const delays = [15_000, minute, 5 * minute, 15 * minute, 60 * minute];

/** When a reading that failed is tried again (ms after now); null when it is given up until there is news. */
export function readingRetry(attempts: number): number | null {
  return delays[attempts - 1] ?? null;
}

/**
 * When a Space's list is to be looked at again by itself: once recordings of its latest sessions can be expected, and once
 * more before it is said that none came. For classrooms that send no webhooks about recordings.
 * @param ends When sessions ended that have no recording yet (ms).
 * @returns Milliseconds since the epoch; null when nothing is expected.
 */
export function nextLook(
  ends: readonly number[],
  { expectedMs, givenUpMs }: { expectedMs: number; givenUpMs: number },
  now: number,
): number | null {
  const looks = ends
    .flatMap((endedAt) => [endedAt + expectedMs, endedAt + givenUpMs])
    .filter((at) => at > now);
  return looks.length === 0 ? null : Math.min(...looks);
}
