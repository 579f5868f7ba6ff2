/** Where a page of a list ended: time and id of its last row. */
export type PageCursor = { at: number; id: string };

/** Rows of exactly this moment, by id after one of them; or rows before a moment, latest first. */
export type TimeRange = { at: number; after: string | null } | { before: number };

/**
 * Rows by time, latest first, then by id, with an index of the time only; rows of one moment are few and sorted here.
 * @param after Where the page before ended; null for the first one.
 */
export async function latestFirst<Row extends { _id: string }>(
  read: (range: TimeRange, limit: number) => Promise<Row[]>,
  timeOf: (row: Row) => number,
  after: PageCursor | null,
  limit: number,
): Promise<Row[]> {
  const same = after === null ? [] : await read({ at: after.at, after: after.id }, limit);
  const missing = limit - same.length;
  if (missing <= 0) return same;
  const before = await read({ before: after?.at ?? Number.MAX_SAFE_INTEGER }, missing);
  const last = before.at(-1);
  // Any row of the last moment may have come; they are read again in order, unless everything is here.
  const cut = before.length < missing || last === undefined ? null : timeOf(last);
  const whole = cut === null ? before : before.filter((row) => timeOf(row) !== cut);
  const ordered = whole.toSorted(
    (one, other) => timeOf(other) - timeOf(one) || (one._id < other._id ? -1 : 1),
  );
  if (cut === null) return [...same, ...ordered];
  return [...same, ...ordered, ...(await read({ at: cut, after: null }, missing - ordered.length))];
}
