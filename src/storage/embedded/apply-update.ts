import { mongo } from "mongoose";
import { maxPaddingLength } from "./limits.ts";
import { compareValues, type Matcher } from "./matcher.ts";
import { mongoCode, serverError } from "./mongo-errors.ts";
import { branchesOf, type Filter, isOperatorObject } from "./read-filter.ts";
import type { Update, UpdateStep } from "./read-update.ts";
import { isDocument, sameValue, type StoredDocument, type StoredValue, typeName } from "./stored-value.ts";

/**
 * Applies an update to a document, in place. We don't use mingo, the library for this: where MongoDB refuses ($inc on a string, $push on a
 * scalar, a path through a scalar), mingo does nothing, and a site that moves to MongoDB would be surprised.
 * @throws MongoServerError with MongoDB's code. The document is then in an undefined state and must be dropped.
 */
export function applyUpdate(update: Update, target: { document: StoredDocument; isInsert: boolean }): void {
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

const appliers: Record<string, (slot: Slot, step: UpdateStep, document: StoredDocument) => void> = {
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

/** Copies an operand, because several documents may get the same one. */
function copy(value: StoredValue): StoredValue {
  if (Array.isArray(value)) return value.map(copy);
  if (!isDocument(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(item)]));
}

function unset(slot: Slot): void {
  if (Array.isArray(slot.holder)) {
    // MongoDB leaves a null there, so the other elements keep their positions.
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

/** The values in an operand of $push or $addToSet, and its other modifiers. */
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

/** A place to which an update writes: a field of an object, or a position in an array. */
type Slot = { holder: StoredDocument | StoredValue[]; name: string };

type SlotContext = {
  document: StoredDocument;
  elementFilters: Map<string, Matcher>;
  /** Creates missing objects on the way. Otherwise, a path that ends early has no place. */
  create: boolean;
};

/**
 * The place of a path; with `$[identifier]`, any number of places.
 * @throws MongoServerError 28 if the path leads through a value that has no fields.
 */
function findSlots(names: string[], context: SlotContext): Slot[] {
  const slots: Slot[] = [];
  descend(context.document, names, 0, context, slots);
  return slots;
}

function readSlot({ holder, name }: Slot): StoredValue | undefined {
  if (Array.isArray(holder)) return holder[Number(name)];
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** Writes a value; pads an array with nulls if needed. */
function writeSlot({ holder, name }: Slot, value: StoredValue): void {
  if (!Array.isArray(holder)) {
    if (name === "__proto__") throw serverError(mongoCode.badValue, "the field name __proto__ is refused");
    holder[name] = value;
    return;
  }
  const position = Number(name);
  if (position - holder.length > maxPaddingLength) {
    throw serverError(mongoCode.badValue, `can't pad an array up to position ${name}`);
  }
  while (holder.length < position) holder.push(null);
  holder[position] = value;
}

function descend(
  holder: StoredDocument | StoredValue[],
  names: string[],
  depth: number,
  context: SlotContext,
  slots: Slot[],
): void {
  for (const name of namesAt(holder, names, depth, context)) {
    const slot = { holder, name };
    if (depth === names.length - 1) {
      slots.push(slot);
      continue;
    }
    const below = readSlot(slot);
    if (isDocument(below) || Array.isArray(below)) {
      descend(below, names, depth + 1, context, slots);
    } else if (below !== undefined && context.create) {
      refuseScalar(names, depth, below);
    } else if (context.create) {
      const made: StoredDocument = {};
      writeSlot(slot, made);
      descend(made, names, depth + 1, context, slots);
    }
  }
}

function refuseScalar(names: string[], depth: number, below: StoredValue): never {
  const inside = `{${names[depth] ?? ""}: ${JSON.stringify(below)}}`;
  throw serverError(
    mongoCode.pathNotViable,
    `Cannot create field '${names[depth + 1] ?? ""}' in element ${inside}`,
  );
}

function namesAt(
  holder: StoredDocument | StoredValue[],
  names: string[],
  depth: number,
  context: SlotContext,
): string[] {
  const name = names[depth] ?? "";
  if (!name.startsWith("$")) {
    if (!Array.isArray(holder) || /^\d+$/.test(name)) return [name];
    if (!context.create) return [];
    const above = names[depth - 1] ?? "";
    const message = `Cannot create field '${name}' in element {${above}: ${JSON.stringify(holder)}}`;
    throw serverError(mongoCode.pathNotViable, message);
  }
  const path = names.slice(0, depth).join(".");
  if (!Array.isArray(holder)) {
    const message = `Cannot apply array updates to non-array element ${path}: ${typeName(holder)}`;
    throw serverError(mongoCode.badValue, message);
  }
  const identifier = name.slice(2, -1);
  const matches = context.elementFilters.get(identifier);
  return [...holder.keys()].map(String).filter((position) => {
    const element = holder[Number(position)];
    return element !== undefined && matches?.({ [identifier]: element }) === true;
  });
}

/** The document that an upsert starts with: every field that the filter sets equal to a value. */
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
    // Of many branches, any may match, but a single branch must.
    if (name === "$or" && branchesOf(condition).length === 1)
      return branchesOf(condition).flatMap(equalities);
    if (name.startsWith("$")) return [];
    if (!isOperatorObject(condition)) return isStored(condition) ? [[name, condition]] : [];
    return [...valuesOf(condition)].map((value) => [name, value]);
  });
}

/** Values to which a condition sets a path equal: `$eq`, or a list of one. */
function* valuesOf({ $eq, $in }: Record<string, unknown>): Generator<StoredValue> {
  if (isStored($eq)) yield $eq;
  if (Array.isArray($in) && $in.length === 1 && isStored($in[0])) yield $in[0];
}

/** After readFilter, there are only stored values and, for $regex, regular expressions. */
function isStored(value: unknown): value is StoredValue {
  return value !== undefined && !(value instanceof RegExp);
}

/** Puts `_id` first, and makes an ObjectId if there is none, as MongoDB does. */
export function withId(document: StoredDocument): StoredDocument {
  const { _id: id, ...fields } = document;
  if (isDocument(id) || Array.isArray(id)) {
    throw serverError(mongoCode.badValue, "The '_id' value must be a single value");
  }
  return { _id: id ?? new mongo.ObjectId(), ...fields };
}
