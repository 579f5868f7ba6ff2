import { latestMomentMs, readTimestamp } from "../kernel/clock.ts";
import { cutTo, showsNothing } from "../kernel/text.ts";
import { maxTextLength } from "./limits.ts";

/** Reads replies at the dialect's paths. */

/** The first value at one of the paths that is neither missing nor null. */
export function valueAt(reply: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = follow(reply, path);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

/** Whether a reply has null at one of the paths, which means "no value" and not "not reported". */
export function isNullAt(reply: unknown, paths: readonly string[]): boolean {
  return paths.some((path) => follow(reply, path) === null);
}

/** A text, or a number as text (some services number their records). Text that shows nothing counts as missing; long text is cut. */
export function textAt(reply: unknown, paths: readonly string[]): string | null {
  const text = wholeTextAt(reply, paths);
  return text === null ? null : cutTo(text, maxTextLength);
}

/** The first web address. One that is too long is dropped, because a cut address would lead elsewhere. */
export function urlAt(reply: unknown, paths: readonly string[]): string | null {
  const url = wholeTextAt(reply, paths);
  return url !== null && url.length <= maxTextLength && URL.canParse(url) ? url : null;
}

function wholeTextAt(reply: unknown, paths: readonly string[]): string | null {
  for (const path of paths) {
    const value = onlyEntry(follow(reply, path));
    if (typeof value === "string" && !showsNothing(value)) return value.toWellFormed();
    // Larger numbers lose their last digits, and two people could become one.
    if (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  }
  return null;
}

/** The lists at the paths, the most likely first: exactly there, then inside a list with a single entry. */
export function listsAt(reply: unknown, paths: readonly string[]): (readonly unknown[])[] {
  const exact = paths.map((path) => followExactly(reply, path)).find(isList);
  const inner = paths.map((path) => follow(reply, path)).find((value) => isList(value) && value !== exact);
  return [exact, inner].filter(isList);
}

/** The list whose entries are readable, or an empty one. "unreadable" if there are only other lists, null if there are none. */
export function readableList(
  reply: unknown,
  paths: readonly string[],
  isReadable: (entry: unknown) => boolean,
): readonly unknown[] | "unreadable" | null {
  const lists = listsAt(reply, paths);
  if (lists.length === 0) return null;
  return lists.find((list) => list.length === 0 || list.some(isReadable)) ?? "unreadable";
}

/** The ids in a list of ids or records, or of a single one, at the first path that has any; null if not reported. */
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

/** Whether the value is true, 1, or one of these as text. */
export function flagAt(reply: unknown, paths: readonly string[]): boolean {
  const value = valueAt(reply, paths);
  return value === true || value === 1 || value === "1" || /^true$/i.test(String(value));
}

/** A time as in a webhook, as text that `Date` reads, or as a number. @returns whole ms; null if unreadable or outside 1970 to about 5138 */
export function momentAt(reply: unknown, paths: readonly string[]): number | null {
  const value = valueAt(reply, paths);
  if (typeof value !== "number" && typeof value !== "string") return null;
  const at = typeof value === "number" ? inMilliseconds(value) : (readTimestamp(value) ?? Date.parse(value));
  return at > 0 && at < latestMomentMs ? Math.round(at) : null;
}

function inMilliseconds(value: number): number {
  return value < 100_000_000_000 ? value * 1_000 : value;
}

/** Each path in the reply itself and inside each envelope. "@..." paths aren't in the reply. */
export function pathsInside(envelopes: readonly string[], paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    path.startsWith("@")
      ? [path]
      : [path, ...envelopes.map((envelope) => (path === "" ? envelope : `${envelope}.${path}`))],
  );
}

/** A reply's structure for logs: names of fields and kinds of values, never a value. Four levels deep, thirty names wide. */
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
      // A name that isn't a plain word may be an address or an id.
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

/** The field with this name, or one whose name differs only in case, "_" and "-". */
export function ownEntry(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  if (isList(value)) return undefined;
  const alike = namesOf(value).get(bareName(name));
  return alike === undefined ? undefined : Reflect.get(value, alike);
}

const knownNames = new WeakMap<object, Map<string, string>>();

/** Names by their bare form. Read once, because a reply may have a hundred thousand names and is searched for a hundred. */
function namesOf(value: object): Map<string, string> {
  const bare = (name: string) => [bareName(name), name] as const;
  const names = knownNames.get(value) ?? new Map(Object.keys(value).reverse().map(bare));
  knownNames.set(value, names);
  return names;
}

/** A name without the things that services write differently: case, "_" and "-". */
function bareName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/** A list with one entry counts as that entry. */
function onlyEntry(value: unknown): unknown {
  return isList(value) && value.length === 1 ? value[0] : value;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

type SegmentPlaces = { text: readonly string[]; speaker: readonly string[] };

/** A text, or a list of utterances, in the reply itself. Addresses and ids don't count. */
export function spokenTextAt(reply: unknown, paths: readonly string[], segment: SegmentPlaces) {
  for (const path of paths) {
    const value = valueAt(reply, [path]);
    const text = Array.isArray(value) ? linesOf(value, segment) : value;
    if (typeof text === "string" && isProse(text)) return text;
  }
  return null;
}

/** One line for each entry. The speaker is named once for consecutive entries. */
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

/** Whether a text consists of words. An address, id or status is one run of plain characters. */
function isProse(text: string): boolean {
  return text.trim() !== "" && !/^[\x21-\x7e]+$/.test(text.trim()) && !/^[a-z][a-z+.-]*:\/\//i.test(text);
}

/** Whether a reply is a web page instead of JSON. Some servers answer every address with one. */
export function isWebPage(reply: unknown): boolean {
  return typeof reply === "string" && reply.trimStart().startsWith("<");
}

/** The id in the Location header, which only names what was created if the status is 201 (RFC 9110, 15.3.2). */
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
