import type { Figure, FigureValue } from "../../../domain/session-figures.ts";
import type { CourseWords } from "../../../web/course-words.ts";
import { numberText } from "../../../web/number-text.ts";

/** "network.averageRttMs" is "Average rtt ms" of "Network". Names are the classroom's and stay in its language. */
export function namesOf(path: string): { group: string | null; name: string } {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) return { group: null, name: spoken(first) };
  return { group: spoken(first), name: rest.map(spoken).join(": ") };
}

/** "Network: Average rtt ms" */
export function wholeName(path: string): string {
  const { group, name } = namesOf(path);
  return group === null ? name : `${group}: ${name}`;
}

/** "averageRttMs", "average_rtt_ms" and "average-rtt-ms" are "Average rtt ms". */
function spoken(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[_\-\s]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

export function valueText({ t, times }: Pick<CourseWords, "t" | "times">, value: FigureValue): string {
  if (typeof value === "boolean") return t(value ? "analytics.yes" : "analytics.no");
  if (typeof value === "string") return isoMoment.test(value) ? times.text(Date.parse(value)) : value;
  return numberText(t, value);
}

/** "Device: Microphone: Good" */
export function figureText(words: Pick<CourseWords, "t" | "times">, { path, value }: Figure): string {
  return `${wholeName(path)}: ${valueText(words, value)}`;
}

export type FigureGroup = { name: string | null; figures: { name: string; value: string }[] };

/** By what they are about, in the order in which they came. */
export function groupsOf(words: Pick<CourseWords, "t" | "times">, figures: readonly Figure[]): FigureGroup[] {
  const groups = Map.groupBy(figures, ({ path }) => namesOf(path).group);
  return [...groups].map(([name, own]) => ({
    name,
    figures: own.map(({ path, value }) => ({ name: namesOf(path).name, value: valueText(words, value) })),
  }));
}
