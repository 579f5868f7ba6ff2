import { numberText } from "../../../web/number-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { FormToken } from "./partials.ts";

/** How many are signed in to pages of courses, and where a form ends their sessions. */
export type SessionsView = {
  of: "lms" | "course" | "person";
  count: number;
  number: string;
  action: string;
  /** Those of one user can be ended by themselves. */
  byUser: boolean;
};

/** A part of pages: who is signed in. */
export type SessionsPart = FormToken & { t: Translate; sessions: SessionsView };

/** What a page shows of the sessions that it can end. */
export function sessionsView(
  t: Translate,
  count: number,
  how: Pick<SessionsView, "of" | "action"> & { byUser?: boolean },
): SessionsView {
  return { count, number: numberText(t, count), byUser: false, ...how };
}
