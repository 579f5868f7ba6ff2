import type { Matcher } from "./matcher.ts";
import { mongoCode, serverError } from "./mongo-errors.ts";
import { isDocument, type StoredDocument, type StoredValue, typeName } from "./stored-value.ts";
import { maxPaddingLength } from "./limits.ts";

/** A place that an update writes to: a field of an object, or a position of an array. */
export type Slot = { holder: StoredDocument | StoredValue[]; name: string };

export type SlotContext = {
  document: StoredDocument;
  elementFilters: Map<string, Matcher>;
  /** Make missing objects on the way; without it, a path that ends early has no place. */
  create: boolean;
};

/**
 * One place, or with `$[identifier]` any number.
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
    } else if (below !== undefined && context.create) {
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
    if (!context.create) return [];
    const above = names[depth - 1] ?? "";
    const message = `Cannot create field '${name}' in element {${above}: ${JSON.stringify(holder)}}`;
    throw serverError(mongoCode.pathNotViable, message);
  }
  const path = names.slice(0, depth).join(".");
  if (!Array.isArray(holder)) {
    const message = `Cannot apply array updates to non-array element ${path}: ${typeName(holder)}`;
    throw serverError(mongoCode.badValue, message);
  }
  const identifier = name.slice(2, -1);
  const matches = context.elementFilters.get(identifier);
  return [...holder.keys()].map(String).filter((position) => {
    const element = holder[Number(position)];
    return element !== undefined && matches?.({ [identifier]: element }) === true;
  });
}
