import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { type CoursePages, noFields, type ReadPage } from "../../../web/course-pages.ts";
import { weekdayNames } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import { type PageContext, showPage } from "../../../web/declared-page.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { defineView } from "../../../web/view.ts";
import { linkedSpaces } from "../session-owners.ts";
import { leaveOutDates, planSessions } from "../plan-sessions.ts";
import {
  endOf,
  isDayOff,
  isTime,
  occurrencesOf,
  weekdays,
  maxOccurrences,
  type Recurrence,
  type SeriesEnd,
  type Weekday,
} from "../rules/recurrence.ts";
import { cityWithOffset, proposedStart, timeZones, type WallTime, zoneOfCity } from "../rules/time-zone.ts";
import { showSessions } from "../show-sessions.ts";
import { wholeNumber, cutTo, isDate, showsNothing } from "../../../kernel/text.ts";
import { monthsView, linkedSpaceName, sectionChoices } from "./sessions-view.ts";
import { datesPage, daysOfCourse, problemText } from "./sessions-dates-page.ts";
import { firstPages, type SessionsLink, sessionsList } from "./sessions-page.ts";
import { maxTitleLength } from "../rules/course-session.ts";

/** The form as it was typed. Every field is text. */
export type PlanForm = ReturnType<typeof planFormOf>;

/** Each problem has its message's name. */
export type PlanProblem =
  | "title"
  | "date"
  | "time"
  | "zone"
  | "minutes"
  | "interval"
  | "count"
  | "until"
  | "sections"
  | "space"
  | "none"
  | "empty";

export type PlanRead = NonNullable<ReturnType<typeof readPlanForm>["plan"]>;

const text = (longest: number) =>
  z
    .string()
    .transform((value) => cutTo(value.trim(), longest))
    .catch("");
/** A field that a form may have several times. */
export const texts = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .catch([])
  .transform((all) => all.slice(0, 500));

/** Whether the form was sent. If so, a box that isn't ticked means "no". */
const formShape = z.object({
  title: text(maxTitleLength + 1),
  date: text(20),
  time: text(20),
  /** A city, as `cityWithOffset` writes it, or an IANA name. Empty: the course's zone. */
  zone: text(80),
  minutes: text(10),
  repeats: z.enum(["once", "day", "week", "weekdays"]).catch("once"),
  interval: text(10),
  day: texts,
  end: z.enum(["count", "until"]).catch("count"),
  count: text(10),
  until: text(20),
  who: z.enum(["all", "some"]).catch("all"),
  section: texts,
  counts: z.string().optional().catch(undefined),
  space: text(200),
});

const anyForm = formShape.catch(formShape.parse({}));

/** Missing and malformed fields become empty. */
export function planFormOf(body: unknown) {
  const { day, section, counts, ...fields } = anyForm.parse(body);
  return {
    ...fields,
    days: weekdays.filter((each) => day.includes(each)),
    sections: section,
    counts: counts !== undefined,
  };
}

/** A new form, with the first date's weekday ticked. */
export function freshPlanForm({ date, time }: WallTime, title: string, zone: string): PlanForm {
  const usual = { minutes: "60", interval: "1", count: "10", counts: true, days: [dayOf(date)] };
  return { ...planFormOf({}), ...usual, title, date, time, zone };
}

/** `known`: the ids of the course's sections, and of its Spaces besides its own. */
export function readPlanForm(
  form: PlanForm,
  timeZone: string,
  known: { sections: readonly string[]; spaces: readonly string[] },
) {
  const sectionIds = form.who === "all" ? [] : form.sections.filter((id) => known.sections.includes(id));
  const minutes = wholeNumber(form.minutes);
  const zone = form.zone === "" ? timeZone : zoneOfCity(form.zone);
  const checks: [PlanProblem, boolean][] = [
    ["title", !showsNothing(form.title) && form.title.length <= maxTitleLength],
    ["date", isDate(form.date)],
    ["time", isTime(form.time)],
    ["zone", zone !== null],
    ["minutes", minutes >= 1 && minutes <= 1_440],
    ...(form.repeats === "once" ? [] : checksOfSeries(form)),
    ["sections", form.who === "all" || sectionIds.length > 0],
    ["space", form.space === "" || known.spaces.includes(form.space)],
  ];
  const problems = checks.filter(([, holds]) => !holds).map(([name]) => name);
  if (problems.length > 0 || zone === null) return { plan: null, problems };
  const { title, date, time, counts } = form;
  const times = { date, time, minutes, timeZone: zone };
  const spaceId = form.space === "" ? null : form.space;
  return {
    plan: { title, times, recurrence: recurrenceOf(form), sectionIds, counts, spaceId },
    problems: null,
  };
}

