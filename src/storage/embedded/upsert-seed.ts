import { mongo } from "mongoose";
import { mongoCode, serverError } from "./mongo-errors.ts";
import { branchesOf, type Filter, isOperatorObject } from "./read-filter.ts";
import { isDocument, type StoredDocument, type StoredValue } from "./stored-value.ts";
import { findSlots, readSlot, writeSlot } from "./update-slots.ts";

/** The document an upsert starts from: every field that the filter sets equal to a value. */
export function seedFromFilter(filter: Filter): StoredDocument {
  const document: StoredDocument = {};
  for (const [path, value] of equalities(filter)) {
    const context = { document, elementFilters: new Map<string, never>(), create: true };
    for (const slot of findSlots(path.split("."), context)) {
      if (readSlot(slot) !== undefined) {
        throw serverError(
          mongoCode.notSingleValueField,
          `cannot infer query fields to set, path '${path}' is matched twice`,
        );
      }
      writeSlot(slot, value);
    }
  }
  return document;
}

function equalities(filter: Filter): [string, StoredValue][] {
  return Object.entries(filter).flatMap(([name, condition]): [string, StoredValue][] => {
    if (name === "$and") return branchesOf(condition).flatMap(equalities);
    // One branch of many may be the one that holds; a single one must.
    if (name === "$or" && branchesOf(condition).length === 1)
      return branchesOf(condition).flatMap(equalities);
    if (name.startsWith("$")) return [];
    if (!isOperatorObject(condition)) return isStored(condition) ? [[name, condition]] : [];
    return [...valuesOf(condition)].map((value) => [name, value]);
  });
}

/** Values that a condition sets a path equal to: `$eq` or a list of one. */
function* valuesOf({ $eq, $in }: Record<string, unknown>): Generator<StoredValue> {
  if (isStored($eq)) yield $eq;
  if (Array.isArray($in) && $in.length === 1 && isStored($in[0])) yield $in[0];
}

/** readFilter leaves stored values and, for $regex, regular expressions. */
function isStored(value: unknown): value is StoredValue {
  return value !== undefined && !(value instanceof RegExp);
}

/** `_id` as the first field; MongoDB makes an ObjectId when there is none. */
export function withId(document: StoredDocument): StoredDocument {
  const { _id: id, ...fields } = document;
  if (isDocument(id) || Array.isArray(id)) {
    throw serverError(mongoCode.badValue, "The '_id' value must be a single value");
  }
  return { _id: id ?? new mongo.ObjectId(), ...fields };
}
