import { mongo } from "mongoose";
import { UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { reachedValues, type ReachedValue, WholeList } from "./paths.ts";
import { branchesOf, type Filter, isOperatorObject } from "./read-filter.ts";
import { sameValue, type StoredDocument, type StoredValue, typeName } from "./stored-value.ts";

export type Matcher = (document: StoredDocument) => boolean;

/** Undefined if the field is missing. */
type Found = StoredValue | undefined;

type ValuesTest = (values: ReachedValue[]) => boolean;

/**
 * Compiles a filter that readFilter has checked.
 * || We don't use mingo, the library for this: version 7.2 found other documents than MongoDB for equality with objects, for null,
 * $exists, $size, $type and ranges on paths through lists of objects.
 */
export function createMatcher(filter: Filter): Matcher {
  const tests = Object.entries(filter).map(([name, condition]) => {
    const branches = name.startsWith("$") ? branchesOf(condition).map(createMatcher) : [];
    switch (name) {
      case "$and":
        return (document: StoredDocument) => branches.every((matches) => matches(document));
      case "$or":
        return (document: StoredDocument) => branches.some((matches) => matches(document));
      default: {
        const test = compileCondition(condition, true);
        return (document: StoredDocument) => test(reachedValues(document, name));
      }
    }
  });
  const [only] = tests;
  return tests.length === 1 && only !== undefined
    ? only
    : (document) => tests.every((test) => test(document));
}

/** @param intoLists Whether each element of a list counts as well. */
function compileCondition(condition: unknown, intoLists: boolean): ValuesTest {
  if (!isOperatorObject(condition)) return operators.$eq(condition, intoLists);
  const tests = Object.entries(condition).map(([name, operand]) => {
    if (!isKnown(name)) throw new Error(`readFilter let the operator ${name} pass`);
    return operators[name](operand, intoLists);
  });
  return (values) => tests.every((test) => test(values));
}

type OperatorName =
  | "$eq"
  | "$ne"
  | "$in"
  | "$nin"
  | "$gt"
  | "$gte"
  | "$lt"
  | "$lte"
  | "$regex"
  | "$exists"
  | "$size"
  | "$type"
  | "$not";

const operators: Record<OperatorName, (operand: unknown, intoLists: boolean) => ValuesTest> = {
  $eq: (operand, intoLists) => anyValue((value) => meets(value, operand), intoLists),
  $ne: (operand, intoLists) => not(operators.$eq(operand, intoLists)),
  $in: (operand, intoLists) => {
    const expected = listOf(operand);
    if (expected.every((one) => typeof one === "string")) {
      const texts = new Set<Found>(expected);
      return anyValue((value) => texts.has(value), intoLists);
    }
    return anyValue((value) => expected.some((one) => meets(value, one)), intoLists);
  },
  $nin: (operand, intoLists) => not(operators.$in(operand, intoLists)),
  $gt: (operand, intoLists) => range(operand, intoLists, (order) => order > 0),
  $gte: (operand, intoLists) => range(operand, intoLists, (order) => order >= 0),
  $lt: (operand, intoLists) => range(operand, intoLists, (order) => order < 0),
  $lte: (operand, intoLists) => range(operand, intoLists, (order) => order <= 0),
  $regex: (operand, intoLists) => anyValue((value) => meets(value, operand), intoLists),
  $exists: (operand) => (values) => values.some((value) => value !== undefined) === operand,
  $size: (operand) => (values) => values.some((value) => listAt(value)?.length === operand),
  $type: (operand, intoLists) => {
    const types = listOf(operand);
    return anyValue((value) => types.includes(queryTypeName(value)), intoLists);
  },
  $not: (operand, intoLists) => not(compileCondition(operand, intoLists)),
};

function isKnown(name: string): name is OperatorName {
  return Object.hasOwn(operators, name);
}

function anyValue(accepts: (found: Found) => boolean, intoLists: boolean): ValuesTest {
  return (values) =>
    values.some((value) => {
      if (value instanceof WholeList) return accepts(value.list);
      return (
        accepts(value) || (intoLists && Array.isArray(value) && value.some((element) => accepts(element)))
      );
    });
}

function listAt(value: ReachedValue): StoredValue[] | undefined {
  if (value instanceof WholeList) return value.list;
  return Array.isArray(value) ? value : undefined;
}

function not(test: ValuesTest): ValuesTest {
  return (values) => !test(values);
}

function listOf(operand: unknown): unknown[] {
  return Array.isArray(operand) ? operand : [];
}

function meets(value: Found, expected: unknown): boolean {
  if (expected instanceof RegExp) return typeof value === "string" && expected.test(value);
  if (value === undefined) return expected === null;
  return isStored(expected) && sameValue(value, expected);
}

/** After readFilter, there are only stored values and regular expressions. */
function isStored(value: unknown): value is StoredValue {
  return value !== undefined && !(value instanceof RegExp);
}

/** A range never leaves its operand's type. */
function range(operand: unknown, intoLists: boolean, holds: (order: number) => boolean): ValuesTest {
  if (!isStored(operand)) return () => false;
  // As in MongoDB: numbers compare with numbers, dates with dates.
  const isComparable = (value: Found) => rank(value) === rank(operand);
  return anyValue((value) => isComparable(value) && holds(compareValues(value, operand)), intoLists);
}

function queryTypeName(value: Found): string {
  const name = typeName(value);
  return name === "int" || name === "double" ? "number" : name;
}

/** In MongoDB's order of types. */
const ranks: Record<string, number> = {
  missing: 0,
  null: 1,
  int: 2,
  double: 2,
  string: 3,
  object: 4,
  array: 5,
  binData: 6,
  objectId: 7,
  bool: 8,
  date: 9,
};

/**
 * Negative, zero or positive, in MongoDB's order: first by type, then within the type.
 * @throws UnsupportedOnEmbedded for two arrays, two objects or two byte strings.
 */
export function compareValues(left: StoredValue | undefined, right: StoredValue | undefined): number {
  const byType = rank(left) - rank(right);
  return byType !== 0 ? byType : compareAlike(left, right);
}

function rank(value: StoredValue | undefined): number {
  return ranks[typeName(value)] ?? 0;
}

function compareAlike(left: StoredValue | undefined, right: StoredValue | undefined): number {
  if (left === right || left === null || left === undefined) return 0;
  if (typeof left === "string" && typeof right === "string") return compareCodePoints(left, right);
  const a = numberFor(left);
  const b = right === null || right === undefined ? undefined : numberFor(right);
  if (a !== undefined && b !== undefined) return a - b;
  if (left instanceof mongo.ObjectId && right instanceof mongo.ObjectId) {
    return compareCodePoints(left.toHexString(), right.toHexString());
  }
  throw new UnsupportedOnEmbedded(`ordering values of type ${typeName(left)}`);
}

function numberFor(value: StoredValue): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value instanceof Date ? value.getTime() : undefined;
}

/** By code point, which is how UTF-8 bytes sort, and so MongoDB and SQLite. JavaScript sorts surrogates below U+E000. */
function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) return weight(a) - weight(b);
  }
  return left.length - right.length;
}

/** Puts halves of characters beyond U+FFFF after every other unit. */
function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
