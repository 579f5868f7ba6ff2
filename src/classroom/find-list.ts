/** So deep is looked into a reply (levels), and so wide (entries of a list, names of an object). */
const deepest = 6;
const widest = 200;

type Found = { name: string; depth: number; list: readonly unknown[] };

/**
 * The entries of a list that may stand anywhere in a reply, for operations whose replies are not shown. A list whose name
 * tells what it holds goes before others, then one that lies less deep; lists of the same name and depth (one for each
 * session, say) are taken together.
 * @param named What such a list is probably called.
 * @param isReadable Whether an entry is one of those looked for.
 * @returns null when there is no such list; empty when there are only empty ones with a telling name.
 */
export function findList(
  reply: unknown,
  named: RegExp,
  isReadable: (entry: unknown) => boolean,
): readonly unknown[] | null {
  const lists = listsIn(reply, "", 0);
  const telling = lists.filter(({ name }) => named.test(name));
  const readable = ({ list }: Found) => list.some(isReadable);
  const chosen = shallowest(telling.filter(readable)) ?? shallowest(lists.filter(readable));
  if (chosen === undefined) return telling.some(({ list }) => list.length === 0) ? [] : null;
  return lists
    .filter((each) => each.name === chosen.name && each.depth === chosen.depth && readable(each))
    .flatMap(({ list }) => [...list]);
}

function shallowest(lists: readonly Found[]): Found | undefined {
  return [...lists].sort((one, other) => one.depth - other.depth)[0];
}

function listsIn(value: unknown, name: string, depth: number): Found[] {
  if (typeof value !== "object" || value === null || depth > deepest) return [];
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const inner = list.slice(0, widest).flatMap((each) => listsIn(each, name, depth + 1));
    return [{ name, depth, list }, ...inner];
  }
  return Object.entries(value)
    .slice(0, widest)
    .flatMap(([key, each]) => listsIn(each, key, depth + 1));
}
