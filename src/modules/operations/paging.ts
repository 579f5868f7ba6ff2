import type { PageCursor } from "../../storage/records.ts";

/** Not URL-encoded. */
export function cursorText({ at, id }: PageCursor): string {
  return `${at}.${id}`;
}

export function cursorOf(text: string | null): PageCursor | null {
  const [, at, id] = /^(\d{1,16})\.(.{1,300})$/u.exec(text ?? "") ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

export type BatchOptions = {
  limit?: number;
  /** `next` of the run before; null for the first. */
  from?: string | null;
};

export const defaultBatchLimit = 10_000;

type Step = { found: readonly { id: string }[]; looked: number; cursor: PageCursor };

/** How many fit, and where the next run continues; null when everything was looked at. */
type BatchProgress = { matched: number; next: string | null };

/** Acts on what a search finds until `limit` were looked at. @param sum Kept up to date, also when it breaks off */
export async function inBatches(
  steps: AsyncIterable<Step>,
  limit: number,
  sum: BatchProgress,
  act: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  let looked = 0;
  let last: string | null = null;
  for await (const step of steps) {
    if (looked >= limit) {
      sum.next = last;
      return;
    }
    last = cursorText(step.cursor);
    sum.matched += step.found.length;
    await act(step.found.map(({ id }) => id));
    looked += step.looked;
  }
}
