export function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return byKey(rows, ({ id }) => id);
}

/** If several rows have the same key, the last one wins. */
export function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Sets a key of a map with at most `max` keys, and removes the keys set longest ago. */
export function rememberIn<Key, Value>(map: Map<Key, Value>, max: number, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}

/** Caches at most `max` values by key, and makes a missing one. Keys from outside can't keep out those that others need. */
export function getOrMake<Key, Value>(map: Map<Key, Value>, max: number, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  rememberIn(map, max, key, made);
  return made;
}

/** Reads many rows in calls of at most `size` keys. */
export async function inSlices<Row>(
  keys: readonly string[],
  size: number,
  read: (some: string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const batch of slicesOf(keys, size)) rows.push(...(await read([...batch])));
  return rows;
}

/** Cuts a list into batches, because a store takes only so many items at a time. */
export function* slicesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** Compares by code units, so the order is the same on every machine. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Counts the rows for which `isSo` holds, in a list that has them first. Searches by halving. */
export function countFirst<Row>(rows: readonly Row[], isSo: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && isSo(row)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One page of a list. @param requested Page number from 1; beyond the end, the last page is returned. */
export function onPage<Row>(
  rows: readonly Row[],
  requested: number,
  size: number,
): { rows: Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(requested, pages);
  return { rows: rows.slice((page - 1) * size, page * size), page, pages };
}

/** A record with a value for each name. */
export function ofEach<Name extends string, T>(
  names: readonly Name[],
  of: (name: Name) => T,
): Record<Name, T> {
  const found: Record<string, T> = Object.fromEntries(names.map((name) => [name, of(name)]));
  if (!hasAll(found, names)) throw new Error("unreachable: each name was asked");
  return found;
}

export function hasAll<Name extends string, T>(
  found: Record<string, T>,
  names: readonly Name[],
): found is Record<Name, T> {
  return names.every((name) => name in found);
}

/** The median: the mean of the two middle numbers if there is an even number; null for an empty list. @param sorted Lowest first. */
export function medianOf(sorted: readonly number[]): number | null {
  const high = sorted[Math.floor(sorted.length / 2)];
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
