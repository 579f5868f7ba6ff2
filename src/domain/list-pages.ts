/**
 * Why a list that comes in pages was not read to its end.
 *
 * - "bound": so much is not read in one go.
 * - "failed": a page did not come, or could not be read.
 * - "repeats": pages bring nothing that was not read before.
 * - "elsewhere": the next page is said to be on another host, which must not see the key.
 * - "no-way": there is more, but nothing says how to ask for it.
 * - "fewer": the last page came, and fewer entries than the classroom says there are.
 */
export type WhyMore = "bound" | "failed" | "repeats" | "elsewhere" | "no-way" | "fewer";

/** What is known of a list that was not read to its end. */
export type MoreOfList = {
  why: WhyMore;
  /** Entries that were read since the reading began, each counted once. */
  read: number;
  /** How many there are, as the classroom says; null when it does not. */
  total: number | null;
  /** Where the reading can go on; null: from the beginning only. Nobody but the classroom's client can read it. */
  place: string | null;
};

/** What is kept of a reading that was not finished, beside what it read. */
export type UnfinishedList = MoreOfList & {
  /** When it began with the first page (ms). */
  since: number;
  /** How often it was gone on with. */
  turns: number;
};

/** After so long a reading begins anew: what was on the pages before may have changed (ms). */
const staleAfter = 3_600_000;
/** So often a reading is gone on with before it is left as it is. */
const mostTurns = 25;

/** The reading that is to be gone on with now; null when it begins with the first page. */
export function goesOnFrom(
  unfinished: UnfinishedList | null | undefined,
  now: number,
): UnfinishedList | null {
  if (unfinished == null || unfinished.place === null) return null;
  return unfinished.turns < mostTurns && now - unfinished.since < staleAfter ? unfinished : null;
}

/** What is kept of a reading that has ended before the list did; null when it was read to its end. */
export function unfinishedOf(
  more: MoreOfList | null,
  before: UnfinishedList | null,
  began: number,
): UnfinishedList | null {
  if (more === null) return null;
  return { ...more, since: before?.since ?? began, turns: (before?.turns ?? 0) + 1 };
}

/** Whether a reading goes on at once: only its own bound ended it. */
export function isToGoOn(unfinished: UnfinishedList | null): boolean {
  return unfinished?.why === "bound" && unfinished.place !== null && unfinished.turns < mostTurns;
}
