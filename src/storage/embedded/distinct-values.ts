import type { CollectionRows, Selection } from "./collection-rows.ts";
import { toJson } from "./document-codec.ts";
import { pathValues } from "./path-values.ts";
import type { StoredValue } from "./stored-value.ts";

/** The elements of arrays count one by one. */
export function distinctValues(rows: CollectionRows, selection: Selection, path: string): StoredValue[] {
  const values = new Map<string, StoredValue>();
  const add = (value: StoredValue) => values.set(JSON.stringify(toJson(value)), value);
  rows.each(selection, ({ document }) => {
    for (const value of pathValues(document, path)) {
      if (Array.isArray(value)) value.forEach(add);
      else if (value !== undefined) add(value);
    }
  });
  return [...values.values()];
}
