import { asKnownStatus } from "../domain/attendance.ts";
import { isToGoOn, type UnfinishedList } from "../domain/list-pages.ts";
import type { NamedError } from "../kernel/errors.ts";
import { getOrMake } from "../kernel/lists.ts";
import type { CodedSentence } from "../kernel/refusal.ts";
import type { Translate } from "./translate.ts";

/** A number in the page's language, with at most two decimals. Not for form fields, which we read back. */
export function numberText(t: Translate, value: number): string {
  const make = () => new Intl.NumberFormat(t.locale, { maximumFractionDigits: 2 });
  return getOrMake(numberFormats, 100, t.locale, make).format(value);
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** "a, b, c", with the Arabic comma in Arabic. */
export function inList(t: Pick<Translate, "locale">, things: readonly string[]): string {
  // A language's own list ("a, b und c") would read like part of a sentence, so only the comma differs.
  return things.join(t.locale.startsWith("ar") ? "، " : ", ");
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]/u;
const directionMarks = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A name in plain text, such as a mail or calendar. If it is written in the other direction than the reader's language, U+2068 and
 * U+2069 go around it, so brackets and dates next to it keep their place.
 */
export function isolated(t: Translate, name: string): string {
  const plain = name.replace(directionMarks, "");
  const other = t("language.direction") === "rtl" ? leftToRight : rightToLeft;
  return other.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** Sentences that say how much of a list was read, why not more, and what happens next. */
export function moreText(t: Translate, unfinished: UnfinishedList): string {
  const { read, total, why } = unfinished;
  const number =
    total === null || total <= read ? t("more.read", { count: read }) : t("more.readOf", { read, total });
  return `${number} ${t(isToGoOn(unfinished) ? "more.goesOn" : `more.why.${why}`)}`;
}

const signs = { PRESENT: "✓", LATE: "◔", ABSENT: "✗", EXCUSED: "–" } as const;

/** A status with its own sign, so colour alone never shows it. An unknown status is shown unchanged. */
export function statusView(t: Translate, status: string) {
  const known = asKnownStatus(status);
  if (known === null) return { sign: "?", name: "unknown", text: t("review.statuses.unknown", { status }) };
  return { sign: signs[known], name: known, text: t(`review.statuses.${known}`) };
}

/** Such as "4 sec", "12 min" or "3 hr", in the unit that keeps the number short. */
export function durationText({ locale }: Translate, ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const short = (amount: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(Math.round(amount));
  if (seconds < 120) return short(seconds, "second");
  return seconds < 7_200 ? short(seconds / 60, "minute") : short(seconds / 3_600, "hour");
}

/** The sentence of an expected failure in the reader's language, by its code; if there is none, in English as in logs. */
export function sayError(
  t: Translate,
  { code, message, values }: Pick<NamedError, "code" | "message"> & Partial<Pick<NamedError, "values">>,
): string {
  if (t("language.code") === "en") return message;
  return t.dynamic(`errors.${code}`, values) ?? message;
}

/** What to do about an alert, in the reader's language; in English if the catalogue lacks it. */
export function adviceText(t: Translate, message: string, coded: CodedSentence | null): string {
  if (coded === null) return message;
  const { names = null, ...values } = coded.values;
  const jobName = (name: string) => t.dynamic(`console.jobs.names.${name}`) ?? name;
  const jobs = names === null ? "" : inList(t, String(names).split(", ").map(jobName));
  return t.dynamic(`errors.${coded.code}`, { ...values, names: jobs }) ?? message;
}

/** A problem in the reader's language; null for none. The stored sentence is for operators and names their settings and files. */
export function classroomProblemText(t: Translate, problem: string | null, code: string | null | undefined) {
  if (problem === null || code == null) return problem;
  // Other failures keep the stored English sentence, which includes its values.
  if (t("language.code") === "en") return t.dynamic(`trouble.${code}`) ?? problem;
  return t.dynamic([`trouble.${code}`, `errors.${code}`]) ?? problem;
}
