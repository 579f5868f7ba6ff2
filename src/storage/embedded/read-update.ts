import type { Change, WriteOne } from "./collection-writes.ts";
import { createMatcher, type Matcher } from "./matcher.ts";
import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isOperatorObject, readFilter } from "./read-filter.ts";
import { type Options, readSort } from "./read-options.ts";
import {
  isDocument,
  isRecord,
  sameValue,
  type StoredValue,
  toStored,
  toStoredDocument,
} from "./stored-value.ts";

export type UpdateStep = {
  operator: string;
  path: string;
  names: string[];
  operand: StoredValue;
  /** For $pull: which elements to remove. */
  pulls?: (element: StoredValue) => boolean;
};

export type Update = {
  steps: UpdateStep[];
  /** By the identifier in `$[identifier]`: which elements it selects. */
  elementFilters: Map<string, Matcher>;
};

const operators = new Set([
  "$set",
  "$unset",
  "$inc",
  "$min",
  "$max",
  "$push",
  "$addToSet",
  "$pull",
  "$setOnInsert",
]);

/**
 * Reads an update made of operators.
 * @throws UnsupportedOnEmbedded for pipelines and operators that aren't in the list; MongoServerError for what MongoDB refuses: conflicting
 * paths, wrong operands, array filters that are missing or unused.
 */
function readUpdate(input: unknown, arrayFilters: unknown): Update {
  if (Array.isArray(input)) throw new UnsupportedOnEmbedded("updates by an aggregation pipeline");
  if (!isRecord(input)) throw serverError(mongoCode.failedToParse, "the update must be an object");
  const steps: UpdateStep[] = [];
  for (const [operator, fields] of Object.entries(input)) {
    if (!operator.startsWith("$")) {
      throw serverError(mongoCode.failedToParse, "Update document requires atomic operators");
    }
    if (!operators.has(operator)) throw new UnsupportedOnEmbedded(`the update operator ${operator}`);
    if (!isRecord(fields)) {
      const message = `Modifiers operate on fields but we found another type for ${operator}. For example: {$mod: {<field>: ...}}`;
      throw serverError(mongoCode.failedToParse, message);
    }
    for (const [path, operand] of Object.entries(fields)) steps.push(readStep(operator, path, operand));
  }
  refuseConflicts(steps);
  return { steps, elementFilters: readElementFilters(arrayFilters, steps) };
}

function readStep(operator: string, path: string, operand: unknown): UpdateStep {
  const names = readPath(path);
  const step: UpdateStep = { operator, path, names, operand: null };
  if (operator === "$pull") return { ...step, pulls: readPull(operand) };
  step.operand = toStored(operand);
  operandChecks[operator]?.(step.operand, path);
  return step;
}

function readPath(path: string): string[] {
  const names = path.split(".");
  for (const [depth, name] of names.entries()) {
    if (name === "") throw serverError(56, `The update path '${path}' contains an empty field name.`);
    if (depth > 0 && (name === "$" || name === "$[]"))
      throw new UnsupportedOnEmbedded(`the positional operator ${name}`);
    if (name.startsWith("$") && (depth === 0 || !/^\$\[[a-z]\w*\]$/.test(name))) {
      const message = `The dollar ($) prefixed field '${name}' in '${path}' is not valid for storage.`;
      throw serverError(mongoCode.dollarPrefixedFieldName, message);
    }
  }
  return names;
}

const operandChecks: Record<string, (operand: StoredValue, path: string) => void> = {
  $inc: checkNumber,
  $push: (operand) => checkEach("$push", operand),
  $addToSet: (operand) => checkEach("$addToSet", operand),
};

function checkNumber(operand: StoredValue, path: string): void {
  if (typeof operand === "number") return;
  throw serverError(mongoCode.typeMismatch, `Cannot increment with non-numeric argument: {${path}: ...}`);
}

