import type { MySession } from "../../attendance/show-attendance.ts";
import { type SessionWords, whenText } from "../../scheduling/pages/sessions-view.ts";

const minute = 60_000;
const hour = 60 * minute;

/** What a learner's home begins with. */
export type WhatIsOn = {
  title: string;
  live: boolean;
  when: string;
  /** ISO 8601; null when unknown. */
  startsAt: string | null;
  endsAt: string | null;
  /** "in 20 minutes"; null when it is on or far. */
  left: string | null;
};

/** @param live Now on. @param next The next one that is not cancelled. @returns null where no session is to come. */
export function whatIsOn(
  words: Pick<SessionWords, "t" | "times">,
  live: MySession | null,
  next: MySession | null,
  now: number,
): WhatIsOn | null {
  const one = live ?? next;
  if (one === null) return null;
  const { startsAt, endsAt } = one;
  return {
    title: one.title ?? words.t("sessions.untitled"),
    live: live !== null,
    when: whenText(words, one),
    startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
    left: live !== null || startsAt === null ? null : timeLeft(words.t.locale, startsAt - now),
  };
}

/** "in 20 minutes"; null for a day or longer, where a date is better. */
export function timeLeft(locale: string, ms: number): string | null {
  if (ms >= 24 * hour) return null;
  const format = new Intl.RelativeTimeFormat(locale);
  return ms < hour
    ? format.format(Math.max(1, Math.ceil(ms / minute)), "minute")
    : format.format(Math.round(ms / hour), "hour");
}
