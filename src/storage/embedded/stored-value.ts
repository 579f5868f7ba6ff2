import { mongo } from "mongoose";
import { maxDocumentBytes } from "./limits.ts";
import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";

/** Numbers are finite. Missing fields are absent, never undefined. */
export type StoredValue =
  | null
  | boolean
  | number
  | string
  | Date
  | mongo.ObjectId
  | mongo.Binary
  | StoredValue[]
  | StoredDocument;

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

/** ObjectIds and bytes are objects in JavaScript, but single values in a database. */
function isLeafObject(value: object): boolean {
  return value instanceof mongo.ObjectId || value instanceof mongo.Binary;
}

/** Sets a field even if it is called `__proto__`, where an assignment would set the prototype. */
export function putField(target: Record<string, unknown>, field: string, value: unknown): void {
  if (field === "__proto__") {
    Object.defineProperty(target, field, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[field] = value;
  }
}

/** MongoDB's name for the type, as in its error messages. */
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

/** MongoDB's equality: by type and value. In documents, the order of fields counts. */
export function sameValue(left: StoredValue | undefined, right: StoredValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  return Array.isArray(left) ? Array.isArray(right) && sameItems(left, right) : sameObject(left, right);
}

function sameItems(left: StoredValue[], right: StoredValue[]): boolean {
  return left.length === right.length && left.every((value, i) => sameValue(value, right[i]));
}

function sameObject(left: Date | mongo.ObjectId | mongo.Binary | StoredDocument, right: StoredValue) {
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

/** MongoDB's driver refuses it, too, because field names end with a NUL on the wire. */
const nulInName = "the name of a field must not contain a null byte";

/**
 * A value as MongoDB's driver would send it: `undefined` becomes null, Maps become objects, bytes Binary; `toBSON` (mongoose documents and
 * arrays) gives the plain form. Shares no object with the input.
 * @throws UnsupportedOnEmbedded for values without a lossless form here: NaN, infinities, bigint, Decimal128, functions and others.
 */
export function toStored(value: unknown): StoredValue {
  switch (typeof value) {
    case "string":
      // Half a surrogate pair has no UTF-8; the driver sends U+FFFD instead.
      return value.toWellFormed();
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new UnsupportedOnEmbedded(`the number ${value}`);
      return value;
    case "undefined":
      return null;
    case "object":
      return value === null ? null : objectToStored(value);
    default:
      throw new UnsupportedOnEmbedded(`a value of type ${typeof value}`);
  }
}

export function toStoredDocument(document: object): StoredDocument {
  const plain = plainForm(document);
  if (plain !== document) {
    if (typeof plain === "object" && plain !== null) return toStoredDocument(plain);
    throw new UnsupportedOnEmbedded("a document that is not an object");
  }
  return entriesToStored(document instanceof Map ? document.entries() : Object.entries(document));
}

function objectToStored(value: object): StoredValue {
  if (Array.isArray(value)) {
    const items: StoredValue[] = [];
    for (const item of value) items.push(toStored(item));
    return items;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (
    (prototype === Object.prototype || prototype === null) &&
    !("toBSON" in value) &&
    !("_bsontype" in value)
  ) {
    return entriesToStored(Object.entries(value));
  }
  if (value instanceof Date) return validDate(value);
  if (value instanceof Uint8Array) return new mongo.Binary(Buffer.from(value));
  const plain = plainForm(value);
  if (plain !== value) return toStored(plain);
  return "_bsontype" in value ? bsonToStored(value, value._bsontype) : toStoredDocument(value);
}

function validDate(value: Date): Date {
  if (Number.isNaN(value.getTime())) throw new UnsupportedOnEmbedded("an invalid date");
  return new Date(value);
}

function bsonToStored(value: object, type: unknown): StoredValue {
  if (value instanceof mongo.ObjectId || value instanceof mongo.Binary) return value;
  if (value instanceof mongo.Int32 || value instanceof mongo.Double) return toStored(value.valueOf());
  throw new UnsupportedOnEmbedded(`values of type ${String(type)}`);
}

function plainForm(value: object): unknown {
  if (value instanceof RegExp) throw new UnsupportedOnEmbedded("storing a regular expression");
  if ("toBSON" in value && typeof value.toBSON === "function") {
    const plain: unknown = Reflect.apply(value.toBSON, value, []);
    return plain;
  }
  return value;
}

function entriesToStored(entries: Iterable<[string, unknown]>): StoredDocument {
  const document: StoredDocument = {};
  for (const [field, item] of entries) {
    if (field.includes("\0")) throw serverError(mongoCode.badValue, nulInName);
    putField(document, field.toWellFormed(), toStored(item));
  }
  return document;
}

/**
 * The JSON text of a row. Values that JSON lacks get tags: `{"$date": ms}`, `{"$oid": hex}`, `{"$binary": base64, "$type": n}`. A field
 * whose name starts with "$" gets a second "$", so stored data can't look like a tag.
 */
export function encodeDocument(document: StoredDocument): string {
  const text = JSON.stringify(toJson(document));
  // A small number takes up to eight times as many bytes in BSON as in this text.
  if (text.length * 8 > maxDocumentBytes) refuseTooLarge(document);
  return text;
}

function refuseTooLarge(document: StoredDocument): void {
  const size = mongo.BSON.calculateObjectSize(document);
  if (size <= maxDocumentBytes) return;
  const message = `BSONObj size: ${String(size)} is invalid. Size must be between 0 and ${String(maxDocumentBytes)} (16 MB)`;
  throw serverError(mongoCode.objectTooLarge, message);
}

/** Returns a fresh object on every call. */
export function decodeDocument(text: string): StoredDocument {
  const parsed: unknown = JSON.parse(text);
  if (!isRecord(parsed)) throw new Error("a stored row does not hold a document");
  // Rows of earlier releases may contain half a surrogate pair, as an escape in the text.
  if (text.includes("\\ud")) return reviveFields(parsed);
  // Without a name that begins with "$", there is neither a tag nor a field to rename. A "$" alone is found much faster.
  const hasNone = !text.includes("$") || !text.includes('"$');
  return hasNone && isDocument(parsed) ? parsed : reviveFields(parsed);
}

export function toJson(value: StoredValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof mongo.ObjectId) return { $oid: value.toHexString() };
  if (value instanceof mongo.Binary) return { $binary: value.toString("base64"), $type: value.sub_type };
  const json: Record<string, unknown> = {};
  for (const field of Object.keys(value)) {
    const item = value[field];
    if (item === undefined) continue;
    putField(json, field.startsWith("$") ? `$${field}` : field, toJson(item));
  }
  return json;
}

function revive(value: unknown): StoredValue {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(revive);
  return isRecord(value) ? reviveObject(value) : null;
}

function reviveObject(value: Record<string, unknown>): StoredValue {
  const first = firstField(value);
  if (first?.startsWith("$") !== true || first.startsWith("$$")) return reviveFields(value);
  if (typeof value["$date"] === "number") return new Date(value["$date"]);
  if (typeof value["$oid"] === "string") return new mongo.ObjectId(value["$oid"]);
  const { $binary, $type } = value;
  if (typeof $binary === "string" && typeof $type === "number") {
    return new mongo.Binary(Buffer.from($binary, "base64"), $type);
  }
  throw new Error(`a stored row holds the unknown tag ${first}`);
}

function firstField(value: object): string | undefined {
  for (const field in value) return field;
  return undefined;
}

function reviveFields(value: Record<string, unknown>): StoredDocument {
  const document: StoredDocument = {};
  for (const field of Object.keys(value)) {
    const item = value[field];
    putField(document, (field.startsWith("$$") ? field.slice(1) : field).toWellFormed(), revive(item));
  }
  return document;
}
