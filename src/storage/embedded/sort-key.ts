import { mongo } from "mongoose";
import { getOrMake } from "../../kernel/lists.ts";
import { type StoredValue, toJson } from "./stored-value.ts";
import { maxExpressions } from "./limits.ts";

/**
 * What SQLite compares instead of a value. Keys sort as MongoDB sorts values, by type: null and missing (-Infinity), numbers (REAL or
 * INTEGER), strings (TEXT), then BLOBs that begin with a digit for the type: objects (3), arrays (4, all alike), booleans (8) and dates
 * (9). So ranges can stay within a type, and a unique index takes null and missing as the same key, as MongoDB does.
 */
export type Key = number | string | Uint8Array;

/** The key of null and of a missing field, in SQL. */
const nullKeySql = "-9e999";

/** The key that all arrays share, in SQL. */
export const arrayKeySql = "x'34'";

/** Keys of dates are text, which can't sort negative numbers, so dates count from the earliest one in JavaScript. */
const earliestDateMs = 8_640_000_000_000_000;

/** Undefined for arrays and objects, which have no exact key (their fields may be in another order). */
export function keyOf(value: StoredValue): Key | undefined {
  if (typeof value === "string" || typeof value === "number") return value;
  if (value === null) return -Infinity;
  if (typeof value === "boolean") return Buffer.from(value ? "81" : "80");
  if (value instanceof Date)
    return Buffer.from(`9${String(value.getTime() + earliestDateMs).padStart(17, "0")}`);
  if (value instanceof mongo.ObjectId) return Buffer.from(`3${JSON.stringify(toJson(value))}`);
  return undefined;
}

/** SQL bounds of a value's type: from (inclusive) and to (exclusive). */
export function typeBounds(value: StoredValue): { from: string; to: string } | undefined {
  if (typeof value === "number") return { from: "-1.7976931348623157e308", to: "''" };
  if (typeof value === "string") return { from: "''", to: "x''" };
  if (value instanceof Date) return { from: "x'39'", to: "x'3a'" };
  return undefined;
}

/** Whether a path consists of plain names and dots. The matcher handles array positions. */
export function isSqlPath(path: string): boolean {
  return /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/.test(path);
}

export function jsonPath(path: string): string {
  return `'$.${path
    .split(".")
    .map((name) => `"${name}"`)
    .join(".")}'`;
}

/** SQL for the key of the value at `path`. Indexes and queries must use exactly the same text. */
export function keyExpression(path: string): string {
  if (path === "_id") return "id";
  return getOrMake(expressions, maxExpressions, path, () => makeExpression(path));
}

/** By path, because every query needs some, and a program has a few hundred paths. */
const expressions = new Map<string, string>();

function makeExpression(path: string): string {
  const names = path.split(".");
  const at = jsonPath(path);
  const date = jsonPath(path).replace(/'$/, '."$date"\'');
  const arrayAbove = names
    .slice(1)
    .map(
      (_, i) =>
        `WHEN json_type(doc,${jsonPath(names.slice(0, i + 1).join("."))})='array' THEN ${arrayKeySql} `,
    );
  const key =
    `CASE json_type(doc,${at}) WHEN 'text' THEN doc->>${at} WHEN 'integer' THEN doc->>${at}` +
    ` WHEN 'real' THEN doc->>${at} WHEN 'true' THEN x'3831' WHEN 'false' THEN x'3830' WHEN 'array' THEN ${arrayKeySql}` +
    ` WHEN 'object' THEN CAST(CASE WHEN doc->>${date} IS NULL THEN '3'||(doc->${at})` +
    ` ELSE printf('9%017d',(doc->>${date})+${String(earliestDateMs)}) END AS BLOB) ELSE ${nullKeySql} END`;
  return arrayAbove.length === 0 ? key : `CASE ${arrayAbove.join("")}ELSE ${key} END`;
}
