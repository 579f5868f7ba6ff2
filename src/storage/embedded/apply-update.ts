import { compareValues } from "./compare-values.ts";
import { pathValues } from "./path-values.ts";
import { mongoCode, serverError } from "./mongo-errors.ts";
import type { Filter } from "./read-filter.ts";
import type { Update, UpdateStep } from "./read-update.ts";
import { isDocument, sameValue, type StoredDocument, type StoredValue, typeName } from "./stored-value.ts";
import { findSlots, readSlot, type Slot, writeSlot } from "./update-slots.ts";

/** `isInsert`: for the document an upsert makes. */
export type UpdateTarget = { document: StoredDocument; filter: Filter; isInsert: boolean };

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
    const strict = step.operator === "$pop" || step.operator === "$rename";
    const slots = findSlots(step.names, { ...target, elementFilters: update.elementFilters, create, strict });
    if (step.operator === "$rename") rename(step, slots, update, target);
    else for (const slot of slots) appliers[step.operator]?.(slot, step, target.document);
  }
  if (id !== undefined && !sameValue(target.document._id, id)) {
    const message = "Performing an update on the path '_id' would modify the immutable field '_id'";
    throw serverError(mongoCode.immutableField, message);
  }
}

const withoutCreating = new Set(["$unset", "$pull", "$pullAll", "$pop", "$rename"]);

type Apply = (slot: Slot, step: UpdateStep, document: StoredDocument) => void;

const appliers: Record<string, Apply> = {
  $set: (slot, step) => writeSlot(slot, copy(step.operand)),
  $setOnInsert: (slot, step) => writeSlot(slot, copy(step.operand)),
  $unset: unset,
  $inc: (slot, step, document) => arithmetic(slot, step, document, (value, by) => value + by),
  $mul: (slot, step, document) => arithmetic(slot, step, document, (value, by) => value * by),
  $min: (slot, step) => keepExtreme(slot, step, -1),
  $max: (slot, step) => keepExtreme(slot, step, 1),
  $push: push,
  $addToSet: addToSet,
  $pull: (slot, step) => pull(slot, step, (element) => step.pulls?.(element) === true),
  $pullAll: (slot, step) => {
    const gone = Array.isArray(step.operand) ? step.operand : [];
    pull(slot, step, (element) => gone.some((one) => sameValue(one, element)));
  },
  $pop: pop,
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

function arithmetic(
  slot: Slot,
  step: UpdateStep,
  document: StoredDocument,
  combine: (value: number, by: number) => number,
): void {
  const value = readSlot(slot);
  if (value !== undefined && typeof value !== "number") {
    const message = `Cannot apply ${step.operator} to a value of non-numeric type. {_id: ${JSON.stringify(document._id)}} has the field '${slot.name}' of non-numeric type ${typeName(value)}`;
    throw serverError(mongoCode.typeMismatch, message);
  }
  if (typeof step.operand !== "number") return;
  const result = combine(value ?? 0, step.operand);
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
  const position = typeof modifiers.$position === "number" ? modifiers.$position : array.length;
  array.splice(position, 0, ...elements);
  if (modifiers.$sort !== undefined) sortElements(array, modifiers.$sort);
  writeSlot(slot, typeof modifiers.$slice === "number" ? sliced(array, modifiers.$slice) : array);
}

function sliced(array: StoredValue[], count: number): StoredValue[] {
  if (count === 0) return [];
  return count > 0 ? array.slice(0, count) : array.slice(count);
}

function sortElements(array: StoredValue[], order: StoredValue): void {
  const keys = isDocument(order) ? Object.entries(order) : [["", order] as const];
  for (const [, direction] of keys) {
    if (direction !== 1 && direction !== -1) {
      throw serverError(mongoCode.badValue, "The $sort element value must be either 1 or -1");
    }
  }
  array.sort((left, right) => {
    for (const [path, direction] of keys) {
      const a = path === "" ? left : pathValues(left, path)[0];
      const b = path === "" ? right : pathValues(right, path)[0];
      const order = compareValues(a ?? null, b ?? null);
      if (order !== 0) return direction === 1 ? order : -order;
    }
    return 0;
  });
}

function addToSet(slot: Slot, step: UpdateStep, document: StoredDocument): void {
  const array = arrayIn(slot, step, document);
  for (const element of elementsOf(step.operand).elements) {
    if (!array.some((one) => sameValue(one, element))) array.push(element);
  }
  writeSlot(slot, array);
}

function pull(slot: Slot, step: UpdateStep, goes: (element: StoredValue) => boolean): void {
  const value = readSlot(slot);
  if (value === undefined) return;
  if (!Array.isArray(value)) {
    throw serverError(mongoCode.badValue, `Cannot apply ${step.operator} to a non-array value`);
  }
  writeSlot(
    slot,
    value.filter((element) => !goes(element)),
  );
}

function pop(slot: Slot, step: UpdateStep): void {
  const value = readSlot(slot);
  if (value === undefined) return;
  if (!Array.isArray(value)) {
    const message = `Path '${step.path}' contains an element of non-array type '${typeName(value)}'`;
    throw serverError(mongoCode.typeMismatch, message);
  }
  if (step.operand === 1) value.pop();
  else value.shift();
}

function rename(step: UpdateStep, slots: Slot[], update: Update, target: UpdateTarget): void {
  const slot = slots[0];
  const value = slot === undefined ? undefined : readSlot(slot);
  if (slot === undefined || value === undefined || typeof step.operand !== "string") return;
  if (Array.isArray(slot.holder)) {
    throw serverError(mongoCode.badValue, `The source field '${step.path}' cannot be an array element`);
  }
  unset(slot);
  const names = step.operand.split(".");
  for (const to of findSlots(names, { ...target, elementFilters: update.elementFilters, create: true })) {
    writeSlot(to, value);
  }
}
