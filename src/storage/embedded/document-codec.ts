import { mongo } from "mongoose";
import { mongoCode, serverError } from "./mongo-errors.ts";
import { isDocument, isRecord, putField, type StoredDocument, type StoredValue } from "./stored-value.ts";
import { maxDocumentBytes } from "./limits.ts";

/**
 * JSON text of a row. What JSON lacks is tagged: `{"$date": ms}`, `{"$oid": hex}`, `{"$binary": base64, "$type": n}`. A
 * field whose own name starts with "$" gets a second "$", so that no stored data can be taken for a tag.
 */
export function encodeDocument(document: StoredDocument): string {
  const text = JSON.stringify(toJson(document));
  // A small number takes up to eight times as much of MongoDB's form as of its text.
  if (text.length * 8 > maxDocumentBytes) refuseTooLarge(document);
  return text;
}

function refuseTooLarge(document: StoredDocument): void {
  const size = mongo.BSON.calculateObjectSize(document);
  if (size <= maxDocumentBytes) return;
  const message = `BSONObj size: ${String(size)} is invalid. Size must be between 0 and ${String(maxDocumentBytes)} (16 MB)`;
  throw serverError(mongoCode.objectTooLarge, message);
}

/** A fresh object on every call. */
export function decodeDocument(text: string): StoredDocument {
  const parsed: unknown = JSON.parse(text);
  if (!isRecord(parsed)) throw new Error("a stored row does not hold a document");
  // Rows of earlier releases may hold half a surrogate pair, which stands in the text as an escape.
  if (text.includes("\\ud")) return reviveFields(parsed);
  // Without a name that begins with "$" there is neither a tag nor a field to rename.
  return !text.includes('"$') && isDocument(parsed) ? parsed : reviveFields(parsed);
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
