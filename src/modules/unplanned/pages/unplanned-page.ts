import { z } from "zod";
import type { App } from "../../../app.ts";
import { lateMinutes, presentShares, unplannedAnswers, type UnplannedRule } from "../../../domain/course.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { inList } from "../../../web/page-text.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import { showUnplanned, type SuggestedClass } from "../answer-class.ts";
import { strangersInClasses } from "../visits-of-space.ts";
import { sessionIdOf, type UnplannedClass } from "../rules/compare-classes.ts";

export const unplannedNews = z.object({
  what: z.enum(["made", "making", "taken-back", "dismissed", "already", "changed", "saved"]),
  /** The session's own column stays in the gradebook. */
  column: z.boolean().optional(),
});
export type UnplannedNews = z.infer<typeof unplannedNews>;

/** The page from which the reader comes. Null for the registers. */
export type UnplannedFields = { back: "home" | "sessions" | null };

export type UnplannedPage = PageOf<typeof unplannedModel>;

export async function unplannedModel(
  app: App,
  { visit: { course }, words, fields }: PageContext<"corrections", UnplannedFields>,
  news: UnplannedNews | null,
) {
  const { t, times, number, now } = words;
  const { unplanned: rule } = course;
  const [{ waiting, answered }, strangers] = await Promise.all([
    showUnplanned(app, course),
    strangersInClasses(app, course),
  ]);
  const count = strangers.length;
  const answer = { label: t("unplanned.rule.answer"), value: t(`unplanned.answers.${rule.answer}`) };
  return {
    back: fields.back,
    title: t("unplanned.title", { course: courseNameOf(t, course) }),
    notice: news === null ? null : noticeOf(t, news),
    zoneSentence: zoneText(t, course.timeZone, times, now),
    waiting: waiting.map((one) => waitingView(words, one)),
    answered: answered.map((one) => answeredView(words, one)),
    /** A link to match unknown users. Null if there are none. */
    strangers: count === 0 ? null : t("unplanned.strangers", { count, number: number(count) }),
    rule: t("unplanned.rule.sum", { share: rule.presentFrom, minutes: rule.lateAfter }),
    /** If the institution has set it for all courses, its answer as text. Null if the course chooses. */
    locked: isLocked(course, "unplanned") ? t("label.value", answer) : null,
    fields: ruleFields(t, rule),
  };
}

type Option = { value: string; label: string; chosen: boolean };
type RuleField = { name: "answer" | "presentFrom" | "lateAfter"; label: string; options: Option[] };

/** A course's rule, or an institution's, as a form asks for it. */
export function ruleFields(t: Translate, { answer, presentFrom, lateAfter }: UnplannedRule): RuleField[] {
  const field = (
    name: RuleField["name"],
    chosen: string | number,
    options: { value: string | number; label: string }[],
  ): RuleField => ({
    name,
    label: t(`unplanned.rule.${name}`),
    options: options.map(({ value, label }) => ({ value: String(value), label, chosen: value === chosen })),
  });
  const answers = unplannedAnswers.map((value) => ({ value, label: t(`unplanned.answers.${value}`) }));
  const shares = presentShares.map((value) => ({
    value,
    label: t("unplanned.rule.share", { share: value }),
  }));
  const minutes = lateMinutes.map((value) => ({
    value,
    label: t("unplanned.rule.minutes", { minutes: value }),
  }));
  return [
    field("answer", answer, answers),
    field("presentFrom", presentFrom, shares),
    field("lateAfter", lateAfter, minutes),
  ];
}

/** For the change log. */
export function ruleText(t: Translate, { answer, presentFrom, lateAfter }: UnplannedRule): string {
  const rule = t("unplanned.rule.sum", { share: presentFrom, minutes: lateAfter });
  return `${t("unplanned.heading")}: ${t(`unplanned.answers.${answer}`)}. ${rule}`;
}

function classView({ t, times, number, iso }: PageWords, { id, startsAt, endsAt, learners }: UnplannedClass) {
  return {
    id,
    from: startsAt,
    to: endsAt,
    when: times.span(startsAt, endsAt),
    startsAt: iso(startsAt),
    endsAt: iso(endsAt),
    people: t("unplanned.people", { count: learners, number: number(learners) }),
  };
}

function answeredView(words: PageWords, one: UnplannedClass) {
  const made = one.state === "class" ? sessionIdOf(one) : null;
  return {
    ...classView(words, one),
    text: words.t(`unplanned.states.${one.state === "waiting" ? "none" : one.state}`),
    /** Leads to its register. Null if it isn't a session. */
    eventId: one.state === "planned" ? one.eventId : made,
    /** A planned session took its place, so there is nothing to take back. */
    isPlanned: one.state === "planned",
    /** It's still being made, or taken back. */
    open: one.settled !== one.state,
  };
}

function waitingView(words: PageWords, one: SuggestedClass) {
  const { t, times } = words;
  const clockOf = (at: number) => wallTimeOf(at, times.zone).time;
  return {
    ...classView(words, one),
    /** A text such as "22 present, 2 late and 3 absent". */
    suggested: suggestedText(words, one),
    /** Nobody of the course's staff was known to be there. */
    stranger: one.led === "stranger",
    began: clockOf(one.startsAt),
    ended: clockOf(one.endsAt),
    postponed: one.postponed.map(({ eventId, title, startsAt }) => {
      const when = startsAt === null ? "" : times.clock(startsAt);
      const session = title ?? t("unplanned.sessionTitle");
      return { eventId, text: t("unplanned.postponed", { session, when }) };
    }),
  };
}

function suggestedText({ t, number }: PageWords, { suggested }: SuggestedClass): string {
  const parts = (["PRESENT", "LATE", "ABSENT"] as const)
    .filter((status) => suggested[status] > 0)
    .map((status) => t(`register.counts.${status}`, { number: number(suggested[status]) }));
  return inList(t, parts);
}

const warnings: ReadonlySet<UnplannedNews["what"]> = new Set(["already", "changed"]);

function noticeOf(t: Translate, { what, column = false }: UnplannedNews): Notice {
  const sentence = t(`unplanned.news.${what}`);
  const text = column ? `${sentence} ${t("unplanned.columnStays")}` : sentence;
  return { tone: warnings.has(what) ? "warning" : "good", text };
}
