import { type KnownStatus, knownStatuses } from "../../../domain/attendance.ts";
import { statusView } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** `name`: class of the style sheet. */
export type StatusChoice = { value: KnownStatus; label: string; name: string };

/** Classes of the style sheet, of the marks that are chosen and explained. */
export const brushClasses: Readonly<Record<KnownStatus, string>> = {
  PRESENT: "P",
  LATE: "L",
  ABSENT: "A",
  EXCUSED: "E",
};

export function statusChoices(t: Translate): StatusChoice[] {
  return knownStatuses.map((value) => ({
    value,
    label: statusView(t, value).text,
    name: brushClasses[value],
  }));
}
