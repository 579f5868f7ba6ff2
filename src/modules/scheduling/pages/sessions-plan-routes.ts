import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import { mostOccurrences, type Occurrence, occurrencesOf, weekdays } from "../rules/recurrence.ts";
import { longestTitle, titleOf } from "../rules/session-title.ts";
import { wallTimeOf } from "../rules/time-zone.ts";
import { linkedSpaces } from "../linked-spaces.ts";
import { planSessions, type PlanSessionsDeps } from "../plan-sessions.ts";
import type { Translate } from "../../../web/translate.ts";
import { type InstructorVisit, instructorVisit } from "../../../web/instructor-visit.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import {
  freshPlanForm,
  type PlanForm,
  planFormOf,
  type PlanProblem,
  type PlanRead,
  readPlanForm,
} from "./sessions-plan-form.ts";
import { pageFrame } from "./session-page.ts";
import { type SessionsRoutesDeps, showList } from "./sessions-routes.ts";
import { inSpace, linkedSpaceName } from "./session-space-words.ts";
import { forWhom, whenText } from "./sessions-view.ts";
import { courseWords } from "../../../web/course-words.ts";

export type SessionsPlanRoutesDeps = SessionsRoutesDeps & PlanSessionsDeps;

const takenShape = z.object({
  act: z.enum(["preview", "make", "back"]).catch("back"),
  /** Chosen when the dates were shown, so that pressing twice plans once. */
  batch: z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .nullable()
    .catch(null),
  take: z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]),
});

/**
 * POST /course/sessions/plan: the form, then all dates to be checked, then planning. The form travels with every step;
 * nothing is kept until dates were seen. For instructors.
 */
export function sessionsPlanRoutes(deps: SessionsPlanRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "128kb", parameterLimit: 2_000 });
  router.post("/course/sessions/plan", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const { timeZone } = visit.course;
    if (timeZone === null) await showList(deps, visit, request, response);
    else await renderForm(deps, visit, freshForm(deps, visit, timeZone), [], response);
  });
  router.post("/course/sessions/plan/dates", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const { timeZone } = visit.course;
    if (timeZone === null) await showList(deps, visit, request, response);
    else await takeForm(deps, visit, timeZone, request, response);
  });
  return router;
}

function freshForm(deps: SessionsPlanRoutesDeps, { session }: InstructorVisit, timeZone: string): PlanForm {
  const t = deps.translatorOf(session.locale);
  return freshPlanForm(wallTimeOf(deps.clock.now(), timeZone).date, t("sessions.untitled"));
}

/** A form was sent: shows its dates, or plans those that were taken. */
async function takeForm(
  deps: SessionsPlanRoutesDeps,
  visit: InstructorVisit,
  timeZone: string,
  request: Request,
  response: Response,
): Promise<void> {
  const typed = planFormOf(request.body);
  const { act, batch, take } = takenShape.parse(request.body ?? {});
  const sections = await deps.sections.listOf(visit.course.registrationId, visit.course.id);
  const spaces = await linkedSpaces(deps, visit.course);
  const read = readPlanForm(typed, timeZone, {
    sections: sections.map(({ lmsSectionId }) => lmsSectionId),
    spaces: spaces.map(({ spaceId }) => spaceId),
  });
  if (act === "back") {
    await renderForm(deps, visit, typed, [], response);
    return;
  }
  const list = read.plan === null ? [] : occurrencesOf(read.plan.times, read.plan.recurrence).list;
  if (read.plan === null || list.length === 0) {
    response.status(422);
    await renderForm(deps, visit, typed, read.problems ?? ["empty"], response);
    return;
  }
  if (act === "preview") {
    await renderDates(deps, visit, { typed, plan: read.plan, chosen: list, none: false }, response);
    return;
  }
  const chosen = list.filter(({ date }) => take.includes(date));
  if (chosen.length > 0 && batch !== null) {
    await make(deps, visit, { batch, plan: read.plan, taken: chosen }, request, response);
    return;
  }
  response.status(422);
  await renderDates(deps, visit, { typed, plan: read.plan, chosen, none: true }, response);
}

