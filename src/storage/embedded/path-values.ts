import { isDocument, type StoredValue } from "./stored-value.ts";

/**
 * A list that a path names by its position in another list: MongoDB takes it as a whole and does not look into it.
 */
export class WholeList {
  readonly list: StoredValue[];
  constructor(list: StoredValue[]) {
    this.list = list;
  }
}

/** A place that a path leads to; undefined where its last field is missing. */
export type Place = StoredValue | undefined | WholeList;

/** The same as `pathPlaces`, for those to whom a list is a list. */
export function pathValues(value: StoredValue, path: string): (StoredValue | undefined)[] {
  return pathPlaces(value, path).map((place) => (place instanceof WholeList ? place.list : place));
}

/**
 * All values a filter's path reaches, as MongoDB walks it: through documents by name, through arrays into each
 * element that is a document, and by position where a name is a number. `undefined` stands for a place where the
 * last field is missing. Arrays at the end are returned as they are; their elements are the caller's business.
 */
export function pathPlaces(value: StoredValue, path: string): Place[] {
  const found: Place[] = [];
  collect(value, path.split("."), 0, found);
  return found;
}

function collect(value: StoredValue | undefined, names: string[], depth: number, found: Place[]): void {
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
  if (position !== undefined && position < value.length) {
    const element = value[position];
    if (Array.isArray(element) && depth === names.length - 1) found.push(new WholeList(element));
    else collect(element, names, depth + 1, found);
  }
  for (const element of value) {
    if (isDocument(element)) collect(element, names, depth, found);
  }
}
