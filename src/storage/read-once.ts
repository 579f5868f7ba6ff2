import type { Connection } from "mongoose";
import { requestKey } from "../kernel/request-scope.ts";

/** A stream or a retry within a request looks again after so long: another process may have changed the record. */
const rememberedMs = 500;

/** How often this process has written to such collections, by their models. */
const writes = new WeakMap<Connection, Map<string, number>>();

function writesOf(connection: Connection): Map<string, number> {
  const known = writes.get(connection) ?? new Map<string, number>();
  writes.set(connection, known);
  return known;
}

/**
 * Reads that are made once a request, though several of its parts ask for the same record. After a write of this process
 * every request reads again.
 */
export function readOnce<Filter, Row>(
  connection: Connection,
  model: string,
  read: (filter: Filter) => Promise<Row | null>,
): (filter: Filter) => Promise<Row | null> {
  type Remembered = { readAt: number; writes: number | undefined; row: Promise<Row | null> };
  const ofRequests = new WeakMap<object, Map<string, Remembered>>();
  return (filter) => {
    const request = requestKey();
    if (request === undefined) return read(filter);
    const remembered = ofRequests.get(request) ?? new Map<string, Remembered>();
    ofRequests.set(request, remembered);
    const asked = JSON.stringify(filter);
    const count = writesOf(connection).get(model);
    const now = performance.now();
    const known = remembered.get(asked);
    if (known !== undefined && known.writes === count && known.readAt + rememberedMs > now) return known.row;
    const row = read(filter);
    remembered.set(asked, { readAt: now, writes: count, row });
    row.catch(() => remembered.delete(asked));
    return row;
  };
}

const writing = [
  ...["insertOne", "insertMany", "updateOne", "updateMany", "replaceOne", "deleteOne", "deleteMany"],
  ...["findOneAndUpdate", "findOneAndReplace", "findOneAndDelete", "bulkWrite"],
];
const watched = new WeakSet<object>();

/**
 * Notes each write of a collection, by its model or past it, before and after: what was read meanwhile may be either.
 * @param collection The one that models and stores of a connection share.
 */
export function noteWrites(connection: Connection, model: string, collection: object): void {
  if (watched.has(collection)) return;
  watched.add(collection);
  const note = () => {
    const counts = writesOf(connection);
    counts.set(model, (counts.get(model) ?? 0) + 1);
  };
  for (const name of writing) {
    const write: unknown = Reflect.get(collection, name);
    if (typeof write !== "function") throw new Error(`A collection has no ${name}.`);
    const noted = async (...given: unknown[]): Promise<unknown> => {
      note();
      try {
        return await Reflect.apply(write, collection, given);
      } finally {
        note();
      }
    };
    Object.defineProperty(collection, name, { value: noted, configurable: true, writable: true });
  }
}
