import { letOthersRun } from "../../kernel/async.ts";
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
  /** `next` of the run before. Null for the first run. */
  from?: string | null;
};

const defaultBatchLimit = 10_000;

/** `looked` rows were read, up to `cursor`. `found`: those that match. */
type Step<Row> = { found: Row[]; looked: number; cursor: PageCursor };

/** A list by time that an index finds, latest first. Reading the rows decides the rest. */
type Searched<Row> = {
  /** Rows per read, at most. */
  batch: number;
  read: (after: PageCursor | null, limit: number) => Promise<Row[]>;
  cursorOf: (row: Row) => PageCursor;
  fits: (row: Row) => boolean;
};

async function* search<Row>(
  { batch, read, cursorOf: cursorAt, fits }: Searched<Row>,
  after: PageCursor | null,
  max = batch,
): AsyncGenerator<Step<Row>> {
  const limit = Math.min(batch, max);
  for (let cursor = after; ;) {
    const some = await read(cursor, limit);
    const last = some.at(-1);
    if (last === undefined) return;
    cursor = cursorAt(last);
    yield { found: some.filter(fits), looked: some.length, cursor };
    if (some.length < limit) return;
    await letOthersRun();
  }
}

/**
 * A page of what a search finds. If hardly any rows match, it ends after `maxLooked` and asks the reader whether to search further.
 * @param from Where the page before ended. Null for the first page.
 */
export async function searchPage<Row>(
  list: Searched<Row>,
  from: string | null,
  { pageSize, maxLooked }: { pageSize: number; maxLooked: number },
): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  let looked = 0;
  for await (const { found, looked: some, cursor } of search(list, cursorOf(from))) {
    rows.push(...found);
    looked += some;
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    if (last !== undefined) return { rows: rows.slice(0, pageSize), next: cursorText(list.cursorOf(last)) };
    if (looked >= maxLooked) return { rows, next: cursorText(cursor) };
  }
  return { rows, next: null };
}

/** How many match, and where the next run continues. Null when everything was looked at. */
type BatchProgress = { matched: number; next: string | null };

/** Acts on what a search finds until it has looked at `limit` rows. @param sum Kept up to date, even if it breaks off */
export async function inBatches<Row extends { id: string }>(
  list: Searched<Row>,
  { limit = defaultBatchLimit, from = null }: BatchOptions,
  sum: BatchProgress,
  act: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  let looked = 0;
  let last: string | null = null;
  for await (const step of search(list, cursorOf(from), limit)) {
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

/** How many rows a search finds among the first `limit`. */
export async function countFound<Row extends { id: string }>(
  list: Searched<Row>,
  go: BatchOptions,
): Promise<BatchProgress> {
  const sum = { matched: 0, next: null };
  await inBatches(list, go, sum, () => Promise.resolve());
  return sum;
}
