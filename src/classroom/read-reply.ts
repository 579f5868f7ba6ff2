import { latestMomentMs, readTimestamp } from "../kernel/clock.ts";
import { cutTo, showsNothing } from "../kernel/text.ts";
import { maxTextLength } from "./limits.ts";

/** Reads a reply at the dialect's paths. */

/** The first value at one of the paths that is neither missing nor null. */
export function valueAt(reply: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = follow(reply, path);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

/** Whether a reply has null at one of the paths: no value, rather than nothing reported. */
export function isNullAt(reply: unknown, paths: readonly string[]): boolean {
  return paths.some((path) => follow(reply, path) === null);
}

/** A text or a number (some services number their records) as text; one that shows nothing counts as missing. Longer ones are cut. */
export function textAt(reply: unknown, paths: readonly string[]): string | null {
  const text = wholeTextAt(reply, paths);
  return text === null ? null : cutTo(text, maxTextLength);
}

/** The first web address; none that is too long, for cut it would lead elsewhere. */
export function urlAt(reply: unknown, paths: readonly string[]): string | null {
  const url = wholeTextAt(reply, paths);
  return url !== null && url.length <= maxTextLength && URL.canParse(url) ? url : null;
}

function wholeTextAt(reply: unknown, paths: readonly string[]): string | null {
  for (const path of paths) {
    const value = onlyEntry(follow(reply, path));
    if (typeof value === "string" && !showsNothing(value)) return value.toWellFormed();
    // Larger ones lose their last digits: two people would become one.
    if (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  }
  return null;
}

/** The lists at the paths, likeliest first: exactly there, then inside a list with a single entry. */
export function listsAt(reply: unknown, paths: readonly string[]): (readonly unknown[])[] {
  const exact = paths.map((path) => followExactly(reply, path)).find(isList);
  const inner = paths.map((path) => follow(reply, path)).find((value) => isList(value) && value !== exact);
  return [exact, inner].filter(isList);
}

/** The list with readable entries, or an empty one; "unreadable" when there are only others, null for none. */
export function readableList(
  reply: unknown,
  paths: readonly string[],
  isReadable: (entry: unknown) => boolean,
): readonly unknown[] | "unreadable" | null {
  const lists = listsAt(reply, paths);
  if (lists.length === 0) return null;
  return lists.find((list) => list.length === 0 || list.some(isReadable)) ?? "unreadable";
}

/** The ids of a list of ids or records, or of a single one, at the first path with any; null when not reported. */
export function idsAt(reply: unknown, paths: readonly string[], idPaths: readonly string[]) {
  for (const path of paths) {
    const value = valueAt(reply, [path]);
    if (value === null) continue;
    const all: readonly unknown[] = isList(value) ? value : [value];
    const ids = all.flatMap((each) => textAt(each, ["", ...idPaths]) ?? []);
    if (ids.length > 0 || all.length === 0) return [...new Set(ids)];
  }
  return null;
}

/** True, 1, or one of these as a text. */
export function flagAt(reply: unknown, paths: readonly string[]): boolean {
  const value = valueAt(reply, paths);
  return value === true || value === 1 || value === "1" || /^true$/i.test(String(value));
}

/** A time: as in a webhook, as another text that `Date` reads, or a number. @returns whole ms; null also before 1970 and for what no calendar can show */
export function momentAt(reply: unknown, paths: readonly string[]): number | null {
  const value = valueAt(reply, paths);
  if (typeof value !== "number" && typeof value !== "string") return null;
  const at = typeof value === "number" ? inMilliseconds(value) : (readTimestamp(value) ?? Date.parse(value));
  return at > 0 && at < latestMomentMs ? Math.round(at) : null;
}

function inMilliseconds(value: number): number {
  return value < 100_000_000_000 ? value * 1_000 : value;
}

/** Each path in the reply itself and inside each envelope; "@..." is not in the reply. */
export function pathsInside(envelopes: readonly string[], paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    path.startsWith("@")
      ? [path]
      : [path, ...envelopes.map((envelope) => (path === "" ? envelope : `${envelope}.${path}`))],
  );
}

/** A reply for logs: names of fields and kinds of values, never a value; four levels deep and thirty names wide. */
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
      // A name that is no plain word may be an address or an id.
      .map(([name, value]) => [
        /^[a-z_-]{1,40}\d{0,2}$/i.test(name) ? name : "(name left out)",
        shapeOf(value, depth + 1),
      ]),
  );
}

