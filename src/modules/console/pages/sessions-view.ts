import { numberText } from "../../../web/number-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** How many are signed in to pages of courses, as `views/admin/sessions.ejs` says it with the way to end them. */
export function sessionsView(
  t: Translate,
  count: number,
  how: { of: "lms" | "course" | "person"; action: string; byUser?: boolean },
) {
  return { count, number: numberText(t, count), byUser: false, ...how };
}
