import { maxListDepth, maxListWidth } from "./limits.ts";

type Found = { name: string; depth: number; list: readonly unknown[] };

/**
 * Anywhere in a reply whose shape is not shown. A list with a telling name wins, then a shallower one; lists of the
 * same name and depth (one for each session, say) are joined.
 * @param named Probable names. @param isReadable Whether an entry is of the wanted kind.
 * @returns null without such a list; empty for empty lists with a telling name only.
 */
export function findList(
  reply: unknown,
  named: RegExp,
  isReadable: (entry: unknown) => boolean,
): readonly unknown[] | null {
  const lists = listsIn(reply, "", 0);
  const nameFits = lists.filter(({ name }) => named.test(name));
  const readable = ({ list }: Found) => list.some(isReadable);
  const chosen = shallowest(nameFits.filter(readable)) ?? shallowest(lists.filter(readable));
  if (chosen === undefined) return nameFits.some(({ list }) => list.length === 0) ? [] : null;
  return lists
    .filter((each) => each.name === chosen.name && each.depth === chosen.depth && readable(each))
    .flatMap(({ list }) => [...list]);
}

function shallowest(lists: readonly Found[]): Found | undefined {
  return [...lists].sort((one, other) => one.depth - other.depth)[0];
}

function listsIn(value: unknown, name: string, depth: number): Found[] {
  if (typeof value !== "object" || value === null || depth > maxListDepth) return [];
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const inner = list.slice(0, maxListWidth).flatMap((each) => listsIn(each, name, depth + 1));
    return [{ name, depth, list }, ...inner];
  }
  return Object.entries(value)
    .slice(0, maxListWidth)
    .flatMap(([key, each]) => listsIn(each, key, depth + 1));
}
