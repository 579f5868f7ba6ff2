import type { Course } from "../../../domain/course.ts";
import { mayStart } from "../../check-in/rules/check-in.ts";
import type { AttentionItem, AttentionKind } from "../../courses/rules/course.ts";
import type { GradeSummary } from "../../grading/show-grades.ts";
import { lastRegisters, type NextClass } from "../home.ts";
import type { FirstStep } from "../set-up.ts";
import {
  sectionsOfSession,
  type SessionLine,
  sessionLine,
  whenText,
} from "../../scheduling/pages/sessions-view.ts";
import type { CourseTimetable, TimetableSession } from "../../scheduling/show-sessions.ts";
import type { PageWords } from "../../../web/course-words.ts";
import type { IconName } from "../../../web/page-parts.ts";
import { inList, isolated } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { dayMs, hourMs, minuteMs } from "../../../kernel/clock.ts";

/** What a home begins with: the session that is on, or the next one. */
export function whatIsOn(
  words: PageWords,
  session: Pick<TimetableSession, "title" | "startsAt" | "endsAt">,
  live: boolean,
) {
  const { t, iso, now } = words;
  const { title, startsAt, endsAt } = session;
  return {
    title: title ?? t("sessions.untitled"),
    live,
    when: whenText(words, session),
    startsAt: startsAt === null ? null : iso(startsAt),
    endsAt: endsAt === null ? null : iso(endsAt),
    /** A text like "in 20 minutes". Null if the session is on or far away. */
    left: live || startsAt === null ? null : timeLeft(t.locale, startsAt - now),
  };
}

export function heroView(words: PageWords, next: NextClass, { checksIn }: { checksIn: boolean }) {
  const { t, now } = words;
  const [first] = next.classes;
  const waiting = next.waiting === 0 ? null : t("home.waiting", { count: next.waiting });
  if (first === undefined) return { session: null, waiting };
  const { session, live, expected, beenIn } = first;
  const startsCheckIn = checksIn && mayStart({ ...session, cancelled: session.state === "cancelled" }, now);
  return {
    session: {
      ...whatIsOn(words, session, live),
      expected: expectedText(words, session.sectionIds, expected),
      /** Value of the list's section filter: empty for everybody. Null if nobody is expected. */
      seeWho: expected === 0 ? null : sectionChosen(session.sectionIds),
      beenIn: !live || beenIn === 0 ? null : t("home.sessions.beenIn", { count: beenIn }),
      /** The session whose check-in may be shown now, or null. */
      checkIn: startsCheckIn ? session.eventId : null,
    },
    waiting,
  };
}

/** Further sessions that are on, then those to come, without the ones at the top of the page. */
export function comingView(
  words: PageWords,
  next: NextClass,
  { live, next: coming }: Pick<CourseTimetable, "live" | "next">,
): SessionLine[] {
  const first = next.classes[0]?.session;
  return [
    ...live.map((session) => ({ session, live: true })),
    ...coming.map((session) => ({ session, live: false })),
  ]
    .filter(({ session }) => session !== first)
    .slice(0, maxComing)
    .map((one) => sessionLine(words, one.session, one.live));
}

const maxComing = 3;

/** The list of people can filter by one section only. */
function sectionChosen(sectionIds: readonly string[]): string {
  const [only = "", ...others] = sectionIds;
  return others.length === 0 ? only : "";
}

function expectedText(words: PageWords, sectionIds: readonly string[], count: number): string {
  const { t } = words;
  const sections = sectionsOfSession(words, sectionIds);
  if (sections !== null) return t("home.sessions.expectedOf", { count, sections });
  return count === 0 ? t("home.sessions.expectedNone") : t("home.sessions.expected", { count });
}

/**
 * Grades as one number, with the share of each state. Grades left to the instructor are in the gradebook, too.
 * @param asks Whether an item that needs attention is about all grades.
 */
