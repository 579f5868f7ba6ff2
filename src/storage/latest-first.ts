/** Where a page of a list ended: the time of its last row, and its id. */
export type PageCursor = { at: number; id: string };

/** What is to be read: rows of exactly this moment, by id and after one of them; or rows before a moment, the latest first. */
export type TimeRange = { at: number; after: string | null } | { before: number };

/**
 * Rows in the order of a time, the latest first, and where times are the same by id: page by page, with an index that knows
 * the time only. Rows of one moment are few and sorted by themselves.
 * @param after Where the page before ended; null for the first one.
 */
export async function latestFirst<Row extends { _id: string }>(
  read: (range: TimeRange, limit: number) => Promise<Row[]>,
  timeOf: (row: Row) => number,
  after: PageCursor | null,
  limit: number,
): Promise<Row[]> {
  const same = after === null ? [] : await read({ at: after.at, after: after.id }, limit);
  const wanted = limit - same.length;
  if (wanted <= 0) return same;
  const before = await read({ before: after?.at ?? Number.MAX_SAFE_INTEGER }, wanted);
  const last = before.at(-1);
  // Of the last moment, any may have come; it is read anew in its order, unless everything is here.
  const cut = before.length < wanted || last === undefined ? null : timeOf(last);
  const whole = cut === null ? before : before.filter((row) => timeOf(row) !== cut);
  const ordered = whole.toSorted(
    (one, other) => timeOf(other) - timeOf(one) || (one._id < other._id ? -1 : 1),
  );
  if (cut === null) return [...same, ...ordered];
  return [...same, ...ordered, ...(await read({ at: cut, after: null }, wanted - ordered.length))];
}
