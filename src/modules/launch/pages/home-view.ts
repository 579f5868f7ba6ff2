import type { Course } from "../../../domain/course.ts";
import type { LmsWording } from "../../../domain/lms-product.ts";
import type { MySession } from "../../attendance/show-attendance.ts";
import { mayStart } from "../../check-in/rules/check-in.ts";
import type { AttentionItem, AttentionKind } from "../../courses/rules/course.ts";
import type { GradeSummary } from "../../grading/show-grades.ts";
import type { NextClass } from "../home.ts";
import type { FirstStep } from "../set-up.ts";
import {
  sectionsOfSession,
  type SessionLine,
  sessionLine,
  type SessionWords,
  whenText,
} from "../../scheduling/pages/sessions-view.ts";
import type { CourseTimetable } from "../../scheduling/show-sessions.ts";
import type { IconName } from "../../../web/page-parts.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** The session that is on, else the next one, else none: what a home begins with. */
export function heroView(
  words: SessionWords,
  next: NextClass,
  now: number,
  { checksIn }: { checksIn: boolean },
) {
  const { t } = words;
  const [first] = next.classes;
  const waiting = next.waiting === 0 ? null : t("home.waiting", { count: next.waiting });
  if (first === undefined) return { session: null, waiting };
  const { session, live, expected, beenIn } = first;
  const left = live || session.startsAt === null ? null : timeLeft(t.locale, session.startsAt - now);
  return {
    session: {
      title: session.title ?? t("sessions.untitled"),
      live,
      /** "in 20 minutes"; null when it is on or far. */
      left,
      when: whenText(words, session),
      startsAt: session.startsAt === null ? null : new Date(session.startsAt).toISOString(),
      endsAt: session.endsAt === null ? null : new Date(session.endsAt).toISOString(),
      expected: expectedText(words, session.sectionIds, expected),
      /** Value of the list's section filter: empty for all; null when nobody is expected. */
      seeWho: expected === 0 ? null : sectionChosen(session.sectionIds),
      beenIn: live ? beenInText(t, beenIn) : null,
      /** Whose check-in may be shown now; null for none. */
      checkIn:
        checksIn && mayStart({ ...session, cancelled: session.state === "cancelled" }, now)
          ? session.eventId
          : null,
    },
    waiting,
  };
}

/** Further sessions that are on, then those to come, without what the page begins with. */
export function comingView(
  words: SessionWords,
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

/** The list of people filters by one section, not by several. */
function sectionChosen(sectionIds: readonly string[]): string {
  const [only = "", ...others] = sectionIds;
  return others.length === 0 ? only : "";
}

function expectedText(words: SessionWords, sectionIds: readonly string[], count: number): string {
  const { t } = words;
  const sections = sectionsOfSession(words, sectionIds);
  if (sections !== null) return t("home.sessions.expectedOf", { count, sections });
  return count === 0 ? t("home.sessions.expectedNone") : t("home.sessions.expected", { count });
}

function beenInText(t: Translate, count: number): string | null {
  return count === 0 ? null : t("home.sessions.beenIn", { count });
}

/**
 * Grades as one number, with the share of each state. What was left to the instructor's grade is in the gradebook, too.
 * @param asks Whether an item of the list beside is about all of them.
 */
export function gradesView(
  t: Translate,
  { policy }: Pick<Course, "policy">,
  { counts, asks }: Pick<GradeSummary, "counts"> & { asks: boolean },
  wording: LmsWording,
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
    number: numberText(t, sent ?? 0),
    of: t(`home.grades.of.${wording}`, { all: numberText(t, all) }),
    pill: pillOf(t, { sending: sending ?? 0, need: asks ? all : (need ?? 0) }),
    shares,
    spoken: inList(
      t,
      shares.map(({ number, text }) => `${numberText(t, number)} ${text}`),
    ),
  };
}

function pillOf(t: Translate, { sending, need }: { sending: number; need: number }) {
  if (need > 0) return { tone: "wait", text: t("home.grades.pill.need") } as const;
  if (sending > 0) return { tone: "info", text: t("home.grades.pill.sending") } as const;
  return { tone: "good", text: t("home.grades.pill.fine") } as const;
}

