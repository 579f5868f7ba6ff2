import type { KnownStatus } from "./attendance.ts";
import type { GradeWorking } from "./grade-working.ts";

/** Parts of a grade's comment, as named in `comment.json` of the catalogues. */
type CommentPart =
  | KnownStatus
  | "sessions"
  | "planned"
  | "fixed"
  | "unknown"
  | "leftOut"
  | "dropped"
  | "sum"
  | "comma"
  | "semicolon"
  | "whole";

/** Writes the parts of a comment in one language; with the `Intl` locale of its numbers. */
export type CommentWords = {
  (part: `comment.${CommentPart}`, values?: Readonly<Record<string, string | number>>): string;
  readonly locale: string;
};

/** The words of a language such as "de"; English for an unknown one. */
export type CommentWordsOf = (language: string) => CommentWords;

/** Such as "(2x100 + 1x80) / 3 = 93.33"; equal statuses are one term, dropped ones none. @param write Formats a number. */
export function sumOf(
  working: GradeWorking,
  score: number,
  write: (number: number) => string = String,
): string {
  const countByPoints = new Map<number, { points: number; count: number }>();
  for (const { credit, points, count, dropped } of working.terms) {
    if (count === dropped) continue;
    const before = countByPoints.get(credit)?.count ?? 0;
    countByPoints.set(credit, { points, count: before + count - dropped });
  }
  const terms = [...countByPoints.values()].map(({ points, count }) => `${write(count)}x${write(points)}`);
  const sum = terms.join(" + ");
  return `${terms.length > 1 ? `(${sum})` : sum} / ${write(working.divisor.sessions)} = ${write(score)}`;
}

export function whyNoScore(working: GradeWorking): string {
  if (working.counted === 0) return "No session counts yet.";
  const { counted, minimum } = working;
  const count = counted === 1 ? "1 session counts" : `${counted} sessions count`;
  return `${count} so far; there is a grade from ${minimum} on.`;
}

/** One sentence: attended, dropped, left out, and the sum. Under 200 characters for up to 999 sessions of each status. */
export function gradeSentence(
  working: GradeWorking,
  score: number,
  points: number,
  say: CommentWords,
): string {
  const { divisor, leftOut, terms, uncounted } = working;
  const comma = say("comment.comma");
  const named = (counts: readonly { status: KnownStatus; count: number }[]) =>
    counts.map(({ status, count }) => say(`comment.${status}`, { number: count }));
  const out = [...named(leftOut), ...(uncounted > 0 ? [say("comment.unknown", { number: uncounted })] : [])];
  const parts = [
    ...(terms.length === 0 ? [] : [named(terms).join(comma)]),
    ...(out.length === 0 ? [] : [say("comment.leftOut", { list: out.join(comma) })]),
    ...(divisor.dropped === 0 ? [] : [say("comment.dropped", { number: divisor.dropped })]),
  ];
  const numbers = new Intl.NumberFormat(say.locale, { maximumFractionDigits: 2, useGrouping: false });
  const sum = sumOf(working, score, (number) => numbers.format(number));
  return say("comment.whole", {
    sessions: sessionsIn(working, say),
    parts: parts.join(say("comment.semicolon")),
    sum: say("comment.sum", { sum, points }),
  });
}

function sessionsIn({ counted, divisor: { basis, of: total } }: GradeWorking, say: CommentWords): string {
  if (basis === "counted") return say("comment.sessions", { count: counted });
  return say(`comment.${basis}`, { counted, total });
}
