import { isDocument, type StoredDocument, type StoredValue } from "./stored-value.ts";

/** Through documents only, not into arrays; undefined for none. */
export function valueAt(document: StoredDocument, path: string): StoredValue | undefined {
  if (!path.includes(".")) return Object.hasOwn(document, path) ? document[path] : undefined;
  let value: StoredValue | undefined = document;
  for (const name of path.split(".")) {
    if (!isDocument(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Whether an array is at the path or above it, so the path has several values. */
export function meetsArray(document: StoredDocument, path: string): boolean {
  if (!path.includes(".")) return Array.isArray(document[path]);
  let value: StoredValue | undefined = document;
  for (const name of path.split(".")) {
    if (!isDocument(value)) return false;
    value = value[name];
    if (Array.isArray(value)) return true;
  }
  return false;
}

/** A list named by its position in another list: MongoDB takes it as a whole and does not look into it. */
export class WholeList {
  readonly list: StoredValue[];
  constructor(list: StoredValue[]) {
    this.list = list;
  }
}

/** Undefined where the last field is missing. */
export type ReachedValue = StoredValue | undefined | WholeList;

/** `reachedValues` with whole lists as lists. */
export function pathValues(value: StoredValue, path: string): (StoredValue | undefined)[] {
  return reachedValues(value, path).map((reached) => (reached instanceof WholeList ? reached.list : reached));
}

/**
 * All values a filter's path reaches, as MongoDB walks it: documents by name, arrays into each document in them, and by
 * position where a name is a number. `undefined` for a missing last field. Arrays at the end are not taken apart.
 */
export function reachedValues(value: StoredValue, path: string): ReachedValue[] {
  const found: ReachedValue[] = [];
  collect(value, path.split("."), 0, found);
  return found;
}

function collect(value: StoredValue | undefined, names: string[], depth: number, found: ReachedValue[]) {
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
