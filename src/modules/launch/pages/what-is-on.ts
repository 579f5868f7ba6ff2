import type { MySession } from "../../attendance/show-my-attendance.ts";
import { type SessionWords, whenText } from "../../scheduling/pages/sessions-view.ts";

const minute = 60_000;
const hour = 60 * minute;

/** What is on for a learner at this moment, or comes next, in a sentence. */
export type WhatIsOn = {
  text: string;
  /** How long until it begins, where that is not far: "in 20 minutes"; null otherwise. */
  left: string | null;
  /** When it begins, for a script that keeps `left` up to date; null where there is nothing to keep. */
  startsAt: string | null;
};

/**
 * What is on, or comes next.
 * @param live A session that is on; null for none.
 * @param next The next one that is not cancelled; null for none.
 */
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

/** "in 20 minutes" in the words of a locale; null when it is a day or longer, which a date says better. */
function timeLeft(locale: string, ms: number): string | null {
  if (ms >= 24 * hour) return null;
  const format = new Intl.RelativeTimeFormat(locale);
  return ms < hour
    ? format.format(Math.max(1, Math.ceil(ms / minute)), "minute")
    : format.format(Math.round(ms / hour), "hour");
}
