import type { KnownStatus } from "./attendance.ts";
import type { GradeWorking } from "./grade-working.ts";

/** Parts of a grade's comment, named as in `comment` of the catalogues. */
type CommentPart =
  | KnownStatus
  | "sessions"
  | "planned"
  | "fixed"
  | "unknown"
  | "leftOut"
  | "dropped"
  | "byMinutes"
  | "notCompleted"
  | "sum"
  | "comma"
  | "semicolon"
  | "whole";

/** Why there is no score, as pages say it. */
type NoScoreKey = "grading.working.nothing" | "grading.working.below" | "grading.working.completion.held";

/** Writes the parts of a comment in one language. `locale` is the `Intl` locale for its numbers. */
type CommentWords = {
  (part: `comment.${CommentPart}` | NoScoreKey, values?: Readonly<Record<string, string | number>>): string;
  readonly locale: string;
};

/** Finds the words of a language such as "de"; English for an unknown language. */
export type CommentWordsOf = (language: string) => CommentWords;

/**
 * Such as "(2x100 + 1x80) / 3 = 93.33", "1x100 / 2 = 50 < 75: 0" if a percentage is needed, or "100 - 2x5 = 90" if points are taken off.
 * Equal
 * statuses form one term, minutes form one sum, dropped sessions are left out: "(2x100 + 153) / 4 = 88.25". @param write Formats a number.
 */
export function sumOf(working: GradeWorking, score: number, write: (number: number) => string = String) {
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
  const counted = terms.map((term) => ({ ...term, count: term.count - term.dropped }));
  const parts = termsOf(counted, write);
  const sum = parts.join(" + ");
  return `${parts.length > 1 ? `(${sum})` : sum} / ${write(divisor.sessions)}`;
}

type Summand = { points: number; count: number; byMinutes?: true };

/** Terms such as "2x100", one for each number of points. Credit by minutes is summed up in one term at the end. */
function termsOf(terms: readonly Summand[], write: (number: number) => string): string[] {
  const countByPoints = new Map<number, number>();
  for (const { points, count, byMinutes } of terms)
    if (count > 0 && byMinutes === undefined)
      countByPoints.set(points, (countByPoints.get(points) ?? 0) + count);
  const byStatus = [...countByPoints].map(([points, count]) => `${write(count)}x${write(points)}`);
  const weighed = weighedByMinutes(terms);
  return weighed.count === 0 ? byStatus : [...byStatus, write(weighed.points)];
}

/** How many sessions earn by minutes, and their points together. */
export function weighedByMinutes(terms: readonly Summand[]): { count: number; points: number } {
  const weighed = terms.filter(({ byMinutes }) => byMinutes === true);
  const hundredths = weighed.reduce((sum, { points, count }) => sum + Math.round(points * 100) * count, 0);
  return { count: weighed.reduce((sum, { count }) => sum + count, 0), points: hundredths / 100 };
}

export function whyNoScore(working: GradeWorking): string {
  if (working.noScore === "nothing-counts") return "No session counts yet.";
  const { counted, minimum, completion } = working;
  if (working.noScore === "held-back" && completion !== null) {
    const { attended, needed } = completion;
    return `${attended} of ${needed} sessions attended; there is a grade from ${needed} on.`;
  }
  const count = counted === 1 ? "1 session counts" : `${counted} sessions count`;
  return `${count} so far; there is a grade from ${minimum} on.`;
}

export function noScoreSentence({ noScore, counted, minimum, completion }: GradeWorking, say: CommentWords) {
  if (noScore === "below-minimum") return say("grading.working.below", { count: counted, minimum });
  if (noScore !== "held-back" || completion === null) return say("grading.working.nothing");
  const { attended: count, needed } = completion;
  return say("grading.working.completion.held", { count, needed });
}

/** Gradebooks cut longer comments (characters). */
const maxLength = 200;

/** One sentence under 200 characters, for up to 999 sessions of each status. Minutes and completion are named if there is room. */
export function gradeSentence(working: GradeWorking, score: number, points: number, say: CommentWords) {
  const { divisor, leftOut, terms, uncounted } = working;
  const comma = say("comment.comma");
  const weighed = weighedByMinutes(terms);
  const named = (counts: readonly { status: KnownStatus; count: number }[]) =>
    counts.map(({ status, count }) => say(`comment.${status}`, { number: count }));
  const out = [...named(leftOut), ...(uncounted > 0 ? [say("comment.unknown", { number: uncounted })] : [])];
  const weighedPart = weighed.count === 0 ? [] : [say("comment.byMinutes", { number: weighed.count })];
  const openPart = notCompleted(working, say);
  const partsWith = (more: readonly string[]) => [
    ...(terms.length === 0 ? [] : [named(byStatus(terms)).join(comma)]),
    ...more,
    ...(out.length === 0 ? [] : [say("comment.leftOut", { list: out.join(comma) })]),
    ...(divisor.dropped === 0 ? [] : [say("comment.dropped", { number: divisor.dropped })]),
  ];
  const numbers = new Intl.NumberFormat(say.locale, { maximumFractionDigits: 2, useGrouping: false });
  const sum = sumOf(working, score, (number) => numbers.format(number));
  const whole = (parts: readonly string[]) =>
    say("comment.whole", {
      sessions: sessionsIn(working, say),
      parts: parts.join(say("comment.semicolon")),
      sum: say("comment.sum", { sum, points }),
    });
  const sentences = [[...weighedPart, ...openPart], openPart, []].map((more) => whole(partsWith(more)));
  return sentences.find(({ length }) => length < maxLength) ?? "";
}

function notCompleted({ completion }: GradeWorking, say: CommentWords): string[] {
  if (completion === null || completion.isReached) return [];
  const { attended, needed } = completion;
  return [say("comment.notCompleted", { attended, needed })];
}

function byStatus(terms: GradeWorking["terms"]): { status: KnownStatus; count: number }[] {
  const countOf = new Map<KnownStatus, number>();
  for (const { status, count } of terms) countOf.set(status, (countOf.get(status) ?? 0) + count);
  return [...countOf].map(([status, count]) => ({ status, count }));
}

function sessionsIn({ counted, divisor: { basis, of: total } }: GradeWorking, say: CommentWords): string {
  if (basis === "counted") return say("comment.sessions", { count: counted });
  return say(`comment.${basis}`, { counted, total });
}
