import { mongo } from "mongoose";
import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { putField, type StoredDocument, type StoredValue } from "./stored-value.ts";

/** MongoDB's driver refuses it, too: names of fields end with a NUL on the wire. */
const nulInName = "the name of a field must not contain a null byte";

/**
 * A value as MongoDB's driver would send it: `undefined` becomes null, Maps objects, bytes Binary; `toBSON` (mongoose
 * documents and arrays) gives the plain form. Shares no object with the input.
 * @throws UnsupportedOnEmbedded for what has no lossless form here: NaN, infinities, bigint, Decimal128, functions...
 */
export function toStored(value: unknown): StoredValue {
  switch (typeof value) {
    case "string":
      // Half a surrogate pair has no UTF-8: the driver sends U+FFFD in its place.
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
