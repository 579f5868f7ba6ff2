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

/** Whether an array is at the path or above it, so that the path has several values. */
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