async function make(
  deps: SessionsPlanRoutesDeps,
  visit: InstructorVisit,
  { batch, plan, taken }: { batch: string; plan: PlanRead; taken: Occurrence[] },
  request: Request,
  response: Response,
): Promise<void> {
  const { title, sectionIds, counts, spaceId, recurrence } = plan;
  const count = await planSessions(deps, visit.course, visit.session.personId, {
    batch,
    title,
    occurrences: taken,
    repeats: recurrence.every !== "once",
    sectionIds,
    counts,
    spaceId,
  });
  const t = deps.translatorOf(visit.session.locale);
  await showList(deps, visit, request, response, { tone: "good", text: t("sessions.planned", { count }) });
}

async function renderForm(
  deps: SessionsPlanRoutesDeps,
  visit: InstructorVisit,
  typed: PlanForm,
  problems: readonly PlanProblem[],
  response: Response,
): Promise<void> {
  const words = await courseWords(deps, visit);
  const { t, times } = words;
  response.render("course/sessions-plan", {
    ...(await pageFrame(deps, visit, t)),
    form: typed,
    problems: Object.fromEntries(problems.map((name) => [name, problemText(t, name)])),
    zone: times.zone,
    weekdays,
    sections: words.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, words.sectionKind, section),
      ticked: typed.sections.includes(section.lmsSectionId),
    })),
    spaces: (await linkedSpaces(deps, visit.course)).map((space) => ({
      id: space.spaceId,
      label: linkedSpaceName(t, space),
    })),
  });
}

async function renderDates(
  deps: SessionsPlanRoutesDeps,
  visit: InstructorVisit,
  { typed, plan, chosen, none }: { typed: PlanForm; plan: PlanRead; chosen: Occurrence[]; none: boolean },
  response: Response,
): Promise<void> {
  const words = await courseWords(deps, visit);
  const { t, times } = words;
  const { list, cut } = occurrencesOf(plan.times, plan.recurrence);
  response.render("course/sessions-dates", {
    ...(await pageFrame(deps, visit, t)),
    fields: fieldsOf(typed),
    name: titleOf(plan.title, {
      number: "1",
      of: String(list.length),
      date: list[0]?.date ?? "",
      course: visit.course.title || visit.course.label,
    }),
    zone: t("sessions.zone.shown", { zone: times.zone }),
    whom: forWhom(words, plan.sectionIds),
    space: inSpace(t, await linkedSpaces(deps, visit.course), visit.course, plan.spaceId),
    counts: plan.counts,
    batch: deps.ids.secret(18),
    problem: none ? problemText(t, "none") : null,
    cut: cut === null ? null : t(`sessions.plan.check.cut.${cut}`, { most: mostOccurrences }),
    dates: list.map((each) => ({
      date: each.date,
      when: whenText(words, each),
      taken: chosen.some(({ date }) => date === each.date),
      oddity: oddityText(t, each, plan.times.timeZone),
    })),
  });
}

/** What a change of clocks does to a date, in words; null when nothing. */
function oddityText(t: Translate, { oddity, startsAt }: Occurrence, timeZone: string): string | null {
  if (oddity === null) return null;
  return t(`sessions.plan.check.${oddity}`, { time: wallTimeOf(startsAt, timeZone).time });
}

/** The form as hidden fields, one pair for each value. */
function fieldsOf({ days, sections, counts, ...typed }: PlanForm): [string, string][] {
  return [
    ...Object.entries(typed),
    ...days.map((day): [string, string] => ["day", day]),
    ...sections.map((id): [string, string] => ["section", id]),
    ...(counts ? [["counts", "yes"] satisfies [string, string]] : []),
  ];
}

function problemText(t: Translate, problem: PlanProblem): string {
  const most = problem === "title" ? longestTitle : mostOccurrences;
  return t(`sessions.plan.problems.${problem}`, { most });
}
