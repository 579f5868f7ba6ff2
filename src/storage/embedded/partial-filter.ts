import { UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isSqlPath, jsonPath, type Key, keyExpression, keyOf, typeBounds } from "./sort-key.ts";
import { isDocument, type StoredDocument, type StoredValue } from "./stored-value.ts";

export type PartialClause = { path: string; operator: string; operand: StoredValue };

/**
 * A partialFilterExpression as conditions that must all hold.
 * @throws UnsupportedOnEmbedded for operators that MongoDB, or this engine, does not take there.
 */
export function partialFilterClauses(filter: StoredDocument): PartialClause[] {
  return Object.entries(filter).flatMap(([path, condition]) => {
    if (path === "$and" && Array.isArray(condition)) {
      return condition.flatMap((part) => (isDocument(part) ? partialFilterClauses(part) : []));
    }
    if (!isSqlPath(path)) throw new UnsupportedOnEmbedded(`${path} in a partialFilterExpression`);
    if (isDocument(condition) && Object.keys(condition).some((name) => name.startsWith("$"))) {
      return Object.entries(condition).map(([operator, operand]) => ({ path, operator, operand }));
    }
    return [{ path, operator: "$eq", operand: condition }];
  });
}

export function partialFilterPaths(filter: StoredDocument): string[] {
  return partialFilterClauses(filter).map((clause) => clause.path);
}

/** SQL without parameters; exact, for it decides what a unique key covers. */
export function partialFilterSql(filter: StoredDocument): string {
  return partialFilterClauses(filter).map(clauseSql).join(" AND ");
}

/** A query that repeats it word for word may use the index. */
export function clauseSql({ path, operator, operand }: PartialClause): string {
  const key = keyExpression(path);
  switch (operator) {
    case "$eq":
      return `${key}=${keySql(operand)}`;
    case "$in":
      if (!Array.isArray(operand)) break;
      return `${key} IN (${operand.map(keySql).join(",")})`;
    case "$exists":
      if (operand !== true) break;
      return path === "_id" ? "1" : `json_type(doc,${jsonPath(path)}) IS NOT NULL`;
    case "$type":
      return typeSql(path, operand);
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

function typeSql(path: string, type: StoredValue): string {
  const jsonType = `json_type(doc,${jsonPath(path)})`;
  const conditions: Record<string, string> = {
    string: `${jsonType}='text'`,
    number: `${jsonType} IN ('integer','real')`,
    bool: `${jsonType} IN ('true','false')`,
    null: `${jsonType}='null'`,
    date: `(${keyExpression(path)}>=x'39' AND ${keyExpression(path)}<x'3a')`,
  };
  const condition = typeof type === "string" ? conditions[type] : undefined;
  if (condition === undefined) throw new UnsupportedOnEmbedded("this $type in a partialFilterExpression");
  return condition;
}

function keySql(value: StoredValue): string {
  const key = keyOf(value);
  if (key === undefined) throw new UnsupportedOnEmbedded("arrays and objects in a partialFilterExpression");
  return keyLiteral(key);
}

/** As an SQL literal. */
function keyLiteral(key: Key): string {
  if (typeof key === "number") return key === -Infinity ? "-9e999" : String(key);
  if (typeof key === "string") {
    if (key.includes("\0")) throw new UnsupportedOnEmbedded("a NUL character in an index definition");
    return `'${key.replaceAll("'", "''")}'`;
  }
  return `x'${Buffer.from(key).toString("hex")}'`;
}