function follow(reply: unknown, path: string): unknown {
  if (path === "") return reply;
  let value: unknown = reply;
  for (const name of path.split(".")) {
    const own = ownEntry(value, name);
    value = own === undefined && isList(value) ? ownEntry(onlyEntry(value), name) : own;
    if (value === undefined) return undefined;
  }
  return value;
}

function followExactly(reply: unknown, path: string): unknown {
  if (path === "") return reply;
  return path.split(".").reduce(ownEntry, reply);
}

/** The entry with this name, else one that differs only in case, "_" and "-". */
export function ownEntry(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  if (isList(value)) return undefined;
  const alike = namesOf(value).get(bareName(name));
  return alike === undefined ? undefined : Reflect.get(value, alike);
}

const knownNames = new WeakMap<object, Map<string, string>>();

/** By their bare form, the first of each. Read once: a reply may have a hundred thousand, and is asked for a hundred. */
function namesOf(value: object): Map<string, string> {
  const bare = (name: string) => [bareName(name), name] as const;
  const names = knownNames.get(value) ?? new Map(Object.keys(value).reverse().map(bare));
  knownNames.set(value, names);
  return names;
}

/** A name without what services write differently: case, "_" and "-". */
function bareName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/** A list with one entry is read as that entry. */
function onlyEntry(value: unknown): unknown {
  return isList(value) && value.length === 1 ? value[0] : value;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

type SegmentPlaces = { text: readonly string[]; speaker: readonly string[] };

/** A text or a list of utterances in the reply itself. Addresses and ids are none. */
export function spokenTextAt(reply: unknown, paths: readonly string[], segment: SegmentPlaces) {
  for (const path of paths) {
    const value = valueAt(reply, [path]);
    const text = Array.isArray(value) ? linesOf(value, segment) : value;
    if (typeof text === "string" && isProse(text)) return text;
  }
  return null;
}

/** A line for each entry; a speaker is named once for entries in a row. */
function linesOf(entries: readonly unknown[], { text, speaker }: SegmentPlaces): string {
  let before: string | null = null;
  const lines = entries.flatMap((entry) => {
    const words = wholeTextAt(entry, ["", ...text])?.trim() ?? "";
    if (words === "") return [];
    const who = textAt(entry, speaker);
    const line = who === null || who === before ? words : `${who}: ${words}`;
    before = who;
    return [line];
  });
  return lines.join("\n");
}

/** Whether a text is words, not an address, id or status: one run of plain letters and signs is not. */
function isProse(text: string): boolean {
  return text.trim() !== "" && !/^[\x21-\x7e]+$/.test(text.trim()) && !/^[a-z][a-z+.-]*:\/\//i.test(text);
}

/** Whether a reply is a web page instead of JSON: some servers answer every address with one. */
export function isWebPage(reply: unknown): boolean {
  return typeof reply === "string" && reply.trimStart().startsWith("<");
}

/** Only of a 201, whose Location names what was created (RFC 9110, 15.3.2). */
export function idFromLocation(answer: { status: number; location: string | null }): string | null {
  if (answer.status !== 201 || answer.location === null) return null;
  const last = answer.location
    .split(/[?#]/)[0]
    ?.split("/")
    .findLast((part) => part !== "");
  try {
    return last === undefined ? null : decodeURIComponent(last);
  } catch {
    return null;
  }
}
