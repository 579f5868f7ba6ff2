import type { AttentionItem, AttentionKind } from "../../courses/rules/attention.ts";
import type { Course } from "../../../domain/course.ts";
import { needsSomebody, type ScoreCounts, scoreStates } from "../../grading/rules/score-state.ts";
import type { ClassNow, NextClass } from "../show-next-class.ts";
import type { GradeSummary } from "../../grading/show-grade-summary.ts";
import { forWhom, type SessionWords, whenText } from "../../scheduling/pages/sessions-view.ts";
import type { Translate } from "../../../web/translate.ts";

export function nextClassView(words: SessionWords, course: Pick<Course, "timeZone">, next: NextClass) {
  const { t, times } = words;
  return {
    heading: t(next.classes.some(({ live }) => live) ? "home.sessions.live" : "home.sessions.next"),
    classes: next.classes.map((one) => classView(words, one)),
    zone:
      course.timeZone === null ? t("home.sessions.zoneUtc") : t("home.sessions.zone", { zone: times.zone }),
    waiting: next.waiting === 0 ? null : t("home.waiting", { count: next.waiting }),
  };
}

function classView(words: SessionWords, { session, live, expected, beenIn }: ClassNow) {
  const { t } = words;
  return {
    title: session.title ?? t("sessions.untitled"),
    when: whenText(words, session),
    startsAt: session.startsAt === null ? null : new Date(session.startsAt).toISOString(),
    expected: expectedText(words, session.sectionIds, expected),
    /** Value of the list's section filter: empty for all; null when nobody is expected. */
    seeWho: expected === 0 ? null : sectionChosen(session.sectionIds),
    beenIn: live ? beenInText(t, beenIn) : null,
  };
}

/** The list of people filters by one section, not by several. */
function sectionChosen(sectionIds: readonly string[]): string {
  const [only = "", ...others] = sectionIds;
  return others.length === 0 ? only : "";
}

function expectedText(words: SessionWords, sectionIds: readonly string[], count: number): string {
  const { t } = words;
  const sections = forWhom(words, sectionIds);
  if (sections !== null) return t("home.sessions.expectedOf", { count, sections });
  return count === 0 ? t("home.sessions.expectedNone") : t("home.sessions.expected", { count });
}

function beenInText(t: Translate, count: number): string {
  return count === 0 ? t("home.sessions.beenInNone") : t("home.sessions.beenIn", { count });
}

/** `state`: a class that colours the sentence. */
export function gradesBadge(
  t: Translate,
  { policy }: Pick<Course, "policy">,
  { counts }: Pick<GradeSummary, "counts">,
): { state: "delivered" | "waiting" | "refused" | "idle"; text: string } {
  const count = totalOf(counts);
  if (count.all === 0)
    return { state: "idle", text: t(policy.kind === "no-grades" ? "home.grades.off" : "home.grades.none") };
  if (count.need > 0) return { state: "refused", text: t("home.grades.need", { count: count.need }) };
  if (counts.waiting > 0) return { state: "waiting", text: t("home.grades.wait", { count: counts.waiting }) };
  return { state: "delivered", text: t("home.grades.fine", { count: count.all }) };
}

/** What was left to the instructor's grade is in the gradebook, too. */
function totalOf(counts: ScoreCounts) {
  const sum = (wanted: (state: (typeof scoreStates)[number]) => boolean) =>
    scoreStates.filter(wanted).reduce((total, state) => total + counts[state], 0);
  return { all: sum((state) => state !== "idle"), need: sum(needsSomebody) };
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
    "cohort-deleted": { action: "/people" },
    "sessions-stuck": { action: "/sessions" },
    "scores-held": { action: "/grades", fields: { state: "held" } },
    unmatched: { action: "/unmatched" },
    "roster-unreadable": { action: "/people" },
    "alert-other": { action: "/alerts" },
    "invited-only": { action: "/people" },
    "recordings-ready": { action: "/recordings" },
    "set-up": { action: "/set-up" },
  };

export function isSeenWithout(areas: readonly string[], { kind }: AttentionItem): boolean {
  const { action } = places[kind];
  if (action === "/unmatched") return !areas.includes("attendance");
  return action !== "/grades" || !areas.includes("grades");
}

export function attentionView(
  { t, times }: Pick<SessionWords, "t" | "times">,
  { kind, urgency, number, name, at }: AttentionItem,
) {
  const { action, fields = {} } = places[kind];
  return {
    urgency,
    text: t(`home.attention.items.${kind}`, {
      count: number,
      name: name ?? t(`home.attention.${unnamedOf(kind)}`),
      when: at === null ? t("home.attention.noTime") : times.text(at),
    }),
    act: t(`home.attention.acts.${kind}`),
    action,
    fields,
  };
}

function unnamedOf(kind: AttentionKind): "event" | "cohort" | "recording" {
  if (kind.startsWith("cohort")) return "cohort";
  return kind === "recordings-ready" ? "recording" : "event";
}
