import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isSqlPath, jsonPath, keyExpression } from "./sort-key.ts";
import { partialFilterPaths, partialFilterSql } from "./partial-filter.ts";
import { isRecord, type StoredDocument } from "./stored-value.ts";
import { toStoredDocument } from "./to-stored.ts";

/** In MongoDB's words; absent options are absent, as in its list of indexes. */
export type IndexSpec = {
  name: string;
  key: Record<string, 1 | -1>;
  unique?: true;
  sparse?: true;
  /** Seconds after the date in the (single) key. */
  expireAfterSeconds?: number;
  partialFilterExpression?: StoredDocument;
};

/** Without effect here: how an index is built, and what a write is acknowledged by. */
const harmless = new Set([
  "background",
  "v",
  "w",
  "j",
  "wtimeout",
  "writeConcern",
  "maxTimeMS",
  "comment",
  "session",
]);
const known = new Set(["name", "unique", "sparse", "expireAfterSeconds", "partialFilterExpression"]);

/** Options of createIndex. @throws UnsupportedOnEmbedded for text, hashed, geo, wildcard, collations and the like. */
export function readIndexSpec(keyInput: unknown, options: Record<string, unknown>): IndexSpec {
  const key = readIndexKey(keyInput);
  for (const option of Object.keys(options)) {
    if (options[option] === undefined || harmless.has(option) || known.has(option)) continue;
    throw new UnsupportedOnEmbedded(`the index option ${option}`);
  }
  const spec: IndexSpec = { name: readName(options.name, key), key };
  if (options.unique === true) spec.unique = true;
  if (options.sparse === true) spec.sparse = true;
  if (typeof options.expireAfterSeconds === "number") {
    if (Object.keys(key).length !== 1)
      throw new UnsupportedOnEmbedded("expireAfterSeconds on a compound index");
    spec.expireAfterSeconds = options.expireAfterSeconds;
  }
  if (isRecord(options.partialFilterExpression)) {
    if (spec.sparse)
      throw serverError(mongoCode.cannotCreateIndex, "cannot mix partialFilterExpression and sparse");
    spec.partialFilterExpression = toStoredDocument(options.partialFilterExpression);
  }
  return spec;
}

function readName(name: unknown, key: Record<string, 1 | -1>): string {
  return typeof name === "string"
    ? name
    : Object.entries(key)
        .map(([path, direction]) => `${path}_${direction}`)
        .join("_");
}

function readIndexKey(input: unknown): Record<string, 1 | -1> {
  const record = isRecord(input) ? Object.entries(input) : [];
  const entries: Iterable<[unknown, unknown]> = input instanceof Map ? input.entries() : record;
  const key: Record<string, 1 | -1> = {};
  for (const [path, direction] of entries) {
    if (typeof path !== "string" || !isSqlPath(path)) {
      throw new UnsupportedOnEmbedded(`an index on the path ${String(path)}`);
    }
    if (direction !== 1 && direction !== -1) {
      throw new UnsupportedOnEmbedded(`an index of type ${String(direction)}`);
    }
    key[path] = direction;
  }
  if (Object.keys(key).length === 0) {
    throw serverError(mongoCode.cannotCreateIndex, "Index keys cannot be an empty object");
  }
  return key;
}

/**
 * Paths at which this index cannot hold an array: MongoDB makes an entry for each element, an expression index one for
 * each row. Only for unique keys and partial filters; others tolerate arrays (see Catalogue.noteArrays).
 */
export function scalarPathsOf(spec: IndexSpec): string[] {
  const partial = spec.partialFilterExpression ? partialFilterPaths(spec.partialFilterExpression) : [];
  return spec.unique ? [...Object.keys(spec.key), ...partial] : partial;
}

/** `table` and `sqlName` are quoted identifiers. */
export function createIndexSql(spec: IndexSpec, table: string, sqlName: string): string {
  const columns = Object.entries(spec.key)
    .map(([path, direction]) => `${keyExpression(path)}${direction === -1 ? " DESC" : ""}`)
    .join(", ");
  const condition = conditionSql(spec);
  return `CREATE ${spec.unique ? "UNIQUE " : ""}INDEX ${sqlName} ON ${table} (${columns})${condition === "" ? "" : ` WHERE ${condition}`}`;
}

function conditionSql(spec: IndexSpec): string {
  if (spec.partialFilterExpression) return partialFilterSql(spec.partialFilterExpression);
  if (!spec.sparse) return "";
  // A compound sparse index holds a document as soon as one of its fields exists.
  const present = Object.keys(spec.key).map((path) =>
    path === "_id" ? "1" : `json_type(doc,${jsonPath(path)}) IS NOT NULL`,
  );
  return present.join(" OR ");
}