function checksOfSeries(form: PlanForm): [PlanProblem, boolean][] {
  const interval = wholeNumber(form.interval);
  const count = wholeNumber(form.count);
  return [
    ["interval", form.repeats === "weekdays" || (interval >= 1 && interval <= 52)],
    form.end === "count"
      ? ["count", count >= 1 && count <= maxOccurrences]
      : ["until", isDate(form.until) && form.until >= form.date],
  ];
}

function recurrenceOf(form: PlanForm): Recurrence {
  const interval = wholeNumber(form.interval);
  const end: SeriesEnd =
    form.end === "count"
      ? { kind: "count", count: wholeNumber(form.count) }
      : { kind: "until", date: form.until };
  switch (form.repeats) {
    case "once":
      return { every: "once" };
    case "day":
      return { every: "day", interval, end };
    case "weekdays":
      return { every: "week", interval: 1, days: weekdays.slice(0, 5), end };
    case "week":
      return { every: "week", interval, days: form.days.length > 0 ? form.days : [dayOf(form.date)], end };
  }
}

function dayOf(date: string): Weekday {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekdays[(day + 6) % 7] ?? "MO";
}

export type SessionsPlanPage = PageOf<typeof planModel>;

const planPage = { view: defineView<SessionsPlanPage>("course/sessions-plan"), model: planModel };

const takenShape = z.object({
  /** clashes, off: leaves dates out and shows the rest again. */
  act: z.enum(["preview", "make", "back", "clashes", "off", "forget"]).catch("back"),
  offFrom: z.string().catch(""),
  offTo: z.string().catch(""),
  /** Chosen when the dates are first shown, so pressing twice plans only once. */
  batch: z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .nullable()
    .catch(null),
  take: texts,
});

type PostedPlan = z.infer<typeof takenShape> & { typed: PlanForm };

/**
 * For instructors: the form, then all dates to check (/dates), then the planning. The form travels with every step, and
 * nothing is stored before the instructor has seen the dates. @returns the form's page.
 */
export function addPlanPages(app: App, pages: CoursePages, list: SessionsLink): ReadPage<never> {
  const who = "settings";
  const form = { maxBytes: 128 * 1024, maxFields: 2_000 };
  const path = "/course/sessions/plan";
  const planForm = pages.read(path, { who, fields: noFields, form, isForm: true }, (context) => {
    const { visit, typed } = context;
    if (visit.course.timeZone === null)
      return showPage(app, { ...context, fields: { ...firstPages, toPlan: true } }, sessionsList, null);
    return showPage(
      app,
      context,
      planPage,
      typed === null ? null : { form: planFormOf(typed.posted), isTyped: true },
    );
  });
  const posts = {
    who,
    form,
    fields: (posted: unknown): PostedPlan => ({ ...takenShape.parse(posted), typed: planFormOf(posted) }),
  } as const;
  pages.change(`${path}/dates`, { ...posts, takes: ({ act }) => act !== "preview" }, async (context) => {
    const { visit } = context;
    const { act, batch, take, typed } = context.fields;
    const { timeZone } = visit.course;
    if (timeZone === null) return list.after({}, null);
    if (act === "back") {
      const stored = await app.sessions.typed.latest(visit.session, path);
      return stored === null ? showPage(app, context, planPage, { form: typed }) : planForm.after({}, null);
    }
    const { plan, dates, problems } = await readTyped(app, visit, typed, timeZone);
    if (plan === null) return showPage(app, context, planPage, { form: typed, problems });
    const chosen = dates.filter(({ date }) => take.includes(date));
    if (act !== "make") {
      const less = await leaveOutDates(app, visit.course, context.fields, chosen);
      const seen = { ...context, visit: { ...visit, course: less.course } };
      return showPage(app, seen, datesPage, { typed, plan, batch, none: false, ...less });
    }
    if (chosen.length === 0 || batch === null)
      return showPage(app, context, datesPage, { typed, plan, chosen, none: true, batch });
    const { times: _times, recurrence, ...about } = plan;
    const requested = { ...about, batch, occurrences: chosen, repeats: recurrence.every !== "once" };
    const count = await planSessions(app, visit.course, visit.session.personId, requested);
    await app.sessions.typed.drop(visit.session, path);
    return list.after({}, { what: "planned", count });
  });
  pages.typed(`${path}/dates`, { ...posts, typedAt: path }, async (context) => {
    const { visit, fields, typed: stored } = context;
    const { timeZone } = visit.course;
    if (timeZone === null) return showPage(app, { ...context, fields: firstPages }, sessionsList, null);
    const { typed } = fields;
    const { plan, dates, problems } = await readTyped(app, visit, typed, timeZone);
    if (plan === null) return showPage(app, context, planPage, { form: typed, problems });
    const batch = stored?.name ?? null;
    const { daysOff = [] } = visit.course;
    const now = app.clock.now();
    const chosen = dates.filter(({ startsAt, date }) => startsAt >= now && !isDayOff(daysOff, date));
    return showPage(app, context, datesPage, { typed, plan, chosen, none: false, batch });
  });
  return planForm;
}

