import { z } from "zod";
import type { App } from "../../../app.ts";
import {
  lateMinutes,
  presentShares,
  unplannedAnswers,
  type UnplannedRule,
} from "../../../domain/unplanned-rule.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, courseWords, type CourseWords } from "../../../web/course-words.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import { showUnplanned, type SuggestedClass } from "../list-unplanned.ts";
import { strangersInClasses } from "../visits-of-space.ts";
import { sessionIdOf, type UnplannedClass } from "../rules/records.ts";

export const unplannedNews = z.object({
  what: z.enum(["made", "making", "taken-back", "dismissed", "already", "changed", "saved"]),
  /** The session's own column stays in the gradebook. */
  column: z.boolean().optional(),
});
export type UnplannedNews = z.infer<typeof unplannedNews>;

type Asked = {
  id: string;
  from: number;
  to: number;
  when: string;
  /** ISO 8601. */
  startsAt: string;
  endsAt: string;
  people: string;
};

type Option = { value: string; label: string; chosen: boolean };

export type UnplannedPage = CourseFrame & {
  notice: Notice | null;
  zone: string;
  zoneName: string;
  waiting: (Asked & {
    /** "22 present, 2 late and 3 absent" */
    suggested: string;
    /** None of the course's staff was known to be there. */
    stranger: boolean;
    /** Of a clock in the course's zone, such as "14:05". */
    began: string;
    ended: string;
    postponed: { eventId: string; text: string }[];
  })[];
  answered: (Asked & {
    /** What it is. */
    text: string;
    /** Of its register; null where it is no session. */
    eventId: string | null;
    /** A planned session took its place: there is nothing to take back. */
    isPlanned: boolean;
    /** It is still being made, or taken back. */
    open: boolean;
  })[];
  /** A link to match unknown users; null when there are none. */
  strangers: string | null;
  rule: string;
  /** The institution has set it for all courses: its answer as text; null where the course chooses. */
  locked: string | null;
  fields: RuleField[];
};

type RuleField = { name: "answer" | "presentFrom" | "lateAfter"; label: string; options: Option[] };

const view = defineView<UnplannedPage>("course/unplanned");

export async function unplannedPage(
  app: App,
  visit: InstructorVisit,
  news: UnplannedNews | null,
): Promise<PageAnswer> {
  const { course } = visit;
  const { unplanned: rule } = course;
  const [words, { waiting, answered }, strangers] = await Promise.all([
    courseWords(app, visit),
    showUnplanned(app, course),
    strangersInClasses(app, course),
  ]);
  const { t, times } = words;
  return page(view, {
    title: t("unplanned.title", { course: courseNameOf(t, course) }),
    notice: news === null ? null : noticeOf(t, news),
    zone: zoneText(t, course.timeZone, times, app.clock.now()),
    zoneName: times.zone,
    waiting: waiting.map((one) => waitingView(words, one)),
    answered: answered.map((one) => ({
      ...askedView(words, one),
      text: t(`unplanned.states.${one.state === "waiting" ? "none" : one.state}`),
      eventId: one.state === "planned" ? one.eventId : one.state === "class" ? sessionIdOf(one) : null,
      isPlanned: one.state === "planned",
      open: one.settled !== one.state,
    })),
    strangers:
      strangers.length === 0
        ? null
        : t("unplanned.strangers", {
            count: strangers.length,
            number: numberText(t, strangers.length),
          }),
    rule: t("unplanned.rule.sum", { share: rule.presentFrom, minutes: rule.lateAfter }),
    locked: isLocked(course, "unplanned")
      ? t("label.value", {
          label: t("unplanned.rule.answer"),
          value: t(`unplanned.answers.${rule.answer}`),
        })
      : null,
    fields: ruleFields(t, rule),
  });
}

/** A course's rule, or an institution's, as a form asks for it. */
export function ruleFields(t: Translate, { answer, presentFrom, lateAfter }: UnplannedRule): RuleField[] {
  const field = (
    name: RuleField["name"],
    chosen: string | number,
    options: { value: string | number; label: string }[],
  ): RuleField => ({
    ...{ name, label: t(`unplanned.rule.${name}`) },
    options: options.map(({ value, label }) => ({
      ...{ value: String(value), label, chosen: value === chosen },
    })),
  });
  const answers = unplannedAnswers.map((value) => ({ value, label: t(`unplanned.answers.${value}`) }));
  const shares = presentShares.map((value) => ({
    value,
    label: t("unplanned.rule.share", { share: value }),
  }));
  const minutes = lateMinutes.map((value) => ({
    ...{ value, label: t("unplanned.rule.minutes", { minutes: value }) },
  }));
  return [
    field("answer", answer, answers),
    field("presentFrom", presentFrom, shares),
    field("lateAfter", lateAfter, minutes),
  ];
}

/** For the trail of changes. */
export function ruleText(t: Translate, { answer, presentFrom, lateAfter }: UnplannedRule): string {
  const rule = t("unplanned.rule.sum", { share: presentFrom, minutes: lateAfter });
  return `${t("unplanned.heading")}: ${t(`unplanned.answers.${answer}`)}. ${rule}`;
}

function askedView({ t, times }: CourseWords, { id, startsAt, endsAt, learners }: UnplannedClass): Asked {
  return {
    ...{ id, from: startsAt, to: endsAt, when: times.span(startsAt, endsAt) },
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
    people: t("unplanned.people", { count: learners, number: numberText(t, learners) }),
  };
}

function waitingView(words: CourseWords, one: SuggestedClass): UnplannedPage["waiting"][number] {
  const { t, times } = words;
  const clockOf = (at: number) => wallTimeOf(at, times.zone).time;
  return {
    ...askedView(words, one),
    suggested: suggestedText(t, one),
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

function suggestedText(t: Translate, { suggested }: SuggestedClass): string {
  const parts = (["PRESENT", "LATE", "ABSENT"] as const)
    .filter((status) => suggested[status] > 0)
    .map((status) => t(`register.counts.${status}`, { number: numberText(t, suggested[status]) }));
  return inList(t, parts);
}

const mends: ReadonlySet<UnplannedNews["what"]> = new Set(["already", "changed"]);

function noticeOf(t: Translate, { what, column = false }: UnplannedNews): Notice {
  const said = t(`unplanned.news.${what}`);
  const text = column ? `${said} ${t("unplanned.columnStays")}` : said;
  return { tone: mends.has(what) ? "warning" : "good", text };
}
