import { hourMs } from "../kernel/clock.ts";
import { z } from "zod";

const moreOfList = z.object({
  /**
   * Why not all pages of a list were read.
   * - "bound": the limit of one reading.
   * - "failed": a page did not come, or could not be read.
   * - "repeats": pages bring nothing new.
   * - "elsewhere": the next page is on another host, which must not see the key.
   * - "no-way": there is more, but no known way to ask for it.
   * - "fewer": the last page came, with fewer entries than the classroom's total.
   */
  why: z.enum(["bound", "failed", "repeats", "elsewhere", "no-way", "fewer"]),
  /** Entries read since the beginning, each counted once. */
  read: z.number(),
  /** As the classroom reports; null when it does not. */
  total: z.number().nullable(),
  /** Where the reading can continue, readable by the classroom's client only; null: from the beginning only. */
  place: z.string().nullable(),
});
export type MoreOfList = z.infer<typeof moreOfList>;

const unfinishedList = moreOfList.extend({
  /** When its first page was read (ms). */
  since: z.number(),
  /** How often it was continued. */
  turns: z.number(),
});
export type UnfinishedList = z.infer<typeof unfinishedList>;

/** In a task's facts; null when the list was read to its end. */
export const unfinishedSchema = unfinishedList.nullable().default(null);

/** After this time (ms) a reading starts over: earlier pages may have changed. */
const staleAfterMs = hourMs;
/** A reading is continued at most this often. */
const maxTurns = 25;

/** The reading to continue now; null to begin with the first page. */
export function goesOnFrom(unfinished: UnfinishedList | null | undefined, now: number) {
  if (unfinished == null || unfinished.place === null) return null;
  return unfinished.turns < maxTurns && now - unfinished.since < staleAfterMs ? unfinished : null;
}

/** Null when the list was read to its end. */
export function unfinishedOf(more: MoreOfList | null, before: UnfinishedList | null, began: number) {
  if (more === null) return null;
  return { ...more, since: before?.since ?? began, turns: (before?.turns ?? 0) + 1 };
}

/** Whether a reading continues immediately: only its own limit ended it. */
export function isToGoOn(unfinished: UnfinishedList | null): boolean {
  return unfinished?.why === "bound" && unfinished.place !== null && unfinished.turns < maxTurns;
}