/** Reads the form: its plan with dates, or what is wrong with it. */
async function readTyped(app: App, { course }: InstructorVisit, typed: PlanForm, timeZone: string) {
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const spaces = await linkedSpaces(app, course);
  const { plan, problems } = readPlanForm(typed, timeZone, {
    sections: sections.map(({ lmsSectionId }) => lmsSectionId),
    spaces: spaces.map(({ spaceId }) => spaceId),
  });
  const dates = plan === null ? [] : occurrencesOf(plan.times, plan.recurrence).list;
  if (plan === null || dates.length === 0)
    return { plan: null, dates: null, problems: problems ?? ["empty"] };
  return { plan, dates, problems: null };
}

/** `problems` have their messages' names. `isTyped`: the form is shown again and isn't saved. */
type TypedPlan = { form: PlanForm; problems?: readonly PlanProblem[]; isTyped?: boolean };

type SettingsContext = Pick<PageContext<"settings">, "visit" | "words">;

/** @param typed Null for a new form. */
async function planModel(app: App, { visit: { course }, words }: SettingsContext, typed: TypedPlan | null) {
  const { t, now } = words;
  const names = weekdayNames(t, "long");
  const { form, problems = [], isTyped = false } = typed ?? { form: await freshForm(app, course, words) };
  const spaces = await linkedSpaces(app, course);
  return {
    httpStatus: problems.length > 0 ? 422 : 200,
    title: t("sessions.title", { course: courseNameOf(t, course) }),
    form,
    isTyped,
    /** Whether the classroom later accepts a new time from us. */
    moves: app.classroomOf(course.environment).updateEvent !== null,
    problems: Object.fromEntries(problems.map((name) => [name, problemText(t, name)])),
    ends: isTime(form.time) ? endOf(form.time, wholeNumber(form.minutes)) : "",
    months: monthsView(t, await daysOfCourse(app, course), form.date),
    zones: timeZones().map((zone) => cityWithOffset(zone, now)),
    weekdays: weekdays.map((day, at) => ({ day, name: names[at] ?? day })),
    sections: sectionChoices(words, form.sections),
    spaces: spaces.map((space) => ({ id: space.spaceId, label: linkedSpaceName(t, space) })),
  };
}

async function freshForm(app: App, course: Course, { t, times, now }: PageWords): Promise<PlanForm> {
  const { live, next, past } = await showSessions(app, course);
  const starts = [...live, ...next, ...past]
    .filter(({ state }) => state !== "cancelled")
    .flatMap(({ startsAt }) => (startsAt === null ? [] : [startsAt]));
  const zone = course.timeZone ?? times.zone;
  return freshPlanForm(proposedStart(starts, now, zone), t("sessions.untitled"), cityWithOffset(zone, now));
}
