import type { KnownStatus } from "./attendance.ts";
import { sentenceWords } from "./grade-sentence-words.ts";
import type { GradeWorking } from "./grade-working.ts";

const words: Record<KnownStatus, string> = {
  PRESENT: "present",
  LATE: "late",
  ABSENT: "absent",
  EXCUSED: "excused",
};

/**
 * The sum, such as "(2x100 + 1x80) / 3 = 93.33"; statuses of equal worth are one term, dropped ones are none.
 * @param write How its reader writes a number; the same for everybody unless said.
 */
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

/** Why there is no score, in plain English. */
export function whyNoScore(working: GradeWorking): string {
  if (working.counted === 0) return "No session counts yet.";
  const { counted, minimum } = working;
  const count = counted === 1 ? "1 session counts" : `${counted} sessions count`;
  return `${count} so far; there is a grade from ${minimum} on.`;
}

/**
 * The score in one plain sentence, for the grade's comment: what was attended, what was dropped or left out, and the sum.
 * Under 200 characters for up to 999 sessions of each status.
 * @param language Such as "de"; one that is not known here is English.
 */
export function gradeSentence(working: GradeWorking, score: number, points: number, language = "en"): string {
  return sentenceIn(language, working, score, points) ?? inEnglish(working, score, points);
}

/** Counts follow their names, which needs no plural forms. Null for a language without words. */
function sentenceIn(language: string, working: GradeWorking, score: number, points: number): string | null {
  const said = sentenceWords.get(language);
  if (said === undefined) return null;
  const { counted, divisor, uncounted } = working;
  const named = (counts: readonly { status: KnownStatus; count: number }[]) =>
    counts.map(({ status, count }) => `${said[status]} ${count}`);
  const out = [...named(working.leftOut), ...(uncounted > 0 ? [`${said.unknown} ${uncounted}`] : [])];
  const all = divisor.basis === "planned" ? said.planned : said.sessions;
  const of = divisor.basis === "planned" || divisor.basis === "fixed" ? `/${divisor.of}` : "";
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`, {
    maximumFractionDigits: 2,
    useGrouping: false,
  });
  const write = (value: number) => numbers.format(value);
  const parts = [
    `${all}${said.colon} ${counted}${of}`,
    named(working.terms).join(said.comma),
    out.length === 0 ? "" : `${said.leftOut}${said.colon} ${out.join(said.comma)}`,
    divisor.dropped === 0 ? "" : `${said.dropped}${said.colon} ${divisor.dropped}`,
    // Sums read from left to right in every language.
    said.isolate(`${sumOf(working, score, write)} / ${points}`),
  ];
  return parts.filter((part) => part !== "").join(said.semicolon);
}

function inEnglish(working: GradeWorking, score: number, points: number): string {
  const parts = [
    working.terms.map(({ status, count }) => `${count} ${words[status]}`).join(", "),
    leftOut(working),
    working.divisor.dropped === 0 ? "" : `${working.divisor.dropped} lowest dropped`,
  ];
  const what = parts.filter((part) => part !== "").join("; ");
  return `${sessions(working)}: ${what}: ${sumOf(working, score)} of ${points}`;
}

function sessions({ counted, divisor: { basis, of } }: GradeWorking): string {
  if (basis === "planned") return `${counted} of ${of} planned sessions`;
  if (basis === "fixed") return `${counted} of ${of} sessions`;
  return counted === 1 ? "1 session" : `${counted} sessions`;
}

function leftOut({ leftOut: known, uncounted }: GradeWorking): string {
  const counts = known.map(({ status, count }) => `${count} ${words[status]}`);
  if (uncounted > 0) counts.push(`${uncounted} unknown`);
  return counts.length === 0 ? "" : `${counts.join(", ")} left out`;
}
