import { courseTimes } from "./course-times.ts";
import type { Translate } from "./translate.ts";

/**
 * A moment of no course, or where nobody knows the reader's zone, as the reader writes dates, with the zone it is told in:
 * "Sat 21 Nov 2026, 14:05 UTC".
 */
export function utcText(t: Pick<Translate, "locale">, at: number): string {
  return `${courseTimes({ timeZone: null }, t.locale).text(at)} UTC`;
}
