import { mongo } from "mongoose";
import { UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { pathPlaces, type Place, WholeList } from "./paths.ts";
import { branchesOf, type Filter, isOperatorObject } from "./read-filter.ts";
import { sameValue, type StoredDocument, type StoredValue, typeName } from "./stored-value.ts";

export type Matcher = (document: StoredDocument) => boolean;

/** Undefined where the field is missing. */
type Found = StoredValue | undefined;

type PlacesTest = (places: Place[]) => boolean;

/**
 * Compiles a filter that readFilter has checked.
 *
 * Not by mingo, the library for this: version 7.2 found other documents than MongoDB for equality with objects, for
 * null, $exists, $size, $type and ranges on paths through lists of objects.
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
        return (document: StoredDocument) => test(pathPlaces(document, name));
      }
    }
  });
  const [only] = tests;
  return tests.length === 1 && only !== undefined
    ? only
    : (document) => tests.every((test) => test(document));
}

/** @param intoLists Whether a list counts also through each of its elements. */
function compileCondition(condition: unknown, intoLists: boolean): PlacesTest {
  if (!isOperatorObject(condition)) return operators.$eq(condition, intoLists);
  const tests = Object.entries(condition).map(([name, operand]) => {
    if (!isKnown(name)) throw new Error(`readFilter let the operator ${name} pass`);
    return operators[name](operand, intoLists);
  });
  return (places) => tests.every((test) => test(places));
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

type Compile = (operand: unknown, intoLists: boolean) => PlacesTest;

const operators: Record<OperatorName, Compile> = {
  $eq: (operand, intoLists) => anyPlace((place) => meets(place, operand), intoLists),
  $ne: (operand, intoLists) => not(operators.$eq(operand, intoLists)),
  $in: (operand, intoLists) => {
    const wanted = listOf(operand);
    if (wanted.every((one) => typeof one === "string")) {
      const texts = new Set<Found>(wanted);
      return anyPlace((place) => texts.has(place), intoLists);
    }
    return anyPlace((place) => wanted.some((one) => meets(place, one)), intoLists);
  },
  $nin: (operand, intoLists) => not(operators.$in(operand, intoLists)),
  $gt: (operand, intoLists) => range(operand, intoLists, (order) => order > 0),
  $gte: (operand, intoLists) => range(operand, intoLists, (order) => order >= 0),
  $lt: (operand, intoLists) => range(operand, intoLists, (order) => order < 0),
  $lte: (operand, intoLists) => range(operand, intoLists, (order) => order <= 0),
  $regex: (operand, intoLists) => anyPlace((place) => meets(place, operand), intoLists),
  $exists: (operand) => (places) => places.some((place) => place !== undefined) === operand,
  $size: (operand) => (places) => places.some((place) => listAt(place)?.length === operand),
  $type: (operand, intoLists) => {
    const types = listOf(operand);
    return anyPlace((place) => types.includes(queryTypeName(place)), intoLists);
  },
  $not: (operand, intoLists) => not(compileCondition(operand, intoLists)),
};

function isKnown(name: string): name is OperatorName {
  return Object.hasOwn(operators, name);
}

function anyPlace(accepts: (found: Found) => boolean, intoLists: boolean): PlacesTest {
  return (places) =>
    places.some((place) => {
      if (place instanceof WholeList) return accepts(place.list);
      return (
        accepts(place) || (intoLists && Array.isArray(place) && place.some((element) => accepts(element)))
      );
    });
}

function listAt(place: Place): StoredValue[] | undefined {
  if (place instanceof WholeList) return place.list;
  return Array.isArray(place) ? place : undefined;
}

function not(test: PlacesTest): PlacesTest {
  return (places) => !test(places);
}

function listOf(operand: unknown): unknown[] {
  return Array.isArray(operand) ? operand : [];
}

function meets(place: Found, wanted: unknown): boolean {
  if (wanted instanceof RegExp) return typeof place === "string" && wanted.test(place);
  if (place === undefined) return wanted === null;
  return isStored(wanted) && sameValue(place, wanted);
}

/** readFilter leaves stored values and regular expressions. */
function isStored(value: unknown): value is StoredValue {
  return value !== undefined && !(value instanceof RegExp);
}

/** A range never leaves the type of its operand. */
function range(operand: unknown, intoLists: boolean, holds: (order: number) => boolean): PlacesTest {
  if (!isStored(operand)) return () => false;
  return anyPlace((place) => sameType(place, operand) && holds(compareValues(place, operand)), intoLists);
}

function queryTypeName(place: Found): string {
  const name = typeName(place);
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
 * Negative, zero or positive, in MongoDB's order: by type, then within it.
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
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  const a = numberFor(left);
  const b = right === null || right === undefined ? undefined : numberFor(right);
  if (a !== undefined && b !== undefined) return a - b;
  if (left instanceof mongo.ObjectId && right instanceof mongo.ObjectId) {
    return compareText(left.toHexString(), right.toHexString());
  }
  throw new UnsupportedOnEmbedded(`ordering values of type ${typeName(left)}`);
}

function numberFor(value: StoredValue): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value instanceof Date ? value.getTime() : undefined;
}

/** Whether MongoDB lets a range compare the two: numbers with numbers, dates with dates. */
function sameType(left: StoredValue | undefined, right: StoredValue | undefined): boolean {
  return rank(left) === rank(right);
}

/** By code point, as UTF-8 bytes sort and so MongoDB and SQLite; JavaScript sorts surrogates below U+E000. */
function compareText(left: string, right: string): number {
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
