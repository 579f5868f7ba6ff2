import { createMatcher, type Matcher } from "./matcher.ts";
import { mongoCode, serverError } from "./mongo-errors.ts";
import { branchesOf, type Filter } from "./read-filter.ts";
import { isDocument, type StoredDocument, type StoredValue, typeName } from "./stored-value.ts";
import { maxPaddingLength } from "./limits.ts";

/** A place that an update writes to: a field of an object, or a position of an array. */
export type Slot = { holder: StoredDocument | StoredValue[]; name: string };

export type SlotContext = {
  document: StoredDocument;
  /** The filter that selected the document: `$` means the element it matched. */
  filter: Filter;
  elementFilters: Map<string, Matcher>;
  /** Make missing objects on the way; without it, a path that ends early has no place. */
  create: boolean;
  /** Refuse a path through a value without fields, also where nothing is made. */
  strict?: boolean;
};

/**
 * One place, or with `$[]` and `$[identifier]` any number.
 * @throws MongoServerError 28 when the path leads through a value that has no fields.
 */
export function findSlots(names: string[], context: SlotContext): Slot[] {
  const slots: Slot[] = [];
  descend(context.document, names, 0, context, slots);
  return slots;
}

export function readSlot({ holder, name }: Slot): StoredValue | undefined {
  if (Array.isArray(holder)) return holder[Number(name)];
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** Fills an array up with nulls. */
export function writeSlot({ holder, name }: Slot, value: StoredValue): void {
  if (!Array.isArray(holder)) {
    if (name === "__proto__") throw serverError(mongoCode.badValue, "the field name __proto__ is refused");
    holder[name] = value;
    return;
  }
  const position = Number(name);
  if (position - holder.length > maxPaddingLength) {
    throw serverError(mongoCode.badValue, `can't pad an array up to position ${name}`);
  }
  while (holder.length < position) holder.push(null);
  holder[position] = value;
}

function descend(
  holder: StoredDocument | StoredValue[],
  names: string[],
  depth: number,
  context: SlotContext,
  slots: Slot[],
): void {
  for (const name of namesAt(holder, names, depth, context)) {
    const slot = { holder, name };
    if (depth === names.length - 1) {
      slots.push(slot);
      continue;
    }
    const below = readSlot(slot);
    if (isDocument(below) || Array.isArray(below)) {
      descend(below, names, depth + 1, context, slots);
    } else if (below !== undefined && (context.create || context.strict === true)) {
      refuseScalar(names, depth, below);
    } else if (context.create) {
      const made: StoredDocument = {};
      writeSlot(slot, made);
      descend(made, names, depth + 1, context, slots);
    }
  }
}

function refuseScalar(names: string[], depth: number, below: StoredValue): never {
  const inside = `{${names[depth] ?? ""}: ${JSON.stringify(below)}}`;
  throw serverError(
    mongoCode.pathNotViable,
    `Cannot create field '${names[depth + 1] ?? ""}' in element ${inside}`,
  );
}

function namesAt(
  holder: StoredDocument | StoredValue[],
  names: string[],
  depth: number,
  context: SlotContext,
): string[] {
  const name = names[depth] ?? "";
  if (!name.startsWith("$")) {
    if (!Array.isArray(holder) || /^\d+$/.test(name)) return [name];
    if (!context.create && context.strict !== true) return [];
    const above = names[depth - 1] ?? "";
    const message = `Cannot create field '${name}' in element {${above}: ${JSON.stringify(holder)}}`;
    throw serverError(mongoCode.pathNotViable, message);
  }
  const path = names.slice(0, depth).join(".");
  if (!Array.isArray(holder)) {
    const message = `Cannot apply array updates to non-array element ${path}: ${typeName(holder)}`;
    throw serverError(mongoCode.badValue, message);
  }
  if (name === "$") return [String(matchedPosition(path, holder, context.filter))];
  const positions = [...holder.keys()].map(String);
  if (name === "$[]") return positions;
  const identifier = name.slice(2, -1);
  const matches = context.elementFilters.get(identifier);
  return positions.filter((position) => {
    const element = holder[Number(position)];
    return element !== undefined && matches?.({ [identifier]: element }) === true;
  });
}

/** The first element that satisfies the filter's conditions on the array. */
function matchedPosition(path: string, elements: StoredValue[], filter: Filter): number {
  const conditions = Object.fromEntries(
    conditionsOf(filter).filter(([name]) => name === path || name.startsWith(`${path}.`)),
  );
  if (Object.keys(conditions).length > 0) {
    const matches = createMatcher(conditions);
    const position = elements.findIndex((element) => matches(nested(path, [element])));
    if (position !== -1) return position;
  }
  throw serverError(
    mongoCode.badValue,
    "The positional operator did not find the match needed from the query.",
  );
}

function conditionsOf(filter: Filter): [string, unknown][] {
  return Object.entries(filter).flatMap(([name, condition]) => {
    return name === "$and" ? branchesOf(condition).flatMap(conditionsOf) : [[name, condition]];
  });
}

function nested(path: string, value: StoredValue): StoredDocument {
  const [first = "", ...rest] = path.split(".");
  return { [first]: rest.length === 0 ? value : nested(rest.join("."), value) };
}
