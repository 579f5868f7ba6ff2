import { letOthersRun } from "../kernel/async.ts";
import { requestKey } from "../kernel/request-scope.ts";

/** How many writes each collection has seen. Models and stores of a connection share its collections. */
const writes = new WeakMap<object, { count: number }>();

/**
 * Reads a record once for each request or step of a worker (`withFreshReads`), even if several of its parts ask for it. After this process
 * writes to the collection, with or without its model, every request reads again.
 * @param onlyFound Looks for a missing record each time.
 */
export function readOnce<Filter, Read>(
  collection: object,
  read: (filter: Filter) => Promise<Read>,
  onlyFound = false,
): (filter: Filter) => Promise<Read> {
  type Remembered = { readAt: number; count: number; row: Promise<Read> };
  const ofRequests = new WeakMap<object, Map<string, Remembered>>();
  const written = writesOf(collection);
  return (filter) => {
    const request = requestKey();
    if (request === undefined) return read(filter);
    const remembered = ofRequests.get(request) ?? new Map<string, Remembered>();
    ofRequests.set(request, remembered);
    const asked = JSON.stringify(filter);
    const { count } = written;
    const now = performance.now();
    const known = remembered.get(asked);
    if (known !== undefined && known.count === count && known.readAt + request.readsCountMs > now)
      return known.row;
    const row = read(filter);
    remembered.set(asked, { readAt: now, count, row });
    const forget = () => {
      if (remembered.get(asked)?.row === row) remembered.delete(asked);
    };
    row.then((found) => {
      if (found === null && onlyFound) forget();
    }, forget);
    return row;
  };
}

/**
 * Combines reads of many callers: those requested in the same turn of the event loop, or while the previous read is under way. Each read
 * begins after it was requested, so nobody sees less than with a separate read.
 * @param keyOf The key by which a found row was requested.
 */
export function readTogether<Of, Key, Found>(
  read: (of: Of, keys: readonly Key[]) => Promise<readonly Found[]>,
  keyOf: (found: Found) => Key,
): (of: Of, key: Key) => Promise<readonly Found[]> {
  type Lot = { keys: Set<Key>; found: Promise<Map<Key, Found[]>> };
  const gathering = new Map<string, Lot>();
  const underWay = new Map<string, Promise<unknown>>();
  const begin = (of: Of, name: string): Lot => {
    const keys = new Set<Key>();
    const before = underWay.get(name);
    const readAll = async () => {
      await before;
      await letOthersRun();
      gathering.delete(name);
      return Map.groupBy(await read(of, [...keys]), keyOf);
    };
    const lot = { keys, found: readAll() };
    const forget = () => {
      if (underWay.get(name) === over) underWay.delete(name);
    };
    // The callers get the error.
    const over: Promise<void> = lot.found.then(forget, forget);
    gathering.set(name, lot);
    underWay.set(name, over);
    return lot;
  };
  return async (of, key) => {
    const name = JSON.stringify(of);
    const lot = gathering.get(name) ?? begin(of, name);
    lot.keys.add(key);
    return (await lot.found).get(key) ?? [];
  };
}

const writing = [
  "insertOne",
  "insertMany",
  "updateOne",
  "updateMany",
  "replaceOne",
  "deleteOne",
  "deleteMany",
  "findOneAndUpdate",
  "findOneAndReplace",
  "findOneAndDelete",
  "bulkWrite",
];

/** Counts each write before and after it, because a read in between may see either state. */
function writesOf(collection: object): { readonly count: number } {
  const known = writes.get(collection);
  if (known !== undefined) return known;
  const written = { count: 0 };
  writes.set(collection, written);
  for (const name of writing) {
    const write: unknown = Reflect.get(collection, name);
    if (typeof write !== "function") throw new Error(`A collection has no ${name}.`);
    const counted = async (...given: unknown[]): Promise<unknown> => {
      written.count += 1;
      try {
        return await Reflect.apply(write, collection, given);
      } finally {
        written.count += 1;
      }
    };
    Object.defineProperty(collection, name, { value: counted, configurable: true, writable: true });
  }
  return written;
}
