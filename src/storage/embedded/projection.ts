import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isDocument, isRecord, putField, type StoredDocument, type StoredValue } from "./stored-value.ts";

export type Project = (document: StoredDocument) => StoredDocument;

/** Field names as a tree; a leaf stands for the whole value. */
type Tree = Map<string, Tree>;

/**
 * Fields to include or leave out, with dotted paths; `_id` is included unless left out.
 * @returns undefined when whole documents are wanted.
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
  for (const [path, wanted] of Object.entries(input)) {
    if (typeof wanted !== "number" && typeof wanted !== "boolean") {
      throw new UnsupportedOnEmbedded(`the projection ${path}: ${JSON.stringify(wanted)}`);
    }
    if (path.split(".").some((name) => name.startsWith("$"))) {
      throw new UnsupportedOnEmbedded(`the positional projection ${path}`);
    }
    if (path !== "_id") (wanted ? include : exclude).push(path);
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
  for (const [name, value] of Object.entries(document)) {
    const below = tree.get(name);
    if (below === undefined) continue;
    const kept = below.size === 0 ? value : onlyBelow(value, below);
    if (kept !== undefined) putField(result, name, kept);
  }
  return result;
}

/** A dotted inclusion keeps documents and arrays on the way, and drops every other value. */
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
