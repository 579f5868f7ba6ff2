import { isDocument, type StoredValue } from "./stored-value.ts";

/**
 * All values a filter's path reaches, as MongoDB walks it: through documents by name, through arrays into each
 * element that is a document, and by position where a name is a number. `undefined` stands for a place where the
 * last field is missing. Arrays at the end are returned as they are; their elements are the caller's business.
 */
export function pathValues(value: StoredValue, path: string): (StoredValue | undefined)[] {
  const found: (StoredValue | undefined)[] = [];
  collect(value, path.split("."), 0, found);
  return found;
}

function collect(
  value: StoredValue | undefined,
  names: string[],
  depth: number,
  found: (StoredValue | undefined)[],
): void {
  const name = names[depth];
  if (name === undefined) {
    found.push(value);
    return;
  }
  if (isDocument(value)) {
    collect(Object.hasOwn(value, name) ? value[name] : undefined, names, depth + 1, found);
    return;
  }
  if (!Array.isArray(value)) {
    found.push(undefined);
    return;
  }
  const position = /^\d+$/.test(name) ? Number(name) : undefined;
  if (position !== undefined && position < value.length) collect(value[position], names, depth + 1, found);
  for (const element of value) {
    if (isDocument(element)) collect(element, names, depth, found);
  }
}
