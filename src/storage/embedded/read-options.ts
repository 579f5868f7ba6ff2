import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isSqlPath } from "./sort-key.ts";
import { isDocument, isRecord, putField, type StoredDocument, type StoredValue } from "./stored-value.ts";

/** Options of the driver, with mongoose's own options, which it passes along. */
export type Options = Record<string, unknown>;

/**
 * Options without effect here: how safely, how long and where a command runs (every write is on the disk before it is answered, and there
 * is only one server), and mongoose's own flags.
 */
const withoutEffect = new Set([
  "w",
  "j",
  "wtimeout",
  "writeConcern",
  "readPreference",
  "readConcern",
  "maxTimeMS",
  "comment",
  "hint",
  "allowDiskUse",
  "batchSize",
  "noCursorTimeout",
  "bypassDocumentValidation",
  "checkKeys",
  "retryWrites",
  "lean",
  "timestamps",
  "strict",
  "strictQuery",
  "runValidators",
  "setDefaultsOnInsert",
  "omitUndefined",
  "overwriteImmutable",
  "overwriteDiscriminatorKey",
  "multipleCastError",
  "translateAliases",
  "validateBeforeSave",
  "validateModifiedOnly",
  "pathsToSave",
  "sanitizeFilter",
  "sanitizeProjection",
  "throwOnValidationError",
  "skipValidation",
  "_skipCastBulkWrite",
  "middleware",
]);

/**
 * @param allowed The options that have an effect on this call.
 * @throws UnsupportedOnEmbedded for anything else: sessions, collations, explain, tailable cursors, `let` and others.
 */
export function readOptions(call: string, input: unknown, allowed: readonly string[]): Options {
  if (!isRecord(input)) return {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null || allowed.includes(name) || withoutEffect.has(name)) continue;
    if (name.startsWith("_") || value === false) continue;
    throw new UnsupportedOnEmbedded(`the option ${name} of ${call}`);
  }
  return input;
}

/** Reads skip or limit: a whole number of at least 0; 0 if missing. */
export function readCount(name: string, value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw serverError(mongoCode.badValue, `${name} must be a whole number of at least 0`);
  }
  return value;
}

/** The most important path first. */
export type Sort = [path: string, direction: 1 | -1][];

/** Reads a sort as an object, a Map, or a list of pairs; mongoose passes all three to its driver. */
export function readSort(input: unknown): Sort {
  if (input === undefined || input === null) return [];
  return entriesOf(input).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1)
      throw new UnsupportedOnEmbedded(`sorting by ${String(direction)}`);
    if (typeof path !== "string" || !isSqlPath(path))
      throw new UnsupportedOnEmbedded(`sorting by the path ${String(path)}`);
    return [path, direction];
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

export type Project = (document: StoredDocument) => StoredDocument;

/** Field names as a tree. A leaf stands for the whole value. */
type Tree = Map<string, Tree>;

/**
 * Reads which fields to include or leave out, with dotted paths. `_id` is included unless it is left out.
 * @returns undefined if whole documents are wanted.
 */
export function readProjection(input: unknown): Project | undefined {
  if (!isRecord(input)) return undefined;
  const { include, exclude, id } = readPaths(input);
  if (include.length > 0 && exclude.length > 0) {
    throw serverError(31254, "Cannot do exclusion on a field in inclusion projection");
  }
  if (include.length > 0 || (exclude.length === 0 && id === true)) {
    const tree = treeOf(id === false ? include : ["_id", ...include]);
    return (document) => only(document, tree);
  }
  if (exclude.length === 0 && id === undefined) return undefined;
  const tree = treeOf(id === false ? ["_id", ...exclude] : exclude);
  return (document) => without(document, tree);
}

function readPaths(input: Record<string, unknown>): { include: string[]; exclude: string[]; id?: boolean } {
  const include: string[] = [];
  const exclude: string[] = [];
  const id = "_id" in input ? { id: Boolean(input._id) } : {};
  for (const [path, choice] of Object.entries(input)) {
    if (typeof choice !== "number" && typeof choice !== "boolean") {
      throw new UnsupportedOnEmbedded(`the projection ${path}: ${JSON.stringify(choice)}`);
    }
    if (path.split(".").some((name) => name.startsWith("$"))) {
      throw new UnsupportedOnEmbedded(`the positional projection ${path}`);
    }
    if (path !== "_id") (choice ? include : exclude).push(path);
  }
  return { include, exclude, ...id };
}

function treeOf(paths: string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    let at = root;
    const names = path.split(".");
    for (const [depth, name] of names.entries()) {
      const known = at.get(name);
      const isLeaf = depth === names.length - 1;
      if (known !== undefined && (isLeaf || known.size === 0)) {
        throw serverError(mongoCode.badValue, `Path collision at ${path}`);
      }
      const next: Tree = known ?? new Map<string, Tree>();
      at.set(name, next);
      at = next;
    }
  }
  return root;
}

function only(document: StoredDocument, tree: Tree): StoredDocument {
  const result: StoredDocument = {};
  for (const [name, below] of tree) {
    if (!Object.hasOwn(document, name)) continue;
    const value = document[name] ?? null;
    const projected = below.size === 0 ? value : onlyBelow(value, below);
    if (projected !== undefined) putField(result, name, projected);
  }
  return result;
}

/** A dotted inclusion keeps documents and arrays on the way, and drops other values. */
function onlyBelow(value: StoredValue, tree: Tree): StoredValue | undefined {
  if (isDocument(value)) return only(value, tree);
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => onlyBelow(item, tree)).filter((item) => item !== undefined);
}

function without(document: StoredDocument, tree: Tree): StoredDocument {
  const result: StoredDocument = {};
  for (const [name, value] of Object.entries(document)) {
    const below = tree.get(name);
    if (below === undefined) putField(result, name, value);
    else if (below.size > 0) putField(result, name, withoutBelow(value, below));
  }
  return result;
}

function withoutBelow(value: StoredValue, tree: Tree): StoredValue {
  if (isDocument(value)) return without(value, tree);
  return Array.isArray(value) ? value.map((item) => withoutBelow(item, tree)) : value;
}
