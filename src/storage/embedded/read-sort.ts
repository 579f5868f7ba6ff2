import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isSqlPath } from "./sort-key.ts";
import { isRecord } from "./stored-value.ts";

/** The most important first. */
export type Sort = [path: string, direction: 1 | -1][];

const directions = new Map<unknown, 1 | -1>([
  [1, 1],
  [-1, -1],
  ["asc", 1],
  ["desc", -1],
  ["ascending", 1],
  ["descending", -1],
]);

/** As an object, a Map, or a list of pairs, as mongoose hands it to its driver. */
export function readSort(input: unknown): Sort {
  if (input === undefined || input === null) return [];
  return entriesOf(input).map(([path, direction]) => {
    const sign = directions.get(direction);
    if (sign === undefined) {
      if (isRecord(direction)) throw new UnsupportedOnEmbedded("sorting by $meta");
      throw serverError(
        mongoCode.badValue,
        "$sort key ordering must be 1 (for ascending) or -1 (for descending)",
      );
    }
    if (typeof path !== "string" || !isSqlPath(path)) {
      throw new UnsupportedOnEmbedded(`sorting by the path ${String(path)}`);
    }
    return [path, sign];
  });
}

function isPair(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function entriesOf(input: unknown): [unknown, unknown][] {
  if (input instanceof Map) return [...input.entries()];
  if (Array.isArray(input)) {
    return input.map((pair: unknown) => {
      if (!isPair(pair)) throw new UnsupportedOnEmbedded("a sort that is a list of names");
      return pair;
    });
  }
  if (isRecord(input)) return Object.entries(input);
  throw new UnsupportedOnEmbedded("a sort of this form");
}