export function gradesView(
  { t, number: numberText, wording }: PageWords,
  { policy }: Pick<Course, "policy">,
  { counts }: Pick<GradeSummary, "counts">,
  asks: boolean,
) {
  const parts = (
    [
      { key: "sent", tone: "good", number: counts.delivered + counts.left },
      { key: "sending", tone: "info", number: counts.waiting },
      { key: "need", tone: "wait", number: counts.held + counts.refused },
      { key: "none", tone: "none", number: counts.idle },
    ] as const
  ).map(({ key, tone, number }) => ({ tone, number, text: t(`home.grades.parts.${key}`) }));
  const [sent, sending, need] = parts.map(({ number }) => number);
  const all = parts.reduce((sum, { number }) => sum + number, 0);
  if (all === 0) return { none: t(policy.kind === "no-grades" ? "home.grades.off" : "grades.none") };
  let from = 0;
  const shares = parts
    .filter(({ number }) => number > 0)
    .map((part) => {
      const share = { ...part, from, width: (100 * part.number) / all };
      from += share.width;
      return share;
    });
  return {
    none: null,
    number: numberText(sent ?? 0),
    of: t(`home.grades.of.${wording}`, { all: numberText(all) }),
    pill: pillOf(t, { sending: sending ?? 0, need: asks ? all : (need ?? 0) }),
    shares,
    spoken: inList(
      t,
      shares.map(({ number, text }) => `${numberText(number)} ${text}`),
    ),
  };
}

function pillOf(t: Translate, { sending, need }: { sending: number; need: number }) {
  if (need > 0) return { tone: "wait", text: t("home.grades.pill.need") } as const;
  if (sending > 0) return { tone: "info", text: t("home.grades.pill.sending") } as const;
  return { tone: "good", text: t("home.grades.pill.fine") } as const;
}

/** Pages of the steps that have a page. */
const stepPages = { sessions: "/sessions/plan", grading: "/set-up", settings: "/set-up" } as const;
const hasPage = (name: FirstStep["name"]): name is keyof typeof stepPages => name in stepPages;

export function stepsView({ t, wording }: PageWords, steps: readonly FirstStep[] | null) {
  if (steps === null) return null;
  const done = steps.filter((step) => step.done);
  const open = steps.filter((step) => !step.done);
  return {
    progress: t("home.steps.progress", { done: done.length, all: steps.length }),
    width: (100 * done.length) / steps.length,
    done: done.map(({ name }) => t(`home.steps.items.${name}`)),
    open: open.map(({ name }) => ({
      text: t(`home.steps.items.${name}`),
      hint: name !== "classroom" && name !== "column" ? null : t(`home.steps.hints.${name}`),
      how: name !== "learner" ? null : t(`home.steps.try.${wording}`),
      lead: hasPage(name) ? { to: stepPages[name], text: t(`home.steps.acts.${name}`) } : null,
    })),
  };
}

/** For each item: its icon, where its button leads, and further fields of its form. */
const attentionLinks: Readonly<
  Record<AttentionKind, { icon: IconName; action: string; fields?: Readonly<Record<string, string>> }>
> = {
  "space-refused": { icon: "lock", action: "/settings/space" },
  "space-not-own": { icon: "lock", action: "/settings/space" },
  "space-elsewhere": { icon: "globe", action: "/settings/space" },
  "event-no-show": { icon: "people", action: "/alerts" },
  "event-declined": { icon: "calendar", action: "/alerts" },
  "scores-overdue": { icon: "clock", action: "/grades", fields: { state: "waiting" } },
  "scores-refused": { icon: "grades", action: "/grades", fields: { state: "refused" } },
  "column-missing": { icon: "grades", action: "/grades" },
  "column-offered": { icon: "grades", action: "/grades" },
  "column-emptied": { icon: "grades", action: "/grades" },
  "column-without-points": { icon: "grades", action: "/grades" },
  "column-second": { icon: "grades", action: "/grades" },
  "cohort-deleted": { icon: "people", action: "/people" },
  "sessions-stuck": { icon: "calendar", action: "/sessions" },
  "class-unplanned": { icon: "attendance", action: "/unplanned", fields: { back: "home" } },
  "session-ended": { icon: "calendar", action: "/register" },
  "attendance-open": { icon: "attendance", action: "/register" },
  "words-open": { icon: "people", action: "/register" },
  "scores-kept": { icon: "grades", action: "/grades" },
  "scores-held": { icon: "grades", action: "/grades", fields: { state: "held" } },
  unmatched: { icon: "people", action: "/unmatched" },
  "roster-unreadable": { icon: "people", action: "/people" },
  "alert-other": { icon: "alert", action: "/alerts" },
  "invited-only": { icon: "mail", action: "/people" },
  "recordings-ready": { icon: "play", action: "/recordings" },
};

