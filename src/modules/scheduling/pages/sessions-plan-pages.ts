import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { type CoursePages, noFields, type ReadPage } from "../../../web/course-pages.ts";
import { weekdayNames } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import { type PageAsked, showPage } from "../../../web/declared-page.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { defineView } from "../../../web/view.ts";
import { linkedSpaces } from "../session-owners.ts";
import { leaveOutDates, planSessions } from "../plan-sessions.ts";
import { endOf, isDayOff, isTime, occurrencesOf, weekdays } from "../rules/recurrence.ts";
import { cityWithOffset, proposedStart, timeZones } from "../rules/time-zone.ts";
import { showSessions } from "../show-sessions.ts";
import { wholeNumber } from "../../../kernel/text.ts";
import { monthsView, linkedSpaceName, sectionChoices } from "./sessions-view.ts";
import { datesPage, daysOfCourse, problemText } from "./sessions-dates-page.ts";
import { firstPages, type SessionsLink, sessionsList } from "./sessions-page.ts";
import {
  freshPlanForm,
  type PlanForm,
  planFormOf,
  type PlanProblem,
  readPlanForm,
  texts,
} from "./sessions-plan-form.ts";

export type SessionsPlanPage = PageOf<typeof planModel>;

const planPage = { view: defineView<SessionsPlanPage>("course/sessions-plan"), model: planModel };

const takenShape = z.object({
  /** clashes, off: dates are left out, and seen again. */
  act: z.enum(["preview", "make", "back", "clashes", "off", "forget"]).catch("back"),
  offFrom: z.string().catch(""),
  offTo: z.string().catch(""),
  /** Chosen when the dates were first shown, so that pressing twice plans once. */
  batch: z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .nullable()
    .catch(null),
  take: texts,
});

type PostedPlan = z.infer<typeof takenShape> & { typed: PlanForm };

/**
 * For instructors: the form, then all dates to be checked (/dates), then planning. The form travels with every step;
 * nothing is stored before the dates were seen. @returns the form's page.
 */
export function addPlanPages(app: App, pages: CoursePages, list: SessionsLink): ReadPage<never> {
  const who = "settings";
  const form = { maxBytes: 128 * 1024, maxFields: 2_000 };
  const path = "/course/sessions/plan";
  const planForm = pages.read(path, { who, fields: noFields, form, isForm: true }, (asked) => {
    const { visit, typed } = asked;
    if (visit.course.timeZone === null)
      return showPage(app, { ...asked, fields: { ...firstPages, toPlan: true } }, sessionsList, null);
    return showPage(
      app,
      asked,
      planPage,
      typed === null ? null : { form: planFormOf(typed.posted), isTyped: true },
    );
  });
  const posts = {
    who,
    form,
    fields: (posted: unknown): PostedPlan => ({ ...takenShape.parse(posted), typed: planFormOf(posted) }),
  } as const;
  pages.change(`${path}/dates`, { ...posts, takes: ({ act }) => act !== "preview" }, async (asked) => {
    const { visit } = asked;
    const { act, batch, take, typed } = asked.fields;
    const { timeZone } = visit.course;
    if (timeZone === null) return list.after({}, null);
    if (act === "back") {
      const stored = await app.sessions.typed.latest(visit.session, path);
      return stored === null ? showPage(app, asked, planPage, { form: typed }) : planForm.after({}, null);
    }
    const { plan, dates, problems } = await readTyped(app, visit, typed, timeZone);
    if (plan === null) return showPage(app, asked, planPage, { form: typed, problems });
    const chosen = dates.filter(({ date }) => take.includes(date));
    if (act !== "make") {
      const less = await leaveOutDates(app, visit.course, asked.fields, chosen);
      const seen = { ...asked, visit: { ...visit, course: less.course } };
      return showPage(app, seen, datesPage, { typed, plan, batch, none: false, ...less });
    }
    if (chosen.length === 0 || batch === null)
      return showPage(app, asked, datesPage, { typed, plan, chosen, none: true, batch });
    const { times: _times, recurrence, ...about } = plan;
    const requested = { ...about, batch, occurrences: chosen, repeats: recurrence.every !== "once" };
    const count = await planSessions(app, visit.course, visit.session.personId, requested);
    await app.sessions.typed.drop(visit.session, path);
    return list.after({}, { what: "planned", count });
  });
  pages.typed(`${path}/dates`, { ...posts, typedAt: path }, async (asked) => {
    const { visit, fields, typed: stored } = asked;
    const { timeZone } = visit.course;
    if (timeZone === null) return showPage(app, { ...asked, fields: firstPages }, sessionsList, null);
    const { typed } = fields;
    const { plan, dates, problems } = await readTyped(app, visit, typed, timeZone);
    if (plan === null) return showPage(app, asked, planPage, { form: typed, problems });
    const batch = stored?.name ?? null;
    const { daysOff = [] } = visit.course;
    const now = app.clock.now();
    const chosen = dates.filter(({ startsAt, date }) => startsAt >= now && !isDayOff(daysOff, date));
    return showPage(app, asked, datesPage, { typed, plan, chosen, none: false, batch });
  });
  return planForm;
}

/** A form that can be planned, with its dates; or what is wrong with it. */
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

/** `problems`: named like their messages. `isTyped`: shown again, and not saved. */
type TypedPlan = { form: PlanForm; problems?: readonly PlanProblem[]; isTyped?: boolean };

type SettingsAsked = Pick<PageAsked<"settings">, "visit" | "words">;

/** @param typed Null for a new form. */
async function planModel(app: App, { visit: { course }, words }: SettingsAsked, typed: TypedPlan | null) {
  const { t, now } = words;
  const names = weekdayNames(t, "long");
  const { form, problems = [], isTyped = false } = typed ?? { form: await freshForm(app, course, words) };
  const spaces = await linkedSpaces(app, course);
  return {
    httpStatus: problems.length > 0 ? 422 : 200,
    title: t("sessions.title", { course: courseNameOf(t, course) }),
    form,
    isTyped,
    /** Whether the classroom takes a new time from us later. */
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
