import { z } from "zod";
import type { App } from "../../../app.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { type CoursePages, noFields, type ReadPage } from "../../../web/course-pages.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { linkedSpaces } from "../session-owners.ts";
import { planSessions } from "../plan-sessions.ts";
import {
  maxOccurrences,
  type Occurrence,
  occurrencesOf,
  type Weekday,
  weekdays,
} from "../rules/recurrence.ts";
import { maxTitleLength, titleOf } from "../rules/course-session.ts";
import { cityWithOffset, proposedStart, timeZones, wallTimeOf } from "../rules/time-zone.ts";
import { showSessions, type ShownSession } from "../show-sessions.ts";
import {
  forWhom,
  inSpace,
  linkedSpaceName,
  type SectionChoice,
  sectionChoices,
  whenText,
} from "./sessions-view.ts";
import { type SessionsNews, sessionsPage } from "./sessions-page.ts";
import {
  freshPlanForm,
  type PlanForm,
  planFormOf,
  type PlanProblem,
  type PlanRead,
  readPlanForm,
} from "./sessions-plan-form.ts";

export type SessionsPlanPage = CourseFrame & {
  form: PlanForm;
  /** As typed, and not saved. */
  isTyped: boolean;
  problems: Partial<Record<PlanProblem, string>>;
  /** Zones by city. */
  zones: readonly string[];
  weekdays: readonly Weekday[];
  sections: SectionChoice[];
  spaces: { id: string; label: string }[];
};

export type SessionsDatesPage = CourseFrame & {
  /** The form as hidden fields, a pair for each value. */
  fields: [string, string][];
  name: string;
  zone: string;
  /** Null: the whole course. */
  whom: string | null;
  /** Null: the course's own. */
  space: string | null;
  counts: boolean;
  batch: string;
  problem: string | null;
  /** Why later dates are left out. */
  cut: string | null;
  /** `oddity`: what a change of clocks does to it. `marks`: that it is past, and what it overlaps. */
  dates: { date: string; when: string; taken: boolean; oddity: string | null; marks: string[] }[];
};

const planView = defineView<SessionsPlanPage>("course/sessions-plan");
const datesView = defineView<SessionsDatesPage>("course/sessions-dates");

const takenShape = z.object({
  act: z.enum(["preview", "make", "back"]).catch("back"),
  /** Chosen when the dates were first shown, so that pressing twice plans once. */
  batch: z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .nullable()
    .catch(null),
  take: z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]),
});

type PostedPlan = z.infer<typeof takenShape> & { typed: PlanForm };

/**
 * For instructors: the form, then all dates to be checked (/dates), then planning. The form travels with every step;
 * nothing is kept before the dates were seen. @returns the form's page.
 */
export function addPlanPages(app: App, pages: CoursePages, list: ReadPage<SessionsNews>): ReadPage<never> {
  const who = "settings";
  const form = { maxBytes: 128 * 1024, maxFields: 2_000 };
  const path = "/course/sessions/plan";
  const planForm = pages.read(path, { who, fields: noFields, form, isForm: true }, ({ visit, t, typed }) => {
    const { timeZone } = visit.course;
    if (timeZone === null) return sessionsPage(app, visit, { next: 1, past: 1, toPlan: true }, null);
    if (typed !== null) return planPage(app, visit, planFormOf(typed.posted), [], true);
    return freshPage(app, visit, timeZone, t("sessions.untitled"));
  });
  const posts = {
    who,
    form,
    fields: (posted: unknown): PostedPlan => ({ ...takenShape.parse(posted), typed: planFormOf(posted) }),
  } as const;
  pages.change(
    `${path}/dates`,
    { ...posts, takes: ({ act }) => act !== "preview" },
    async ({ visit, fields }) => {
      const { timeZone } = visit.course;
      if (timeZone === null) return list.after({}, null);
      if (fields.act === "back") {
        const kept = await app.sessions.typed.latest(visit.session, path);
        return kept === null ? planPage(app, visit, fields.typed, []) : planForm.after({}, null);
      }
      const read = await readTyped(app, visit, fields.typed, timeZone);
      if (read.dates === null) return planPage(app, visit, fields.typed, read.problems);
      const { plan, dates } = read;
      const { batch, take, typed } = fields;
      const chosen = dates.filter(({ date }) => take.includes(date));
      if (chosen.length === 0 || batch === null)
        return datesPage(app, visit, { typed, plan, chosen, none: true, batch });
      const count = await make(app, visit, { batch, plan, taken: chosen });
      await app.sessions.typed.drop(visit.session, path);
      return list.after({}, { what: "planned", count });
    },
  );
  pages.typed(`${path}/dates`, { ...posts, typedAt: path }, async ({ visit, fields, typed: kept }) => {
    const { timeZone } = visit.course;
    if (timeZone === null) return sessionsPage(app, visit, { next: 1, past: 1 }, null);
    const { typed } = fields;
    const read = await readTyped(app, visit, typed, timeZone);
    if (read.dates === null) return planPage(app, visit, typed, read.problems);
    const { plan, dates } = read;
    return datesPage(app, visit, { typed, plan, chosen: dates, none: false, batch: kept?.name ?? null });
  });
  return planForm;
}

type ReadTyped =
  { plan: PlanRead; dates: Occurrence[] } | { plan: null; dates: null; problems: readonly PlanProblem[] };

