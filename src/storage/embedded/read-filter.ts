import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isRecord, putField, type StoredValue, toStored } from "./stored-value.ts";

/** A checked filter: only allowed operators, values in stored form, regular expressions without flags that keep state. */
export type Filter = Record<string, unknown>;

/** @throws UnsupportedOnEmbedded for operators that aren't allowed; MongoServerError for what MongoDB refuses. */
export function readFilter(input: unknown): Filter {
  if (input === undefined || input === null) return {};
  if (!isRecord(input)) throw serverError(mongoCode.typeMismatch, "the filter must be an object");
  const filter: Filter = {};
  for (const [name, condition] of Object.entries(input)) {
    if (!name.startsWith("$")) putField(filter, name, readCondition(condition));
    else if (name === "$and" || name === "$or") filter[name] = readBranches(name, condition);
    else throw new UnsupportedOnEmbedded(`the query operator ${name}`);
  }
  return filter;
}

function readBranches(name: string, condition: unknown): Filter[] {
  if (!Array.isArray(condition) || condition.length === 0) {
    throw serverError(mongoCode.badValue, `${name} must be a nonempty array`);
  }
  return condition.map((branch: unknown) => {
    if (!isRecord(branch)) throw serverError(mongoCode.badValue, `${name} entries need to be full objects`);
    return readFilter(branch);
  });
}

/** The filters in a checked $and or $or. */
export function branchesOf(condition: unknown): Filter[] {
  return Array.isArray(condition) ? condition.filter(isRecord) : [];
}

/** Whether a value is like `{ $gt: 1 }`: an object whose first field is an operator. */
export function isOperatorObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || value instanceof Date || value instanceof RegExp) return false;
  for (const name in value) return name.startsWith("$");
  return false;
}

function readCondition(condition: unknown): unknown {
  if (condition instanceof RegExp) return { $regex: withoutState(condition, "") };
  return isOperatorObject(condition) ? readOperators(condition) : toStored(condition);
}

function readOperators(operators: Record<string, unknown>): Record<string, unknown> {
  const checked: Record<string, unknown> = {};
  for (const [name, operand] of Object.entries(operators)) {
    if (name === "$options") continue;
    if (!name.startsWith("$")) throw serverError(mongoCode.badValue, `unknown operator: ${name}`);
    const read = operatorReaders[name];
    if (read === undefined) throw new UnsupportedOnEmbedded(`the query operator ${name}`);
    checked[name] = read(operand, name, operators);
  }
  return checked;
}

type ReadOperand = (operand: unknown, name: string, siblings: Record<string, unknown>) => unknown;

const operatorReaders: Record<string, ReadOperand> = {
  $eq: readLiteral,
  $ne: readLiteral,
  $gt: readComparable,
  $gte: readComparable,
  $lt: readComparable,
  $lte: readComparable,
  $in: readList,
  $nin: readList,
  $exists: (operand) => Boolean(operand),
  $size: readSize,
  $type: readTypes,
  $regex: readRegex,
  $not: readNot,
};

function readLiteral(operand: unknown, name: string): unknown {
  if (operand instanceof RegExp) {
    if (name === "$ne") throw serverError(mongoCode.badValue, "Can't have regex as arg to $ne.");
    throw new UnsupportedOnEmbedded("equality with a regular expression");
  }
  return toStored(operand);
}

function readComparable(operand: unknown, name: string): StoredValue {
  const value = toStored(operand);
  const comparable =
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean" ||
    value instanceof Date;
  if (!comparable) throw new UnsupportedOnEmbedded(`${name} with null, an array, an object or an id`);
  return value;
}

function readList(operand: unknown, name: string): unknown[] {
  if (!Array.isArray(operand)) throw serverError(mongoCode.badValue, `${name} needs an array`);
  return operand.map((item: unknown) => {
    if (item instanceof RegExp) return withoutState(item, "");
    if (isOperatorObject(item)) throw serverError(mongoCode.badValue, `cannot nest $ under ${name}`);
    return toStored(item);
  });
}

function readSize(operand: unknown): number {
  if (typeof operand !== "number" || !Number.isInteger(operand) || operand < 0) {
    throw serverError(mongoCode.failedToParse, "$size must be a whole number of at least 0");
  }
  return operand;
}

/** Numbers are stored in one form, so int, long and double aren't in the list. */
const types = new Set(["string", "number", "object", "array", "bool", "date", "null", "objectId", "binData"]);

function readTypes(operand: unknown): string[] {
  const asked: unknown[] = Array.isArray(operand) ? operand : [operand];
  return asked.map((type) => {
    if (typeof type !== "string" || !types.has(type))
      throw new UnsupportedOnEmbedded(`$type: ${String(type)}`);
    return type;
  });
}

function readRegex(operand: unknown, _name: string, siblings: Record<string, unknown>): RegExp {
  const flags = typeof siblings.$options === "string" ? siblings.$options : "";
  if (operand instanceof RegExp) return withoutState(operand, flags);
  if (typeof operand !== "string") throw serverError(mongoCode.badValue, "$regex has to be a string");
  return withoutState(new RegExp(operand), flags);
}

function withoutState(expression: RegExp, options: string): RegExp {
  const flags = new Set(Array.from(`${expression.flags}${options}`));
  flags.delete("g");
  flags.delete("y");
  for (const flag of flags) {
    if (!"imsu".includes(flag)) throw new UnsupportedOnEmbedded(`the flag ${flag} of a regular expression`);
  }
  const source = flags.has("m") ? expression.source : withMongoEnd(expression.source);
  return new RegExp(source, [...flags].join(""));
}

/** MongoDB's `$` also matches before a final line feed (PCRE). JavaScript's only matches at the very end. */
function withMongoEnd(source: string): string {
  if (!source.includes("$")) return source;
  let inClass = false;
  return source.replace(/\\.|[[\]$]/gs, (part) => {
    if (part === "[") inClass = true;
    else if (part === "]") inClass = false;
    return part === "$" && !inClass ? "(?=\\n?(?![^]))" : part;
  });
}

function readNot(operand: unknown): unknown {
  if (operand instanceof RegExp) return { $regex: withoutState(operand, "") };
  if (!isOperatorObject(operand)) throw serverError(mongoCode.badValue, "$not needs a regex or a document");
  return readOperators(operand);
}
