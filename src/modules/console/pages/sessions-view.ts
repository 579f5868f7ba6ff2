import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { FormToken } from "./partials.ts";

export type SessionsView = {
  of: "lms" | "course" | "person";
  count: number;
  number: string;
  action: string;
  /** One user's can be ended apart. */
  byUser: boolean;
};

export type SessionsPart = FormToken & { t: Translate; sessions: SessionsView };

export function sessionsView(
  t: Translate,
  count: number,
  how: Pick<SessionsView, "of" | "action"> & { byUser?: boolean },
): SessionsView {
  return { count, number: numberText(t, count), byUser: false, ...how };
}