function checkEach(operator: string, operand: StoredValue): void {
  if (!isDocument(operand)) return;
  const modifiers = Object.keys(operand).filter((name) => name.startsWith("$"));
  if (modifiers.length === 0) return;
  if (!Array.isArray(operand.$each)) {
    throw serverError(mongoCode.badValue, `The argument to $each in ${operator} must be an array`);
  }
  const allowed = operator === "$push" ? ["$each", "$slice"] : ["$each"];
  const unknown = Object.keys(operand).find((name) => !allowed.includes(name));
  if (operator === "$push" && (unknown === "$sort" || unknown === "$position"))
    throw new UnsupportedOnEmbedded(`${unknown} in $push`);
  if (unknown !== undefined)
    throw serverError(mongoCode.badValue, `Unrecognized clause in ${operator}: ${unknown}`);
  if (operand.$slice !== undefined && !Number.isInteger(operand.$slice))
    throw serverError(mongoCode.badValue, "The value for $slice must be an integer value");
}

/** Removes elements equal to a value, elements that match operators, or documents that satisfy a filter. */
function readPull(operand: unknown): (element: StoredValue) => boolean {
  if (operand instanceof RegExp || isOperatorObject(operand)) {
    const matches = createMatcher(readFilter({ element: operand }));
    return (element) => matches({ element });
  }
  const expected = toStored(operand);
  if (!isDocument(expected)) return (element) => sameValue(element, expected);
  const matches = createMatcher(readFilter(operand));
  return (element) => isDocument(element) && matches(element);
}

/** MongoDB refuses two operators on the same path, or on a path and one below it. */
function refuseConflicts(steps: UpdateStep[]): void {
  const taken: string[] = [];
  for (const { path } of steps) {
    const conflict = taken.find(
      (other) => other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`),
    );
    if (conflict !== undefined) {
      const at = conflict.length < path.length ? conflict : path;
      const message = `Updating the path '${path}' would create a conflict at '${at}'`;
      throw serverError(mongoCode.conflictingUpdateOperators, message);
    }
    taken.push(path);
  }
}

function readElementFilters(input: unknown, steps: UpdateStep[]): Map<string, Matcher> {
  const filters = new Map<string, Matcher>();
  for (const one of Array.isArray(input) ? input : []) {
    const filter = readFilter(one);
    const identifier = Object.keys(filter)[0]?.split(".")[0] ?? "";
    if (identifier.startsWith("$"))
      throw new UnsupportedOnEmbedded(`${identifier} at the top of an array filter`);
    filters.set(identifier, createMatcher(filter));
  }
  const used = new Set(steps.flatMap(identifiersOf));
  for (const identifier of used) {
    if (filters.has(identifier)) continue;
    throw serverError(mongoCode.badValue, `No array filter found for identifier '${identifier}'`);
  }
  for (const identifier of filters.keys()) {
    if (used.has(identifier)) continue;
    const message = `The array filter for identifier '${identifier}' was not used in the update`;
    throw serverError(mongoCode.failedToParse, message);
  }
  return filters;
}

function identifiersOf({ names }: UpdateStep): string[] {
  return names.flatMap((name) => /^\$\[(\w+)\]$/.exec(name)?.[1] ?? []);
}

export function readUpdateCall(filter: unknown, update: unknown, options: Options): WriteOne {
  if (isRecord(update) && Object.keys(update).some((name) => !name.startsWith("$"))) {
    throw serverError(mongoCode.failedToParse, "Update document requires atomic operators");
  }
  return readCall(filter, { update: readUpdate(update, options.arrayFilters) }, options);
}

export function readReplaceCall(filter: unknown, replacement: unknown, options: Options): WriteOne {
  if (!isRecord(replacement) || Object.keys(replacement).some((name) => name.startsWith("$"))) {
    throw serverError(mongoCode.failedToParse, "Replacement document must not contain atomic operators");
  }
  return readCall(filter, { replacement: toStoredDocument(replacement) }, options);
}

function readCall(filter: unknown, change: Change, options: Options): WriteOne {
  return {
    filter: readFilter(filter),
    sort: readSort(options.sort),
    change,
    upsert: options.upsert === true,
  };
}