/** A form that can be planned, with its dates; or what is wrong with it. */
async function readTyped(
  app: App,
  { course }: InstructorVisit,
  typed: PlanForm,
  timeZone: string,
): Promise<ReadTyped> {
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const spaces = await linkedSpaces(app, course);
  const { plan, problems } = readPlanForm(typed, timeZone, {
    sections: sections.map(({ lmsSectionId }) => lmsSectionId),
    spaces: spaces.map(({ spaceId }) => spaceId),
  });
  const dates = plan === null ? [] : occurrencesOf(plan.times, plan.recurrence).list;
  if (plan === null || dates.length === 0)
    return { plan: null, dates: null, problems: problems ?? ["empty"] };
  return { plan, dates };
}

/** @returns the number planned. */
async function make(
  app: App,
  { course, session }: InstructorVisit,
  { batch, plan, taken }: { batch: string; plan: PlanRead; taken: Occurrence[] },
): Promise<number> {
  const { title, sectionIds, counts, spaceId, recurrence } = plan;
  return planSessions(app, course, session.personId, {
    batch,
    title,
    occurrences: taken,
    repeats: recurrence.every !== "once",
    sectionIds,
    counts,
    spaceId,
  });
}

async function freshPage(
  app: App,
  visit: InstructorVisit,
  timeZone: string,
  title: string,
): Promise<PageAnswer> {
  const now = app.clock.now();
  const { live, next, past } = await showSessions(app, visit.course);
  const starts = [...live, ...next, ...past]
    .filter(({ state }) => state !== "cancelled")
    .flatMap(({ startsAt }) => (startsAt === null ? [] : [startsAt]));
  const proposed = proposedStart(starts, now, timeZone);
  return planPage(app, visit, freshPlanForm(proposed, title, cityWithOffset(timeZone, now)), []);
}

async function planPage(
  app: App,
  visit: InstructorVisit,
  typed: PlanForm,
  problems: readonly PlanProblem[],
  isTyped = false,
): Promise<PageAnswer> {
  const words = await courseWords(app, visit);
  const { t } = words;
  const now = app.clock.now();
  return page(
    planView,
    {
      title: t("sessions.title", { course: courseNameOf(t, visit.course) }),
      form: typed,
      isTyped,
      problems: Object.fromEntries(problems.map((name) => [name, problemText(t, name)])),
      zones: timeZones().map((zone) => cityWithOffset(zone, now)),
      weekdays,
      sections: sectionChoices(words, typed.sections),
      spaces: (await linkedSpaces(app, visit.course)).map((space) => ({
        id: space.spaceId,
        label: linkedSpaceName(t, space),
      })),
    },
    problems.length > 0 ? { status: 422 } : {},
  );
}

/** @param shown `none`: dates were sent and none was chosen; `batch`: null for a new one. */
async function datesPage(
  app: App,
  visit: InstructorVisit,
  {
    typed,
    plan,
    chosen,
    none,
    batch,
  }: { typed: PlanForm; plan: PlanRead; chosen: Occurrence[]; none: boolean; batch: string | null },
): Promise<PageAnswer> {
  const words = await courseWords(app, visit);
  const { t, times } = words;
  const { course } = visit;
  const { list, cut } = occurrencesOf(plan.times, plan.recurrence);
  const { live, next } = await showSessions(app, course);
  const others = [...live, ...next].filter(({ state }) => state !== "cancelled");
  return page(
    datesView,
    {
      title: t("sessions.title", { course: courseNameOf(t, course) }),
      fields: fieldsOf(typed),
      name: titleOf(plan.title, {
        number: "1",
        of: String(list.length),
        date: list[0]?.date ?? "",
        course: course.title || course.label,
      }),
      zone: t("sessions.zone.shown", { zone: times.place(app.clock.now()) }),
      whom: forWhom(words, plan.sectionIds),
      space: inSpace(t, await linkedSpaces(app, course), course, plan.spaceId),
      counts: plan.counts,
      batch: batch ?? app.ids.secret(18),
      problem: none ? problemText(t, "none") : null,
      cut: cut === null ? null : t(`sessions.plan.check.cut.${cut}`, { most: maxOccurrences }),
      dates: list.map((each) => ({
        date: each.date,
        when: whenText(words, each),
        taken: chosen.some(({ date }) => date === each.date),
        oddity: oddityText(t, each, plan.times.timeZone),
        marks: marksOf(t, each, others, app.clock.now()),
      })),
    },
    none ? { status: 422 } : {},
  );
}

/** That a date is past, and the sessions of the course that it overlaps. */
function marksOf(t: Translate, one: Occurrence, others: readonly ShownSession[], now: number): string[] {
  const overlaps = ({ startsAt, endsAt }: ShownSession) =>
    startsAt !== null && startsAt < one.endsAt && (endsAt ?? startsAt + 1) > one.startsAt;
  return [
    ...(one.startsAt < now ? [t("sessions.plan.check.past")] : []),
    ...others
      .filter(overlaps)
      .map(({ title }) => t("sessions.plan.check.overlaps", { title: title ?? t("sessions.untitled") })),
  ];
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

function problemText(t: Translate, problem: PlanProblem): string {
  const limit = problem === "title" ? maxTitleLength : maxOccurrences;
  return t(`sessions.plan.problems.${problem}`, { most: limit });
}
