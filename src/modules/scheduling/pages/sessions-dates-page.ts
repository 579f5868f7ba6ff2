import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { courseTimes, dayText } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { comingSessions, sessionsAt } from "../plan-sessions.ts";
import { maxTitleLength, titleOf } from "../rules/course-session.ts";
import { isDayOff, maxOccurrences, type Occurrence, occurrencesOf } from "../rules/recurrence.ts";
import { cityOf, wallTimeOf } from "../rules/time-zone.ts";
import { linkedSpaces } from "../session-owners.ts";
import type { TimetableSession } from "../show-sessions.ts";
import { type DayKind, monthsView, inSpace, sectionsOfSession } from "./sessions-view.ts";
import type { PlanForm, PlanProblem, PlanRead } from "./sessions-plan-pages.ts";

export type SessionsDatesPage = PageOf<typeof datesModel>;

/** Shows all dates of a plan, so the instructor can check them before they are scheduled. */
export const datesPage = { view: defineView<SessionsDatesPage>("course/sessions-dates"), model: datesModel };

/** `none`: the form was sent without a chosen date. `batch`: null for a new one. */
type ChosenDates = {
  typed: PlanForm;
  plan: PlanRead;
  chosen: Occurrence[];
  none: boolean;
  batch: string | null;
  /** The day without class that was typed isn't a date. */
  wrongDay?: boolean;
};

/** Days that have a session to come, by the course's clock. */
export async function daysOfCourse(app: App, course: Course) {
  const zone = course.timeZone ?? "UTC";
  const days = (await comingSessions(app, course)).map(({ startsAt }) => wallTimeOf(startsAt, zone).date);
  return new Map<string, DayKind>(days.map((day) => [day, "session"]));
}

async function datesModel(
  app: App,
  { visit: { course }, words }: Pick<PageContext<"settings">, "visit" | "words">,
  about: ChosenDates,
) {
  const { t, now, number } = words;
  const { typed, plan, chosen, batch } = about;
  const { list, cut } = occurrencesOf(plan.times, plan.recurrence);
  const overlapped = await sessionsAt(app, course);
  const clashes = chosen.filter((one) => overlapped(one).length > 0);
  const kinds = await daysOfCourse(app, course);
  const daysOff = course.daysOff ?? [];
  const mark = (kind: DayKind, dates: readonly Occurrence[]) => {
    for (const { date } of dates) kinds.set(date, kind);
  };
  mark(
    "off",
    list.filter(({ date }) => isDayOff(daysOff, date)),
  );
  mark("new", chosen);
  mark("clash", clashes);
  const typedTimes = courseTimes({ timeZone: plan.times.timeZone }, t.locale);
  return {
    httpStatus: about.none ? 422 : 200,
    title: t("sessions.title", { course: courseNameOf(t, course) }),
    /** The form as hidden fields, one pair per value. */
    fields: fieldsOf(typed),
    name: firstName(course, plan, chosen),
    sections: sectionsOfSession(words, plan.sectionIds),
    space: inSpace(t, await linkedSpaces(app, course), course, plan.spaceId),
    counts: plan.counts,
    batch: batch ?? app.ids.secret(18),
    problem: wrongText(t, about),
    /** The zone that was typed. */
    typedZone: typedTimes.place(now),
    count: t("common.sessionCount", { count: chosen.length, number: number(chosen.length) }),
    /** The label of a button, or null if no date overlaps a session. */
    clashes:
      clashes.length === 0 ? null : t("sessions.plan.check.clashes", { count: number(clashes.length) }),
    daysOff: daysOff.map((each) => daysText(t, each)).join(" · "),
    months: monthsView(t, kinds),
    /** Why later dates are left out. */
    cut: cut === null ? null : t(`sessions.plan.check.cut.${cut}`, { most: maxOccurrences }),
    dates: list.map((each) => ({
      date: each.date,
      when: typedTimes.span(each.startsAt, each.endsAt),
      /** The time on the course's own clock, if that is in another zone. */
      here: plan.times.timeZone === course.timeZone ? null : hereText(words, each),
      taken: chosen.some(({ date }) => date === each.date),
      oddity: oddityText(t, each, plan.times.timeZone),
      marks: marksOf(words, course, each, overlapped(each)),
    })),
  };
}

/** A name such as "Lecture 1 of 12". */
function firstName(course: Course, { title }: PlanRead, chosen: readonly Occurrence[]): string {
  const [first] = chosen;
  const of = String(chosen.length);
  return titleOf(title, { number: "1", of, date: first?.date ?? "", course: course.title || course.label });
}

function wrongText(t: Translate, { none, wrongDay = false }: ChosenDates): string | null {
  if (none) return problemText(t, "none");
  return wrongDay ? problemText(t, "until") : null;
}

/** A date's marks: past, a day without class, and the sessions it overlaps. */
function marksOf(
  { t, now }: PageWords,
  { daysOff = [] }: Course,
  { startsAt, date }: Occurrence,
  overlapped: readonly Pick<TimetableSession, "title">[],
): string[] {
  return [
    ...(startsAt < now ? [t("sessions.plan.check.past")] : []),
    ...(isDayOff(daysOff, date) ? [t("sessions.plan.check.off")] : []),
    ...overlapped.map(({ title }) =>
      t("sessions.plan.check.overlaps", { title: title ?? t("sessions.untitled") }),
    ),
  ];
}

function hereText({ t, times }: PageWords, { startsAt, endsAt }: Occurrence): string {
  return t("label.value", { label: cityOf(times.zone), value: times.span(startsAt, endsAt) });
}

function daysText({ locale }: Translate, days: string): string {
  return days
    .split("/")
    .map((day) => dayText(locale, day))
    .join(" – ");
}

function oddityText(t: Translate, { oddity, startsAt }: Occurrence, timeZone: string): string | null {
  if (oddity === null) return null;
  return t(`sessions.plan.check.${oddity}`, { time: wallTimeOf(startsAt, timeZone).time });
}

function fieldsOf({ days, sections, counts, ...typed }: PlanForm): [string, string][] {
  return [
    ...Object.entries(typed),
    ...days.map((day): [string, string] => ["day", day]),
    ...sections.map((id): [string, string] => ["section", id]),
    ...(counts ? [["counts", "yes"] satisfies [string, string]] : []),
  ];
}

export function problemText(t: Translate, problem: PlanProblem): string {
  const limit = problem === "title" ? maxTitleLength : maxOccurrences;
  return t(`sessions.plan.problems.${problem}`, { most: limit });
}
