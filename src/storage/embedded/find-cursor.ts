import type { CollectionRows, Selection } from "./collection-rows.ts";
import { UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { pathValues } from "./paths.ts";
import { type StoredValue, toJson } from "./stored-value.ts";

/** What `find` and the lists of a database return: all at once; stepping through is refused. */
export function cursorOf<T>(read: () => Promise<T[]>) {
  let closed = false;
  const refuse = (what: string) => () => Promise.reject(new UnsupportedOnEmbedded(what));
  return {
    get closed() {
      return closed;
    },
    toArray: async (): Promise<T[]> => {
      const all = await read();
      closed = true;
      return all;
    },
    next: refuse("a cursor's steps"),
    hasNext: refuse("a cursor's steps"),
    explain: refuse("explain"),
    close: (): Promise<void> => {
      closed = true;
      return Promise.resolve();
    },
  };
}

/** The elements of arrays count one by one. */
export function distinctValues(rows: CollectionRows, selection: Selection, path: string): StoredValue[] {
  const values = new Map<string, StoredValue>();
  const add = (value: StoredValue) => values.set(JSON.stringify(toJson(value)), value);
  for (const found of rows.list(selection, ({ document }) => pathValues(document, path)).flat()) {
    if (Array.isArray(found)) found.forEach(add);
    else if (found !== undefined) add(found);
  }
  return [...values.values()];
}
