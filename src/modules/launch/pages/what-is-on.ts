import type { MySession } from "../../attendance/show-my-attendance.ts";
import { type SessionWords, whenText } from "../../scheduling/pages/sessions-view.ts";

const minute = 60_000;
const hour = 60 * minute;

export type WhatIsOn = {
  text: string;
  /** "in 20 minutes"; null when it is far. */
  left: string | null;
  /** For a script that updates `left`; null where there is none. */
  startsAt: string | null;
};

/** @param live Now on. @param next The next one that is not cancelled. */
export function whatIsOn(
  words: Pick<SessionWords, "t" | "times">,
  live: MySession | null,
  next: MySession | null,
  now: number,
): WhatIsOn {
  const { t, times } = words;
  if (live !== null) {
    const title = live.title ?? t("sessions.untitled");
    const text =
      live.endsAt === null
        ? t("mine.home.live", { title })
        : t("mine.home.liveUntil", { title, until: times.text(live.endsAt) });
    return { text, left: null, startsAt: null };
  }
  if (next === null) return { text: t("mine.home.nonePlanned"), left: null, startsAt: null };
  const title = next.title ?? t("sessions.untitled");
  const left = next.startsAt === null ? null : timeLeft(t.locale, next.startsAt - now);
  return {
    text: t("mine.home.next", { title, when: whenText(words, next) }),
    left,
    startsAt: left === null || next.startsAt === null ? null : new Date(next.startsAt).toISOString(),
  };
}

/** "in 20 minutes"; null for a day or longer, where a date is better. */
function timeLeft(locale: string, ms: number): string | null {
  if (ms >= 24 * hour) return null;
  const format = new Intl.RelativeTimeFormat(locale);
  return ms < hour
    ? format.format(Math.max(1, Math.ceil(ms / minute)), "minute")
    : format.format(Math.round(ms / hour), "hour");
}
