import { mongo } from "mongoose";

/** Numbers are finite; absent fields are absent, never undefined. */
export type StoredValue =
  null | boolean | number | string | Date | mongo.ObjectId | mongo.Binary | StoredValue[] | StoredDocument;

/** A document, or an object inside one. */
export type StoredDocument = { [field: string]: StoredValue };

/** An object with named fields: not null, an array, a date, an ObjectId or bytes. */
export function isDocument(value: unknown): value is StoredDocument {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof RegExp) &&
    !isLeafObject(value)
  );
}

/** Anything whose fields can be read by name. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** ObjectIds and bytes: objects to JavaScript, single values to a database. */
function isLeafObject(value: object): boolean {
  return value instanceof mongo.ObjectId || value instanceof mongo.Binary;
}

/** Sets a field even when its name is `__proto__`, which a plain assignment would take for the prototype. */
export function putField(target: Record<string, unknown>, field: string, value: unknown): void {
  if (field === "__proto__") {
    Object.defineProperty(target, field, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[field] = value;
  }
}

/** MongoDB's name of the type, as in its error messages. */
export function typeName(value: StoredValue | undefined): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof Date) return "date";
  if (value instanceof mongo.ObjectId) return "objectId";
  if (value instanceof mongo.Binary) return "binData";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "double";
  return typeof value;
}

/** MongoDB's equality: by type and value; in documents the order of fields counts. */
export function sameValue(left: StoredValue | undefined, right: StoredValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  return Array.isArray(left) ? Array.isArray(right) && sameItems(left, right) : sameObject(left, right);
}

function sameItems(left: StoredValue[], right: StoredValue[]): boolean {
  return left.length === right.length && left.every((value, i) => sameValue(value, right[i]));
}

function sameObject(
  left: Date | mongo.ObjectId | mongo.Binary | StoredDocument,
  right: StoredValue,
): boolean {
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime();
  if (left instanceof mongo.ObjectId) return right instanceof mongo.ObjectId && left.equals(right);
  if (left instanceof mongo.Binary) return right instanceof mongo.Binary && sameBytes(left, right);
  return isDocument(right) && sameFields(left, right);
}

function sameBytes(left: mongo.Binary, right: mongo.Binary): boolean {
  return left.sub_type === right.sub_type && left.toString("base64") === right.toString("base64");
}

function sameFields(left: StoredDocument, right: StoredDocument): boolean {
  const names = Object.keys(left);
  const others = Object.keys(right);
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i] && sameValue(left[name], right[name]))
  );
}
