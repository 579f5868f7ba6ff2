import type { CollectionFacts } from "./catalogue.ts";
import { branchesOf, type Filter, isOperatorObject } from "./read-filter.ts";
import { clauseSql, type PartialClause, partialFilterClauses } from "./index-spec.ts";
import { arrayKeySql, isSqlPath, type Key, keyExpression, keyOf, typeBounds } from "./sort-key.ts";
import { isDocument, sameValue, type StoredValue } from "./stored-value.ts";
import { maxListedValues } from "./limits.ts";

/** The part of a filter that SQLite decides. */
export type FilterPlan = {
  /** SQL condition, "" for none. True for every matching document, and maybe for others. */
  where: string;
  params: Key[];
  /** True if the condition holds for matching documents only, so they needn't be checked again. */
  exact: boolean;
};

const nothing: FilterPlan = { where: "", params: [], exact: false };

export function planFilter(filter: Filter, facts: CollectionFacts): FilterPlan {
  const parts = Object.entries(filter).map(([name, condition]) => {
    if (name === "$and") return all(branchesOf(condition).map((branch) => planFilter(branch, facts)));
    if (name === "$or") return any(branchesOf(condition).map((branch) => planFilter(branch, facts)));
    if (name.startsWith("$") || !isSqlPath(name)) return nothing;
    return planPath(name, condition, facts);
  });
  return withPartialIndexes(all(parts), filter, facts);
}

/**
 * Everything on which a filter's SQL depends, with the keys it compares with; undefined for a filter with branches. For paths of a partial
 * index, it includes which of the index's conditions hold.
 */
export function shapeOf(filter: Filter, facts: CollectionFacts) {
  let shape = "";
  const params: Key[] = [];
  for (const name of Object.keys(filter)) {
    if (name.startsWith("$")) return undefined;
    const condition = filter[name];
    const key = keyOfOperand(equalOperand(condition));
    if (key !== undefined) {
      shape += name;
      params.push(key);
    } else {
      const plan = planOperators(name, condition);
      shape += `${name} ${plan.exact ? "" : "~"}${plan.where}`;
      params.push(...plan.params);
    }
    for (const clause of facts.partialClauses.get(name) ?? [])
      shape += isImplied(clause, condition) ? "+" : "-";
    shape += "\n";
  }
  return { shape: `${String(params.length)} ${shape}`, params };
}

/** Whether a filter asks for one row by its `_id` or a unique key. Only its shape decides. */
export function isOneByKey(filter: Filter, { indexes }: CollectionFacts): boolean {
  const isEqual = (path: string) => keyOfOperand(equalOperand(filter[path])) !== undefined;
  return (
    isEqual("_id") ||
    indexes.some(({ key, unique }) => unique === true && Object.keys(key).every((path) => isEqual(path)))
  );
}

/** The value with which a condition compares for equality; undefined if it says something else. A list of one counts as its value. */
function equalOperand(condition: unknown): unknown {
  if (!isOperatorObject(condition)) return condition;
  const list = condition.$in;
  return Array.isArray(list) && list.length === 1 && Object.keys(condition).length === 1
    ? list[0]
    : undefined;
}

/**
 * SQLite uses a partial index only for a query that contains the index's condition word for word. We add it if the filter implies it. It
 * is true for every match, so no result changes.
 */
function withPartialIndexes(plan: FilterPlan, filter: Filter, facts: CollectionFacts): FilterPlan {
  const implied = new Set<string>();
  for (const { partialFilterExpression } of facts.indexes) {
    if (partialFilterExpression === undefined) continue;
    const clauses = partialFilterClauses(partialFilterExpression);
    if (!clauses.every((clause) => isImplied(clause, filter[clause.path]))) continue;
    for (const clause of clauses) implied.add(clauseSql(clause));
  }
  if (implied.size === 0) return plan;
  const conditions = [...implied];
  if (plan.where !== "") conditions.push(plan.where);
  return { ...plan, where: conditions.join(" AND ") };
}

function isImplied({ operator, operand }: PartialClause, condition: unknown): boolean {
  const equal = isOperatorObject(condition) ? condition.$eq : condition;
  if (operator === "$eq") return isComparable(equal) && sameValue(equal, operand);
  const among: unknown[] =
    isOperatorObject(condition) && Array.isArray(condition.$in) ? condition.$in : [equal];
  if (operator === "$gt" && operand === "" && among.every(isSomeText)) return true;
  if (!isOperatorObject(condition)) return false;
  const same = condition[operator];
  return isComparable(same) && sameValue(same, operand);
}

function isSomeText(one: unknown): boolean {
  return typeof one === "string" && one !== "";
}

function all(parts: FilterPlan[]): FilterPlan {
  const deciding = parts.filter((part) => part.where !== "");
  return {
    where: deciding.map((part) => part.where).join(" AND "),
    params: deciding.flatMap((part) => part.params),
    exact: parts.every((part) => part.exact),
  };
}

function any(parts: FilterPlan[]): FilterPlan {
  if (parts.some((part) => part.where === "")) return nothing;
  return {
    where: `(${parts.map((part) => `(${part.where})`).join(" OR ")})`,
    params: parts.flatMap((part) => part.params),
    exact: parts.every((part) => part.exact),
  };
}

