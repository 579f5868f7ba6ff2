/** Looks into a reply at the places a dialect gives. */

/** The first value found at one of the places that is neither missing nor null. */
export function valueAt(reply: unknown, places: readonly string[]): unknown {
  for (const place of places) {
    const value = follow(reply, place);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

/** A text or a number (some services number their records) as text; an empty text counts as missing. */
export function textAt(reply: unknown, places: readonly string[]): string | null {
  for (const place of places) {
    const value = follow(reply, place);
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return null;
}

/** The first list among the places. */
export function listAt(reply: unknown, places: readonly string[]): readonly unknown[] | null {
  for (const place of places) {
    const value = follow(reply, place);
    if (isList(value)) return value;
  }
  return null;
}

/**
 * A moment in milliseconds since the epoch, from ISO 8601 (a text without a zone is UTC, like the document's
 * timestamps) or from a number of seconds or milliseconds; null when there is none.
 */
export function momentAt(reply: unknown, places: readonly string[]): number | null {
  const value = valueAt(reply, places);
  if (typeof value === "number") return value < 100_000_000_000 ? value * 1_000 : value;
  if (typeof value !== "string") return null;
  const dateAndTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value);
  const at = Date.parse(dateAndTime ? `${value.replace(" ", "T")}Z` : value);
  return Number.isNaN(at) ? null : at;
}

/**
 * What may be said about a reply in a log: the names of its fields and the kinds of their values, never a value.
 * Four levels deep and thirty names wide.
 */
export function shapeOf(reply: unknown, depth = 0): unknown {
  if (reply === null) return "null";
  if (isList(reply))
    return depth >= 4
      ? "list"
      : [`list of ${reply.length}`, ...reply.slice(0, 1).map((each) => shapeOf(each, depth + 1))];
  if (typeof reply !== "object") return typeof reply;
  if (depth >= 4) return "object";
  return Object.fromEntries(
    Object.entries(reply)
      .slice(0, 30)
      // A name that is not a plain word may itself be somebody's address.
      .map(([name, value]) => [
        /^\w{1,40}$/.test(name) ? name : "(name left out)",
        shapeOf(value, depth + 1),
      ]),
  );
}

function follow(reply: unknown, place: string): unknown {
  if (place === "") return reply;
  let value: unknown = reply;
  for (const name of place.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
