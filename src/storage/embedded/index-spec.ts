import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isSqlPath, type Key, keyExpression, keyOf, typeBounds } from "./sort-key.ts";
import {
  decodeDocument,
  isDocument,
  isRecord,
  type StoredDocument,
  type StoredValue,
  toStoredDocument,
} from "./stored-value.ts";

/** In MongoDB's terms. Options that aren't set are missing, as in MongoDB's list of indexes. */
export type IndexSpec = {
  name: string;
  key: Record<string, 1 | -1>;
  unique?: true;
  /** Seconds after the date in the (single) key. */
  expireAfterSeconds?: number;
  partialFilterExpression?: StoredDocument;
};

/** Options without effect here: how an index is built, and when a write is acknowledged. */
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
const known = new Set(["name", "unique", "expireAfterSeconds", "partialFilterExpression"]);

/** Reads the options of createIndex. @throws UnsupportedOnEmbedded for text, hashed, geo, wildcard, collations and others. */
export function readIndexSpec(keyInput: unknown, options: Record<string, unknown>): IndexSpec {
  const key = readIndexKey(keyInput);
  for (const option of Object.keys(options)) {
    if (options[option] === undefined || harmless.has(option) || known.has(option)) continue;
    throw new UnsupportedOnEmbedded(`the index option ${option}`);
  }
  const spec: IndexSpec = { name: readName(options.name, key), key };
  if (options.unique === true) spec.unique = true;
  if (typeof options.expireAfterSeconds === "number") {
    if (Object.keys(key).length !== 1)
      throw new UnsupportedOnEmbedded("expireAfterSeconds on a compound index");
    spec.expireAfterSeconds = options.expireAfterSeconds;
  }
  if (isRecord(options.partialFilterExpression))
    spec.partialFilterExpression = toStoredDocument(options.partialFilterExpression);
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

/** In a fixed order, as listIndexes shows them. */
export function specDocument(spec: IndexSpec): StoredDocument {
  const document: StoredDocument = { v: 2, key: { ...spec.key }, name: spec.name };
  if (spec.unique) document.unique = true;
  if (spec.expireAfterSeconds !== undefined) document.expireAfterSeconds = spec.expireAfterSeconds;
  if (spec.partialFilterExpression) document.partialFilterExpression = spec.partialFilterExpression;
  return document;
}

export function readStoredSpec(text: string): IndexSpec {
  const { key, v: _v, ...options } = decodeDocument(text);
  if (!isDocument(key)) throw new Error("a stored index has no key");
  return readIndexSpec(key, options);
}

export function isIdKey(key: Record<string, 1 | -1>): boolean {
  return Object.keys(key).length === 1 && "_id" in key;
}

export function partialOf(spec: IndexSpec): StoredValue {
  return spec.partialFilterExpression ?? null;
}

/**
 * Paths at which this index can't have an array: MongoDB makes an entry for each element, an expression index only one for each row.
 * Concerns only unique keys and partial filters; other indexes tolerate arrays (see Catalogue.noteArrays).
 */
export function scalarPathsOf(spec: IndexSpec): string[] {
  const clauses = spec.partialFilterExpression ? partialFilterClauses(spec.partialFilterExpression) : [];
  const partial = clauses.map(({ path }) => path);
  return spec.unique ? [...Object.keys(spec.key), ...partial] : partial;
}

/** @param table A quoted identifier, as `sqlName`. */
export function createIndexSql(spec: IndexSpec, table: string, sqlName: string): string {
  const columns = Object.entries(spec.key)
    .map(([path, direction]) => `${keyExpression(path)}${direction === -1 ? " DESC" : ""}`)
    .join(", ");
  const partial = spec.partialFilterExpression;
  const condition = partial === undefined ? "" : ` WHERE ${partialFilterSql(partial)}`;
  return `CREATE ${spec.unique ? "UNIQUE " : ""}INDEX ${sqlName} ON ${table} (${columns})${condition}`;
}

export type PartialClause = { path: string; operator: string; operand: StoredValue };

/**
 * A partialFilterExpression as conditions that must all hold.
 * @throws UnsupportedOnEmbedded for operators that MongoDB or this engine doesn't accept there. Also for `$type`: MongoDB accepts it, but
 * then doesn't use the index for text (isSubsetOf in its expression_algo.cpp). It does for `$gt: ""`.
 */
export function partialFilterClauses(filter: StoredDocument): PartialClause[] {
  return Object.entries(filter).flatMap(([path, condition]) => {
    if (!isSqlPath(path)) throw new UnsupportedOnEmbedded(`${path} in a partialFilterExpression`);
    if (isDocument(condition) && Object.keys(condition).some((name) => name.startsWith("$"))) {
      return Object.entries(condition).map(([operator, operand]) => ({ path, operator, operand }));
    }
    return [{ path, operator: "$eq", operand: condition }];
  });
}

/** SQL without parameters. It must be exact, because it decides what a unique key covers. */
function partialFilterSql(filter: StoredDocument): string {
  return partialFilterClauses(filter).map(clauseSql).join(" AND ");
}

/** A query that repeats this text exactly may use the index. */
export function clauseSql({ path, operator, operand }: PartialClause): string {
  const key = keyExpression(path);
  switch (operator) {
    case "$eq":
      return `${key}=${keySql(operand)}`;
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return rangeSql(key, operator, operand);
    default:
  }
  throw new UnsupportedOnEmbedded(`${operator}: ${JSON.stringify(operand)} in a partialFilterExpression`);
}

function rangeSql(key: string, operator: "$gt" | "$gte" | "$lt" | "$lte", operand: StoredValue): string {
  const bounds = typeBounds(operand);
  if (bounds === undefined)
    throw new UnsupportedOnEmbedded(`${operator} of this type in a partialFilterExpression`);
  const sign = { $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" }[operator];
  const other = operator.startsWith("$g") ? `${key}<${bounds.to}` : `${key}>=${bounds.from}`;
  return `(${key}${sign}${keySql(operand)} AND ${other})`;
}

function keySql(value: StoredValue): string {
  const key = keyOf(value);
  if (key === undefined) throw new UnsupportedOnEmbedded("arrays and objects in a partialFilterExpression");
  return keyLiteral(key);
}

function keyLiteral(key: Key): string {
  if (typeof key === "number") return key === -Infinity ? "-9e999" : String(key);
  if (typeof key === "string") {
    if (key.includes("\0")) throw new UnsupportedOnEmbedded("a NUL character in an index definition");
    return `'${key.replaceAll("'", "''")}'`;
  }
  return `x'${Buffer.from(key).toString("hex")}'`;
}
