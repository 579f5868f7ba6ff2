import { isDocument, type StoredDocument, type StoredValue } from "./stored-value.ts";

/** The value at a path through documents, but not into arrays; undefined if there is none. */
export function valueAt(document: StoredDocument, path: string): StoredValue | undefined {
  if (!path.includes(".")) return Object.hasOwn(document, path) ? document[path] : undefined;
  let value: StoredValue | undefined = document;
  for (const name of path.split(".")) {
    if (!isDocument(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Whether there is an array at the path or above it, so that the path has several values. */
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

/** A list that is named by its position in another list. MongoDB compares it as a whole and doesn't look into it. */
export class WholeList {
  readonly list: StoredValue[];
  constructor(list: StoredValue[]) {
    this.list = list;
  }
}

/** Undefined if the last field is missing. */
export type ReachedValue = StoredValue | undefined | WholeList;

/** As `reachedValues`, with whole lists as plain lists. */
export function pathValues(value: StoredValue, path: string): (StoredValue | undefined)[] {
  return reachedValues(value, path).map((reached) => (reached instanceof WholeList ? reached.list : reached));
}

/**
 * All values that a filter's path reaches, as MongoDB walks it: through documents by name, into each document of an array, and by position
 * if a name is a number. `undefined` stands for a missing last field. Arrays at the end stay whole.
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
