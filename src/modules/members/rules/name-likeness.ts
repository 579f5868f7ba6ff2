/** A name without accents and capitals, for comparing and searching. */
export function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

/** From this likeness on a cohort is suggested for a section. */
export const likeEnough = 0.55;

/**
 * How much a cohort's name looks like a section's, from 0 to 1. Only ever for suggestions: nothing is linked by it.
 * Numbers and single letters tell sections apart, so each one of the section must be in the cohort's name: "Section A" is
 * never like "Section B", nor "Group 1" like "Group 12". Words of the course's name may be in the cohort's name; others
 * count against it.
 * @param course What the course is called.
 */
export function nameLikeness(section: string, cohort: string, course: string): number {
  return likeness(wordsOf(section), wordsOf(cohort), wordsOf(course));
}

/**
 * Finds what is called like a section.
 * @param course What the course is called.
 * @param cohorts Those to choose from; their names are looked at once, however many sections are asked for.
 * @returns a function: so many at most of those that are like a section's name, the likeliest first.
 */
export function likelyCohorts<C extends { name: string | null }>(
  course: string,
  cohorts: readonly C[],
): (section: string, most: number) => C[] {
  const known = wordsOf(course);
  const named = cohorts.map((cohort) => ({ cohort, words: wordsOf(cohort.name ?? "") }));
  return (section, most) => {
    const wanted = wordsOf(section);
    return (
      named
        .map(({ cohort, words }) => ({ cohort, words, likeness: likeness(wanted, words, known) }))
        .filter((one) => one.likeness >= likeEnough)
        // Of two that are as like, the longer one also names the course.
        .sort((one, other) => other.likeness - one.likeness || other.words.length - one.words.length)
        .slice(0, most)
        .map(({ cohort }) => cohort)
    );
  };
}

function likeness(wanted: readonly string[], given: readonly string[], course: readonly string[]): number {
  if (wanted.length === 0 || given.length === 0) return 0;
  if (wanted.some((word) => isMark(word) && !given.includes(word))) return 0;
  const found = wanted.filter((word) => given.some((other) => areAlike(word, other))).length;
  if (found === 0) return 0;
  const known = [...wanted, ...course];
  const explained = given.filter((word) => known.some((other) => areAlike(word, other))).length;
  const strange = given.some((word) => isMark(word) && !known.includes(word));
  const shares = 0.6 * (found / wanted.length) + 0.4 * (explained / given.length);
  return Math.round(shares * (strange ? 0.6 : 1) * 100) / 100;
}

/** Words and numbers of a name; "BIO101" is a word and a number. */
function wordsOf(name: string): string[] {
  return [...plainName(name).matchAll(/\p{L}+|\p{N}+/gu)].map(([word]) => word.replace(/^0+(?=\d)/, ""));
}

/** A number or a single letter of an alphabet: what sections are numbered by. */
function isMark(word: string): boolean {
  return /^(\p{N}+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}])$/u.test(word);
}

/** The same word, or one that differs by an ending or a slip of the pen. */
function areAlike(one: string, other: string): boolean {
  if (one === other) return true;
  if (isMark(one) || isMark(other)) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= 3 && long.startsWith(short) && long.length - short.length <= 5) return true;
  return short.length >= 5 && sharedPairs(one, other) >= 0.75;
}

/** Dice's coefficient of the pairs of letters of two words. */
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
