import { maxSuggestedDepth } from "../limits.ts";

/** Every path in a reply with its value, shallow ones first; a list with one entry is looked through. */
export function placesIn(reply: unknown): { place: string; value: unknown }[] {
  const found: { place: string; value: unknown }[] = [];
  let level = [{ place: "", value: reply }];
  for (let depth = 0; depth <= maxSuggestedDepth; depth += 1) {
    found.push(...level);
    level = level.flatMap(({ place, value }) =>
      entriesOf(value).map(([name, inner]) => ({
        place: place === "" ? name : `${place}.${name}`,
        value: inner,
      })),
    );
  }
  return found;
}

export function suggestPlace(
  reply: unknown,
  fits: (value: unknown, place: string) => boolean,
): string | null {
  return placesIn(reply).find(({ place, value }) => fits(value, place))?.place ?? null;
}

function entriesOf(value: unknown): [string, unknown][] {
  const inside: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof inside !== "object" || inside === null || Array.isArray(inside)) return [];
  // A name with a dot cannot be written in a path, and one that is no plain word may be an id or an address.
  return Object.entries(inside).filter(([name]) => /^[a-z_-]{1,40}\d{0,2}$/i.test(name));
}