function planPath(path: string, condition: unknown, facts: CollectionFacts): FilterPlan {
  const key = keyExpression(path);
  const exactPath = path === "_id" || (facts.indexedPaths.has(path) && !facts.arrayPaths.has(path));
  const plan = planOperators(key, condition);
  if (exactPath || plan.where === "") return plan;
  // An array may contain a matching element, whatever the comparison says about the array's own key.
  return { ...plan, where: `((${plan.where}) OR ${key}=${arrayKeySql})`, exact: false };
}

function planOperators(key: string, condition: unknown): FilterPlan {
  const operators = isOperatorObject(condition) ? Object.entries(condition) : [["$eq", condition] as const];
  const span = isOperatorObject(condition) ? planSpan(key, operators) : null;
  return span ?? all(operators.map(([name, operand]) => planOperator(key, name, operand)));
}

/**
 * Two bounds of the same type also bound the type. If we added the type's own bounds, SQLite would use the first one it finds, and read on
 * to the last value of the type. Null for any other condition.
 */
function planSpan(key: string, operators: readonly (readonly [string, unknown])[]): FilterPlan | null {
  const [one, other, ...more] = operators;
  if (one === undefined || other === undefined || more.length > 0) return null;
  const lower = [one, other].find(([name]) => lowerSigns.has(name));
  const upper = [one, other].find(([name]) => upperSigns.has(name));
  if (lower === undefined || upper === undefined) return null;
  const [from, to] = [lower[1], upper[1]];
  const isSpan =
    (isFiniteNumber(from) && isFiniteNumber(to)) || (typeof from === "string" && typeof to === "string");
  if (!isSpan) return null;
  const [above, below] = [lowerSigns.get(lower[0]) ?? "", upperSigns.get(upper[0]) ?? ""];
  return { where: `${key}${above}? AND ${key}${below}?`, params: [from, to], exact: true };
}

const lowerSigns: ReadonlyMap<string, string> = new Map([
  ["$gt", ">"],
  ["$gte", ">="],
]);
const upperSigns: ReadonlyMap<string, string> = new Map([
  ["$lt", "<"],
  ["$lte", "<="],
]);

function isFiniteNumber(operand: unknown): operand is number {
  return typeof operand === "number" && Number.isFinite(operand);
}

function planOperator(key: string, name: string, operand: unknown): FilterPlan {
  switch (name) {
    case "$eq":
      return planEqual(key, operand);
    case "$in":
      return planIn(key, Array.isArray(operand) ? operand : []);
    case "$gt":
      return planRange(key, ">", operand);
    case "$gte":
      return planRange(key, ">=", operand);
    case "$lt":
      return planRange(key, "<", operand);
    case "$lte":
      return planRange(key, "<=", operand);
    case "$regex":
      return planRegex(key, operand);
    default:
      return nothing;
  }
}

/** SQLite searches for plain text, using an index without reading documents. */
function planRegex(key: string, operand: unknown): FilterPlan {
  const text = operand instanceof RegExp ? plainTextOf(operand) : undefined;
  if (text === undefined) return nothing;
  return { where: `typeof(${key})='text' AND instr(${key},?)>0`, params: [text], exact: true };
}

/** The plain text of an expression without flags; undefined if the expression is more than that. */
function plainTextOf({ source, flags }: RegExp): string | undefined {
  const plain = /^(?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|/-])+$/u.test(source) && source.isWellFormed();
  return plain && flags === "" && source !== "(?:)" ? source.replace(/\\(.)/gu, "$1") : undefined;
}

function keyOfOperand(operand: unknown): Key | undefined {
  return isComparable(operand) ? keyOf(operand) : undefined;
}

/** readFilter has converted operands to stored form, except for regular expressions. */
function isComparable(operand: unknown): operand is StoredValue {
  return operand !== undefined && !(operand instanceof RegExp) && !isDocument(operand);
}

function planEqual(key: string, operand: unknown): FilterPlan {
  const expected = keyOfOperand(operand);
  return expected === undefined ? nothing : { where: `${key}=?`, params: [expected], exact: true };
}

function planIn(key: string, operands: unknown[]): FilterPlan {
  const expected: Key[] = [];
  for (const operand of operands) {
    const one = keyOfOperand(operand);
    if (one === undefined) return nothing;
    expected.push(one);
  }
  if (expected.length === 0) return { where: "0", params: [], exact: true };
  // A list of one is as fast as a single value, but SQLite assumes that any list has 25 values.
  if (expected.length === 1) return { where: `${key}=?`, params: expected, exact: true };
  if (expected.every((one) => typeof one === "string" || Number.isFinite(one))) {
    return {
      where: `${key} IN (SELECT value FROM json_each(?))`,
      params: [JSON.stringify(expected)],
      exact: true,
    };
  }
  if (expected.length > maxListedValues) return nothing;
  return { where: `${key} IN (${expected.map(() => "?").join(",")})`, params: expected, exact: true };
}

function planRange(key: string, sign: ">" | ">=" | "<" | "<=", operand: unknown): FilterPlan {
  const bound = keyOfOperand(operand);
  const bounds = isComparable(operand) ? typeBounds(operand) : undefined;
  if (bound === undefined || bounds === undefined) return nothing;
  const other = sign.startsWith(">") ? `${key}<${bounds.to}` : `${key}>=${bounds.from}`;
  return { where: `${key}${sign}? AND ${other}`, params: [bound], exact: true };
}
