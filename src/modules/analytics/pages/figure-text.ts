import type { FigureValue } from "../../../domain/session-figures.ts";
import type { CourseWords } from "../../../web/course-words.ts";
import { numberText } from "../../../web/page-text.ts";

/** "network.averageRttMs" is "Network: Average rtt ms". Names are the classroom's and stay in its language. */
export function figureName(path: string): string {
  return path.split(".").map(spoken).join(": ");
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
