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

/**
 * Such as "(2x100 + 1x80) / 3 = 93.33", "1x100 / 2 = 50 < 75: 0" where a share is needed, or "100 - 2x5 = 90" where points are taken off.
 * Equal statuses are one term, dropped ones none.
 * @param write Formats a number.
 */
export function sumOf(
  working: GradeWorking,
  score: number,
  write: (number: number) => string = String,
): string {
  const { formula } = working;
  switch (formula.kind) {
    case "mean":
      return `${meanOf(working, write)} = ${write(score)}`;
    case "gate":
    case "pass-fail": {
      const comparison = `${formula.isReached ? "≥" : "<"} ${write(formula.needed)}`;
      return `${meanOf(working, write)} = ${write(formula.mean)} ${comparison}: ${write(score)}`;
    }
    case "points-off": {
      const off = termsOf(
        formula.off.filter(({ points }) => points > 0),
        write,
      );
      const taken = off.map((term) => ` - ${term}`).join("");
      return `${write(formula.full)}${taken} ${formula.isUsedUp ? "< 0:" : "="} ${write(score)}`;
    }
  }
}

function meanOf({ terms, divisor }: GradeWorking, write: (number: number) => string): string {
  const kept = terms.map(({ points, count, dropped }) => ({ points, count: count - dropped }));
  const parts = termsOf(kept, write);
  const sum = parts.join(" + ");
  return `${parts.length > 1 ? `(${sum})` : sum} / ${write(divisor.sessions)}`;
}

/** Such as "2x100"; those of equal points are one. */
function termsOf(
  terms: readonly { points: number; count: number }[],
  write: (number: number) => string,
): string[] {
  const countByPoints = new Map<number, number>();
  for (const { points, count } of terms)
    if (count > 0) countByPoints.set(points, (countByPoints.get(points) ?? 0) + count);
  return [...countByPoints].map(([points, count]) => `${write(count)}x${write(points)}`);
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
