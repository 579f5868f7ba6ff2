import type { PageCursor } from "../../storage/latest-first.ts";
import { cursorText } from "./page-cursor.ts";

/** What is done to many in one go, as long as somebody waits for it. */
export type BatchOptions = {
  /** About so many are looked at. */
  most?: number;
  /** Where the go before ended, as it said; null for the first one. */
  from?: string | null;
};

/** So many are looked at in one go, unless somebody says otherwise. */
export const defaultBatchLimit = 10_000;

/** What a search found in one step, and where it has come to. */
type Step = { found: readonly { id: string }[]; looked: number; cursor: PageCursor };

/** What a go has come to: how many fit, and where the next one goes on; null when everything was looked at. */
type BatchProgress = { matched: number; next: string | null };

/** Acts on what a search finds, step by step, until `most` were looked at. @param sum Kept up to date, also when it breaks off */
export async function inBatches(
  steps: AsyncIterable<Step>,
  most: number,
  sum: BatchProgress,
  act: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  let looked = 0;
  let last: string | null = null;
  for await (const step of steps) {
    if (looked >= most) {
      sum.next = last;
      return;
    }
    last = cursorText(step.cursor);
    sum.matched += step.found.length;
    await act(step.found.map(({ id }) => id));
    looked += step.looked;
  }
}
