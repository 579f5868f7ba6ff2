import { courseTimes } from "./course-times.ts";
import type { Translate } from "./translate.ts";

/** A time without a course or a known zone: "Sat 21 Nov 2026, 14:05 UTC" in the reader's format. */
export function utcText(t: Pick<Translate, "locale">, at: number): string {
  return `${courseTimes({ timeZone: null }, t.locale).text(at)} UTC`;
}
