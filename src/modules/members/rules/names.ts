import type { Person } from "../../../domain/course.ts";
import { plainName } from "../../../domain/person.ts";
import { customParameter } from "../../../domain/launch.ts";
import { sectionIdsOf } from "../../../domain/section.ts";
import { parseJson } from "../../../kernel/outside-reply.ts";
import { cutTo, showsNothing } from "../../../kernel/text.ts";

const minLikeness = 0.55;

type Words = readonly string[];

/** @param cohorts Their names are split once for all sections. @returns a search for at most `limit` alike cohorts, likeliest first. */
export function likelyCohorts<C extends { name: string | null }>(
  course: string,
  cohorts: readonly C[],
): (section: string, limit: number) => C[] {
  const named = cohorts.map((cohort) => ({ cohort, words: wordsIn(cohort.name ?? "") }));
  // Thousands of names share few words, so each word is compared once, not with each name that has it.
  const all = [...new Set(named.flatMap(({ words }) => words))].map(lookedAt);
  const among = (name: string) =>
    wordsIn(name).map((word) => {
      const one = lookedAt(word);
      const alike = all.filter((other) => differLittle(one, other));
      return { ...one, alike: new Set(alike.map((other) => other.word)) };
    });
  const marks = new Set(all.filter(({ isMark }) => isMark).map(({ word }) => word));
  const ofCourse = among(course);
  return (section, limit) => {
    const query = among(section);
    return (
      named
        .map((one) => ({ ...one, likeness: likeness(query, one.words, ofCourse, marks) }))
        .filter((one) => one.likeness >= minLikeness)
        // If two are equally alike, the longer one also names the course.
        .sort((one, other) => other.likeness - one.likeness || other.words.length - one.words.length)
        .slice(0, limit)
        .map(({ cohort }) => cohort)
    );
  };
}

/** A word of the name, with all words of other names that are like it. */
type SoughtWord = LookedAt & { alike: ReadonlySet<string> };

/**
 * From 0 to 1, only for suggestions. The cohort's name must contain the section's numbers and single letters: "Group 1" is never like "Group
 * 12". It may contain words of the course's name. Other words count against it.
 */
function likeness(
  query: readonly SoughtWord[],
  given: Words,
  course: readonly SoughtWord[],
  marks: ReadonlySet<string>,
): number {
  if (query.length === 0 || given.length === 0) return 0;
  if (query.some(({ isMark, word }) => isMark && !given.includes(word))) return 0;
  const found = query.filter(({ alike }) => given.some((word) => alike.has(word))).length;
  if (found === 0) return 0;
  const known = [...query, ...course];
  const explained = given.filter((word) => known.some(({ alike }) => alike.has(word))).length;
  const strange = given.some((word) => marks.has(word) && !known.some((one) => one.word === word));
  const shares = 0.6 * (found / query.length) + 0.4 * (explained / given.length);
  return Math.round(shares * (strange ? 0.6 : 1) * 100) / 100;
}

/** How many words of a name are compared, each with each. Only mischief has longer names. */
const maxWords = 8;
const maxWordLength = 24;

function wordsIn(name: string): string[] {
  const words = plainName(cutTo(name, maxWords * maxWordLength)).match(/\p{L}+|\p{N}+/gu) ?? [];
  return words.slice(0, maxWords).map((word) => cutTo(word.replace(/^0+(?=\d)/, ""), maxWordLength));
}

/** A number or a single letter, as sections are numbered. */
function isMark(word: string): boolean {
  return /^(\p{N}+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}])$/u.test(word);
}

type LookedAt = ReturnType<typeof lookedAt>;

function lookedAt(word: string) {
  const pairs = Array.from({ length: word.length - 1 }, (_none, at) => word.slice(at, at + 2));
  return { word, isMark: isMark(word), pairs: pairs.sort() };
}

/** Whether words are equal, or differ by an ending or a typing error. */
function differLittle(one: LookedAt, other: LookedAt): boolean {
  if (one.word === other.word) return true;
  if (one.isMark || other.isMark) return false;
  const [short, long] = one.word.length < other.word.length ? [one, other] : [other, one];
  const moreLetters = long.word.length - short.word.length;
  if (short.word.length >= 3 && moreLetters <= 5 && long.word.startsWith(short.word)) return true;
  return short.word.length >= 5 && sharedPairs(short.pairs, long.pairs) >= 0.75;
}

/** Dice's coefficient of letter pairs. @param one Sorted, like the other. */
function sharedPairs(one: Words, other: Words): number {
  let [shared, at] = [0, 0];
  for (const pair of one) {
    while ((other[at] ?? pair) < pair) at += 1;
    if (other[at] !== pair) continue;
    shared += 1;
    at += 1;
  }
  return (2 * shared) / (one.length + other.length);
}

type Named = Pick<Person, "name" | "givenName" | "familyName" | "email">;

/** A search finds people by the beginning of one of these keys. Empty if nothing is known. */
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

/** Drops capitals, accents, invisible characters and extra spaces, and cuts the text. A search finds keys that begin with its own key. */
export function searchKey(text: string): string {
  return cutTo(plainName(text).replace(/\p{M}/gu, ""), maxKeyLength);
}

/**
 * Section names by id, if they are certain: Canvas lists ids once but names by enrolment, so there may be more names
 * than ids. Certain are lists of equal length, and a single id whose names all agree. @param custom The parameters of a
 * launch or a roster entry.
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

/** Documented as ascending, and sorted to be sure. */
function inOrder(ids: readonly string[]): readonly string[] {
  return ids.every((id) => /^\d+$/.test(id)) ? ids.toSorted(byNumber) : ids;
}

/** Canvas's global ids have 17 digits, too many for a number. */
function byNumber(one: string, other: string): number {
  return Number(BigInt(one) - BigInt(other));
}

/** The longest section name (UTF-16 units). Canvas's have at most 255. */
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
