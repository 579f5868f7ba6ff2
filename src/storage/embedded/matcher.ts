import { compareValues, sameType } from "./compare-values.ts";
import { pathPlaces, type Place, WholeList } from "./path-values.ts";
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