/** Of steps that have a page. */
const stepPlaces = { sessions: "/sessions/plan", grading: "/set-up", settings: "/set-up" } as const;
const isStepPlace = (name: FirstStep["name"]): name is keyof typeof stepPlaces => name in stepPlaces;

export function stepsView(t: Translate, steps: readonly FirstStep[] | null, wording: LmsWording) {
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
      lead: isStepPlace(name) ? { to: stepPlaces[name], text: t(`home.steps.acts.${name}`) } : null,
    })),
  };
}

/** Where an item's button leads, and what else its form carries. */
const places: Readonly<Record<AttentionKind, { action: string; fields?: Readonly<Record<string, string>> }>> =
  {
    "space-refused": { action: "/settings/space" },
    "space-elsewhere": { action: "/settings/space" },
    "space-not-own": { action: "/settings/space" },
    "event-no-show": { action: "/alerts" },
    "event-declined": { action: "/alerts" },
    "scores-overdue": { action: "/grades", fields: { state: "waiting" } },
    "scores-refused": { action: "/grades", fields: { state: "refused" } },
    "column-missing": { action: "/grades" },
    "column-offered": { action: "/grades" },
    "column-emptied": { action: "/grades" },
    "column-without-points": { action: "/grades" },
    "column-second": { action: "/grades" },
    "cohort-deleted": { action: "/people" },
    "sessions-stuck": { action: "/sessions" },
    "class-unplanned": { action: "/unplanned" },
    "session-ended": { action: "/register" },
    "attendance-open": { action: "/register" },
    "scores-held": { action: "/grades", fields: { state: "held" } },
    unmatched: { action: "/unmatched" },
    "roster-unreadable": { action: "/people" },
    "alert-other": { action: "/alerts" },
    "invited-only": { action: "/people" },
    "recordings-ready": { action: "/recordings" },
  };

export function isSeenWithout(areas: readonly string[], { kind }: AttentionItem): boolean {
  const { action } = places[kind];
  if (action === "/unmatched" || action === "/register" || action === "/unplanned")
    return !areas.includes("attendance");
  return action !== "/grades" || !areas.includes("grades");
}

const signs: Readonly<Record<AttentionKind, IconName>> = {
  "space-refused": "lock",
  "space-not-own": "lock",
  "space-elsewhere": "globe",
  "event-no-show": "people",
  "event-declined": "calendar",
  "scores-overdue": "clock",
  "scores-refused": "grades",
  "column-missing": "grades",
  "column-offered": "grades",
  "column-emptied": "grades",
  "column-without-points": "grades",
  "column-second": "grades",
  "cohort-deleted": "people",
  "sessions-stuck": "calendar",
  "class-unplanned": "attendance",
  "session-ended": "calendar",
  "attendance-open": "attendance",
  "scores-held": "grades",
  unmatched: "people",
  "roster-unreadable": "people",
  "alert-other": "alert",
  "invited-only": "mail",
  "recordings-ready": "play",
};

const tones = { now: "bad", soon: "wait", know: "info" } as const;

export function attentionView(
  { t, times }: Pick<SessionWords, "t" | "times">,
  { kind, urgency, number, name, at, until, eventId, register }: AttentionItem,
) {
  const { action, fields = {} } = places[kind];
  const when = at === null ? t("common.timeUnknown") : times.span(at, until ?? null);
  return {
    icon: signs[kind],
    tone: tones[urgency],
    text: t(`home.attention.items.${kind}`, {
      count: number,
      name: name ?? t(`home.attention.${unnamedOf(kind)}`),
      when,
    }),
    detail:
      register === undefined
        ? null
        : t("home.attention.recorded", { recorded: register.recorded, expected: register.expected, when }),
    act: t(`home.attention.acts.${kind}`, { left: number }),
    action,
    fields: eventId === undefined ? fields : { event: eventId },
  };
}

function unnamedOf(kind: AttentionKind): "event" | "cohort" | "recording" {
  if (kind.startsWith("cohort")) return "cohort";
  return kind === "recordings-ready" ? "recording" : "event";
}

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
function timeLeft(locale: string, ms: number): string | null {
  if (ms >= 24 * hour) return null;
  const format = new Intl.RelativeTimeFormat(locale);
  return ms < hour
    ? format.format(Math.max(1, Math.ceil(ms / minute)), "minute")
    : format.format(Math.round(ms / hour), "hour");
}
