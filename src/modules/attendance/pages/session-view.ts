import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import type { CourseWords } from "../../../web/course-words.ts";

export type SessionShown = {
  eventId: string;
  title: string;
  when: string;
  /** ISO 8601; null without a date. */
  at: string | null;
  /** Empty: for everybody. */
  sections: string;
  state: "deleted" | "cancelled" | "coming" | "live" | "over";
  counts: boolean;
};

export function sessionView(words: CourseWords, session: CourseSession, now: number): SessionShown {
  const { t, times } = words;
  const { startsAt } = session;
  return {
    eventId: session.eventId,
    title: session.title ?? t("review.untitled"),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
    at: startsAt === null ? null : new Date(startsAt).toISOString(),
    sections: sectionsText(words, session.sectionIds),
    state: stateOf(session, now),
    counts: session.counts,
  };
}

function stateOf(session: CourseSession, now: number): SessionShown["state"] {
  const { startsAt, endsAt, cancelled, deleted } = session;
  if (cancelled) return deleted === true ? "deleted" : "cancelled";
  if (startsAt !== null && startsAt > now) return "coming";
  return (endsAt ?? startsAt ?? 0) <= now ? "over" : "live";
}
