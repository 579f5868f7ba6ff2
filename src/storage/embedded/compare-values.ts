import { mongo } from "mongoose";
import { UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { type StoredValue, typeName } from "./stored-value.ts";

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
export function sameType(left: StoredValue | undefined, right: StoredValue | undefined): boolean {
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
