import type { CollectionRows, Selection } from "./collection-rows.ts";
import { toJson } from "./document-codec.ts";
import { pathValues } from "./path-values.ts";
import type { StoredValue } from "./stored-value.ts";

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