export function isSeenWithout(areas: readonly string[], { kind }: AttentionItem): boolean {
  const { action } = attentionLinks[kind];
  if (action === "/unmatched" || action === "/register" || action === "/unplanned")
    return !areas.includes("attendance");
  return action !== "/grades" || !areas.includes("grades");
}

const tones = { now: "bad", soon: "wait", know: "info" } as const;

export function attentionView(
  { t, times }: PageWords,
  { kind, urgency, number, name, at, until, eventId, register, recordings = [] }: AttentionItem,
) {
  const { icon, action, fields = {} } = attentionLinks[kind];
  const when = at === null ? t("common.timeUnknown") : times.span(at, until ?? null);
  return {
    icon,
    tone: tones[urgency],
    text: t(`home.attention.items.${kind}`, {
      count: number,
      name: isolated(t, name ?? t(`home.attention.${unnamedOf(kind)}`)),
      when,
    }),
    detail:
      register === undefined
        ? null
        : t("home.attention.recorded", { recorded: register.recorded, expected: register.expected, when }),
    recordings: recordings.map((one) => recordingView(t, one, times.text(one.at))),
    act: t(`home.attention.acts.${kind}`),
    action,
    fields: eventId === undefined ? fields : { event: eventId },
  };
}

/** Links to the registers of the last sessions, without those that an item above links to. */
export function lastRegistersView(
  { t, times }: PageWords,
  timetable: Pick<CourseTimetable, "past">,
  attention: readonly AttentionItem[],
) {
  const listed = new Set(attention.map(({ eventId }) => eventId));
  return lastRegisters(timetable).flatMap(({ eventId, title, startsAt }) => {
    if (listed.has(eventId)) return [];
    const session = isolated(t, title ?? t("sessions.untitled"));
    const when = startsAt === null ? t("common.timeUnknown") : times.date(startsAt);
    const text = t("alerts.session", { title: session, when });
    return [{ eventId, text, label: t("register.openLabel", { session, when }) }];
  });
}

/** A recording with its button. */
export type ToPublish = { t: Translate; session: string; one: ReturnType<typeof recordingView> };

function recordingView(
  t: Translate,
  { recordingId, revision, name }: NonNullable<AttentionItem["recordings"]>[number],
  when: string,
) {
  const label =
    name === null
      ? t("recordings.untitled", { when })
      : t("alerts.session", { title: isolated(t, name), when });
  return { recordingId, revision, label, publish: t("recordings.publishNamed", { title: label }) };
}

function unnamedOf(kind: AttentionKind): "event" | "cohort" | "recording" {
  if (kind.startsWith("cohort")) return "cohort";
  return kind === "recordings-ready" ? "recording" : "event";
}

/** A text like "in 20 minutes". Null for a day or longer, for which a date is better. */
function timeLeft(locale: string, ms: number): string | null {
  if (ms >= dayMs) return null;
  const format = new Intl.RelativeTimeFormat(locale);
  return ms < hourMs
    ? format.format(Math.max(1, Math.ceil(ms / minuteMs)), "minute")
    : format.format(Math.round(ms / hourMs), "hour");
}
