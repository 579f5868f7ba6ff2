import { compareValues } from "./compare-values.ts";
import { mongoCode, serverError } from "./mongo-errors.ts";
import type { Update, UpdateStep } from "./read-update.ts";
import { isDocument, sameValue, type StoredDocument, type StoredValue, typeName } from "./stored-value.ts";
import { findSlots, readSlot, type Slot, writeSlot } from "./update-slots.ts";

/** `isInsert`: for the document an upsert makes. */
export type UpdateTarget = { document: StoredDocument; isInsert: boolean };

/**
 * Applies an update to a document, in place. Not by mingo, the library for this: where MongoDB refuses ($inc on a
 * string, $push on a scalar, a path through a scalar) mingo does nothing, and a site that moves to MongoDB would be
 * surprised.
 * @throws MongoServerError with MongoDB's code; the document is then in an undefined state and must be dropped.
 */
export function applyUpdate(update: Update, target: UpdateTarget): void {
  const id = target.document._id;
  for (const step of update.steps) {
    if (step.operator === "$setOnInsert" && !target.isInsert) continue;
    const create = !withoutCreating.has(step.operator);
    const { document } = target;
    for (const slot of findSlots(step.names, { document, elementFilters: update.elementFilters, create }))
      appliers[step.operator]?.(slot, step, document);
  }
  if (id !== undefined && !sameValue(target.document._id, id)) {
    const message = "Performing an update on the path '_id' would modify the immutable field '_id'";
    throw serverError(mongoCode.immutableField, message);
  }
}

const withoutCreating = new Set(["$unset", "$pull"]);

type Apply = (slot: Slot, step: UpdateStep, document: StoredDocument) => void;

const appliers: Record<string, Apply> = {
  $set: (slot, step) => writeSlot(slot, copy(step.operand)),
  $setOnInsert: (slot, step) => writeSlot(slot, copy(step.operand)),
  $unset: unset,
  $inc: increment,
  $min: (slot, step) => keepExtreme(slot, step, -1),
  $max: (slot, step) => keepExtreme(slot, step, 1),
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
};

/** Several documents may get the same operand, so each gets its own copy. */
function copy(value: StoredValue): StoredValue {
  return typeof value === "object" && value !== null ? structuredCopy(value) : value;
}

function structuredCopy(value: StoredValue): StoredValue {
  if (Array.isArray(value)) return value.map(copy);
  if (!isDocument(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(item)]));
}

function unset(slot: Slot): void {
  if (Array.isArray(slot.holder)) {
    // MongoDB leaves null in the place, so that the other elements keep their positions.
    if (Number(slot.name) < slot.holder.length) writeSlot(slot, null);
  } else {
    Reflect.deleteProperty(slot.holder, slot.name);
  }
}

function increment(slot: Slot, step: UpdateStep, document: StoredDocument): void {
  const value = readSlot(slot);
  if (value !== undefined && typeof value !== "number") {
    const message = `Cannot apply ${step.operator} to a value of non-numeric type. {_id: ${JSON.stringify(document._id)}} has the field '${slot.name}' of non-numeric type ${typeName(value)}`;
    throw serverError(mongoCode.typeMismatch, message);
  }
  if (typeof step.operand !== "number") return;
  const result = (value ?? 0) + step.operand;
  if (!Number.isFinite(result))
    throw serverError(mongoCode.badValue, `${step.operator} overflows at ${step.path}`);
  writeSlot(slot, result);
}

function keepExtreme(slot: Slot, step: UpdateStep, sign: 1 | -1): void {
  const value = readSlot(slot);
  if (value === undefined || compareValues(step.operand, value) * sign > 0)
    writeSlot(slot, copy(step.operand));
}

function arrayIn(slot: Slot, step: UpdateStep, document: StoredDocument): StoredValue[] {
  const value = readSlot(slot);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  const message = `The field '${step.path}' must be an array but is of type ${typeName(value)} in document {_id: ${JSON.stringify(document._id)}}`;
  throw serverError(mongoCode.badValue, message);
}

/** What an operand of $push or $addToSet stands for, and its other modifiers. */
function elementsOf(operand: StoredValue): { elements: StoredValue[]; modifiers: StoredDocument } {
  if (isDocument(operand) && Array.isArray(operand.$each)) {
    return { elements: operand.$each.map(copy), modifiers: operand };
  }
  return { elements: [copy(operand)], modifiers: {} };
}

function push(slot: Slot, step: UpdateStep, document: StoredDocument): void {
  const array = arrayIn(slot, step, document);
  const { elements, modifiers } = elementsOf(step.operand);
  array.push(...elements);
  writeSlot(slot, typeof modifiers.$slice === "number" ? sliced(array, modifiers.$slice) : array);
}

function sliced(array: StoredValue[], count: number): StoredValue[] {
  if (count === 0) return [];
  return count > 0 ? array.slice(0, count) : array.slice(count);
}

function addToSet(slot: Slot, step: UpdateStep, document: StoredDocument): void {
  const array = arrayIn(slot, step, document);
  for (const element of elementsOf(step.operand).elements) {
    if (!array.some((one) => sameValue(one, element))) array.push(element);
  }
  writeSlot(slot, array);
}

function pull(slot: Slot, step: UpdateStep): void {
  const value = readSlot(slot);
  if (value === undefined) return;
  if (!Array.isArray(value)) {
    throw serverError(mongoCode.badValue, `Cannot apply ${step.operator} to a non-array value`);
  }
  writeSlot(
    slot,
    value.filter((element) => step.pulls?.(element) !== true),
  );
}
