import { hourMs } from "../kernel/clock.ts";
import { z } from "zod";

const moreOfList = z.object({
  /**
   * Why we didn't read all pages of a list.
   * - "bound": one reading reached its limit.
   * - "failed": a page didn't come, or was unreadable.
   * - "repeats": further pages brought nothing new.
   * - "elsewhere": the next page is on another host, which must not see the key.
   * - "no-way": there is more, but we know no way to ask for it.
   * - "fewer": the last page came, but there were fewer entries than the classroom's total.
   */
  why: z.enum(["bound", "failed", "repeats", "elsewhere", "no-way", "fewer"]),
  /** Entries read since the first page, each counted once. */
  read: z.number(),
  /** As the classroom reports it; null when it doesn't. */
  total: z.number().nullable(),
  /** Where the reading can continue, in a form only the classroom's client understands; null: only from the beginning. */
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

/** As stored in a task's facts; null when the list was read to its end. */
export const unfinishedSchema = unfinishedList.nullable().default(null);

/** After this time (ms) a reading starts over: earlier pages may have changed. */
const staleAfterMs = hourMs;
/** A reading is continued at most this often. */
const maxTurns = 25;

/** The reading to continue now; null to start with the first page. */
export function goesOnFrom(unfinished: UnfinishedList | null | undefined, now: number) {
  if (unfinished == null || unfinished.place === null) return null;
  return unfinished.turns < maxTurns && now - unfinished.since < staleAfterMs ? unfinished : null;
}

/** Null when the list was read to its end. */
export function unfinishedOf(more: MoreOfList | null, before: UnfinishedList | null, began: number) {
  if (more === null) return null;
  return { ...more, since: before?.since ?? began, turns: (before?.turns ?? 0) + 1 };
}

/** Whether to continue a reading immediately, because it only reached its own limit. */
export function isToGoOn(unfinished: UnfinishedList | null): boolean {
  return unfinished?.why === "bound" && unfinished.place !== null && unfinished.turns < maxTurns;
}
