import type { Person } from "../../../domain/course.ts";
import { plainName } from "../../../domain/person.ts";
import { customParameter } from "../../../domain/launch.ts";
import { sectionIdsOf } from "../../../domain/section.ts";
import { rememberIn } from "../../../kernel/lists.ts";
import { parseJson } from "../../../kernel/outside-reply.ts";
import { cutTo, showsNothing } from "../../../kernel/text.ts";

const minLikeness = 0.55;

type Words = readonly string[];
type Comparison = ReturnType<typeof wordComparison>;

/** @param cohorts Their names are read once for all sections. @returns a search: at most `limit` of those alike, the likeliest first. */
export function likelyCohorts<C extends { name: string | null }>(
  course: string,
  cohorts: readonly C[],
): (section: string, limit: number) => C[] {
  const known = wordsIn(course);
  const areAlike = wordComparison();
  const named = cohorts.map((cohort) => ({ cohort, words: wordsIn(cohort.name ?? "") }));
  return (section, limit) => {
    const sectionWords = wordsIn(section);
    return (
      named
        .map((one) => ({ ...one, likeness: likeness(sectionWords, one.words, known, areAlike) }))
        .filter((one) => one.likeness >= minLikeness)
        // When two are equally alike, the longer one also names the course.
        .sort((one, other) => other.likeness - one.likeness || other.words.length - one.words.length)
        .slice(0, limit)
        .map(({ cohort }) => cohort)
    );
  };
}

/**
 * From 0 to 1, for suggestions only. Numbers and single letters must be in the cohort's name: "Group 1" is never like "Group 12". Words
 * of the course's name may be in it; others count against it.
 */
function likeness(query: Words, given: Words, course: Words, areAlike: Comparison): number {
  if (query.length === 0 || given.length === 0) return 0;
  if (query.some((word) => isMark(word) && !given.includes(word))) return 0;
  const found = query.filter((word) => given.some((other) => areAlike(word, other))).length;
  if (found === 0) return 0;
  const known = [...query, ...course];
  const explained = given.filter((word) => known.some((other) => areAlike(word, other))).length;
  const strange = given.some((word) => isMark(word) && !known.includes(word));
  const shares = 0.6 * (found / query.length) + 0.4 * (explained / given.length);
  return Math.round(shares * (strange ? 0.6 : 1) * 100) / 100;
}

/** Words of a name that are compared, each with each. Longer names come from mischief alone. */
const maxWords = 8;
const maxWordLength = 24;

function wordsIn(name: string): string[] {
  const words = plainName(cutTo(name, maxWords * maxWordLength)).match(/\p{L}+|\p{N}+/gu) ?? [];
  return words.slice(0, maxWords).map((word) => cutTo(word.replace(/^0+(?=\d)/, ""), maxWordLength));
}

/** A number or a single letter: what sections are numbered by. */
function isMark(word: string): boolean {
  return /^(\p{N}+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}])$/u.test(word);
}

const maxRemembered = 10_000;

/** Says whether two words are alike. Remembers pairs: thousands of names share a few words. */
function wordComparison() {
  const known = new Map<string, boolean>();
  return (one: string, other: string): boolean => {
    const pair = `${one} ${other}`;
    const alike = known.get(pair) ?? differLittle(one, other);
    if (!known.has(pair)) rememberIn(known, maxRemembered, pair, alike);
    return alike;
  };
}

/** Equal, or different by an ending or a typing error. */
function differLittle(one: string, other: string): boolean {
  if (one === other) return true;
  if (isMark(one) || isMark(other)) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= 3 && long.startsWith(short) && long.length - short.length <= 5) return true;
  return short.length >= 5 && sharedPairs(one, other) >= 0.75;
}

/** Dice's coefficient of letter pairs. */
function sharedPairs(one: string, other: string): number {
  const pairs = (word: string) =>
    Array.from({ length: word.length - 1 }, (_none, at) => word.slice(at, at + 2));
  const left = pairs(other);
  const all = pairs(one);
  const shared = all.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  return (2 * shared) / (all.length + pairs(other).length);
}

type Named = Pick<Person, "name" | "givenName" | "familyName" | "email">;

/** How a person is searched for: by the beginning of one of these. Empty where nothing is known. */
export type PersonKeys = { nameKey: string; familyKey: string; emailKey: string };

export function personKeysOf({ name, givenName, familyName, email }: Named): PersonKeys {
  return {
    nameKey: searchKey(name ?? `${givenName ?? ""} ${familyName ?? ""}`),
    familyKey: searchKey(`${familyName ?? ""} ${givenName ?? ""}`),
    emailKey: searchKey(email ?? ""),
  };
}

export const personKeyNames = [
  "nameKey",
  "familyKey",
  "emailKey",
] as const satisfies readonly (keyof PersonKeys)[];

const maxKeyLength = 80;

/** Without capitals, accents and extra white space, cut in length. A search finds keys that begin with its own key. */
export function searchKey(text: string): string {
  const key = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
  return cutTo(key, maxKeyLength);
}

/**
 * By section id, as far as they are certain: Canvas lists ids once and names by enrolment, so there may be more names than ids. Lists
 * of equal length count, and a single id whose names all agree. @param custom Of a launch or a roster entry.
 */
export function sectionNamesOf(custom: Readonly<Record<string, string>>): Map<string, string> {
  const ids = inOrder(sectionIdsOf(custom) ?? []);
  if (ids.length === 0) return new Map();
  const names = namesIn(custom[customParameter.sectionNames] ?? "");
  const agreeing = ids.length === 1 && new Set(names).size === 1 ? names.slice(0, 1) : names;
  if (agreeing.length !== ids.length) return new Map();
  return new Map(
    ids.flatMap((id, at) => {
      const name = agreeing[at] ?? "";
      return showsNothing(name) ? [] : [[id, name] as const];
    }),
  );
}

/** Ascending, as documented; sorted to be sure. */
function inOrder(ids: readonly string[]): readonly string[] {
  return ids.every((id) => /^\d+$/.test(id)) ? ids.toSorted(byNumber) : ids;
}

/** Canvas's global ids have 17 digits, too many for a number. */
function byNumber(one: string, other: string): number {
  return Number(BigInt(one) - BigInt(other));
}

/** The longest section name (UTF-16 units); Canvas's have at most 255. */
const maxSectionName = 255;

function namesIn(text: string): string[] {
  try {
    const list = parseJson(text);
    if (!Array.isArray(list)) return [];
    return list.map((name: unknown) => (typeof name === "string" ? cutTo(name.trim(), maxSectionName) : ""));
  } catch {
    return [];
  }
}
