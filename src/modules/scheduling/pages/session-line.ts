import type { Tone } from "../../../web/page-parts.ts";
import type { ShownSession } from "../show-sessions.ts";
import { forWhom, type SessionWords, whenText } from "./sessions-view.ts";

/** A session on one line: a badge of its day, its title, its hours. */
export type SessionLine = {
  key: string;
  title: string;
  /** Null without a time. */
  day: { weekday: string; day: string; month: string } | null;
  /** "10:00–11:30"; with its days where it ends on another one. */
  hours: string;
  /** ISO 8601; null when unknown. */
  startsAt: string | null;
  endsAt: string | null;
  /** Null for the whole course. */
  forWhom: string | null;
  /** Null for an ordinary one. */
  state: { tone: Tone; text: string } | null;
};

/** @param live Whether it is on now. */
export function sessionLine(words: SessionWords, session: ShownSession, live: boolean): SessionLine {
  const { t, times } = words;
  const { startsAt, endsAt, title, key, sectionIds } = session;
  return {
    key,
    title: title ?? t("sessions.untitled"),
    day:
      startsAt === null
        ? null
        : {
            weekday: times.weekday(startsAt),
            day: times.dayOfMonth(startsAt),
            month: times.shortMonth(startsAt),
          },
    hours: hoursText(words, session),
    startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
    forWhom: forWhom(words, sectionIds),
    state: live ? { tone: "good", text: t("home.live") } : stateOf(words, session),
  };
}

/** The day is in the badge; it is said again where the session ends on another one. */
function hoursText(words: SessionWords, session: ShownSession): string {
  const { times } = words;
  const { startsAt, endsAt } = session;
  if (startsAt === null) return whenText(words, session);
  if (endsAt === null) return times.clock(startsAt);
  if (times.date(startsAt) !== times.date(endsAt)) return whenText(words, session);
  return `${times.clock(startsAt)}–${times.clock(endsAt)}`;
}

function stateOf({ t }: SessionWords, { state, deleted }: ShownSession): SessionLine["state"] {
  switch (state) {
    case "there":
      return null;
    case "cancelled":
      return { tone: "free", text: t(`sessions.state.${deleted === true ? "deleted" : state}`) };
    case "failed":
    case "not-changed":
    case "unknown":
      return { tone: "bad", text: t(`sessions.state.${state}`) };
    default:
      return { tone: "info", text: t(`sessions.state.${state}`) };
  }
}
