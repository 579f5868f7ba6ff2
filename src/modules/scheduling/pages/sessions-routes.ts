import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import { timeZoneOf, timeZones } from "../rules/time-zone.ts";
import { changeTimeZone, type ChangeTimeZoneDeps } from "../../courses/change-time-zone.ts";
import { type LinkedSpace, linkedSpaces, type LinkedSpacesDeps } from "../linked-spaces.ts";
import { resolvePlan, type ResolvePlanDeps } from "../resolve-plan.ts";
import {
  type CourseTimetable,
  showSessions,
  type ShowSessionsDeps,
  type ShownSession,
} from "../show-sessions.ts";
import type { Translate } from "../../../web/translate.ts";
import { type InstructorVisit, instructorVisit } from "../../../web/instructor-visit.ts";
import { reportedEnds } from "../../presence/reported-ends.ts";
import type { SeriesChangeStore } from "../store/series-change-store.ts";
import type { SessionEndStore } from "../../recordings/store/session-end-store.ts";
import { namesOfUsers, type NamesOfUsersDeps } from "../../members/names-of-users.ts";
import { seriesChangeText } from "../../presence/pages/presence-view.ts";
import { pageFrame, type SessionPageDeps } from "./session-page.ts";
import type { Notice } from "../../../web/partials.ts";
import { inSpace } from "./session-space-words.ts";
import { type SessionRow, sessionRow, type SessionWords } from "./sessions-view.ts";
import { courseWords } from "../../../web/course-words.ts";

export type SessionsRoutesDeps = SessionPageDeps &
  ShowSessionsDeps &
  ResolvePlanDeps & {
    sessionEnds: Pick<SessionEndStore, "listOfSpaces">;
    seriesChanges: Pick<SeriesChangeStore, "listOfCourse">;
  } & NamesOfUsersDeps &
  Omit<ChangeTimeZoneDeps, "courses"> &
  Omit<LinkedSpacesDeps, "courses"> & { courses: SessionPageDeps["courses"] & LinkedSpacesDeps["courses"] };

const perPage = 10;
/** Changes of series that were made in the classroom; the latest ones are shown. */
const changesShown = 5;
const page = z.coerce.number().int().min(1).max(10_000).catch(1);
const listShape = z.object({ next: page, past: page });
const zoneShape = z.object({ zone: z.string().max(100).catch("") });
const settleShape = z.object({
  key: z.string().max(100).catch(""),
  answer: z.enum(["there", "again", "drop", "retry"]).nullable().catch(null),
});

/**
 * POST /course/sessions shows the sessions of a course; /zone sets its time zone, /settle takes an answer about one that is
 * stuck, /progress tells how many are still to be made. For instructors.
 */
export function sessionsRoutes(deps: SessionsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  router.post("/course/sessions", form, async (request, response) => {
    await showList(deps, await instructorVisit(deps, request, "settings"), request, response);
  });
  router.post("/course/sessions/zone", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const t = deps.translatorOf(visit.session.locale);
    const zone = timeZoneOf(zoneShape.parse(request.body ?? {}).zone);
    if (zone === null) {
      response.status(422);
      const notice: Notice = { tone: "mend", text: t("sessions.zone.unknown") };
      await showList(deps, visit, request, response, notice);
      return;
    }
    await changeTimeZone(deps, visit.course, visit.session.personId, zone);
    const now = { ...visit, course: { ...visit.course, timeZone: zone } };
    await showList(deps, now, request, response, { tone: "good", text: t("sessions.zone.saved") });
  });
  router.post("/course/sessions/settle", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const t = deps.translatorOf(visit.session.locale);
    const { key, answer } = settleShape.parse(request.body ?? {});
    const done = answer !== null && (await resolvePlan(deps, visit.course, key, answer));
    const notice: Notice = done
      ? { tone: "good", text: t("sessions.change.settled") }
      : { tone: "warning", text: t("sessions.change.notSettled") };
    await showList(deps, visit, request, response, notice);
  });
  router.post("/course/sessions/progress", form, async (request, response) => {
    const { session, course } = await instructorVisit(deps, request, "settings");
    const t = deps.translatorOf(session.locale);
    response.json(progressOf(t, await showSessions(deps, course)));
  });
  return router;
}

/** Renders the list of a course's sessions. */
export async function showList(
  deps: SessionsRoutesDeps,
  visit: InstructorVisit,
  request: Request,
  response: Response,
  notice: Notice | null = null,
): Promise<void> {
  const { course } = visit;
  const asked = listShape.parse(request.body ?? {});
  const timetable = await showSessions(deps, course);
  const shown = [...timetable.live, ...timetable.next, ...timetable.past];
  const spaces = await linkedSpaces(deps, course);
  const ends = await reportedEnds(deps, course, [...timetable.live, ...timetable.past]);
  const changes = await deps.seriesChanges.listOfCourse(course.id, changesShown);
  const told = [...shown.map((session) => session.told?.by), ...changes.map(({ by }) => by)];
  const users = await namesOfUsers(deps, course, told);
  const words = { ...(await courseWords(deps, visit)), users };
  const { t } = words;
  const rows = (sessions: readonly ShownSession[]) =>
    sessions.map((each) => withEnd(words, ends, rowWithSpace(words, spaces, course, each)));
  const part = (sessions: readonly ShownSession[], wanted: number) => {
    const pages = Math.max(1, Math.ceil(sessions.length / perPage));
    const at = Math.min(wanted, pages);
    return { rows: rows(sessions.slice((at - 1) * perPage, at * perPage)), page: at, pages };
  };
  response.render("course/sessions", {
    ...(await pageFrame(deps, visit, t)),
    notice,
    zone: zoneView(course, words),
    live: rows(timetable.live),
    next: part(timetable.next, asked.next),
    past: part(timetable.past, asked.past),
    any: timetable.live.length + timetable.next.length + timetable.past.length > 0,
    progress: progressOf(t, timetable),
    changes: changes.map((change) => seriesChangeText(words, change)),
  });
}

/** A row that says when the classroom reported the end of its session, where it did. */
function withEnd(
  { t, times }: SessionWords,
  ends: Awaited<ReturnType<typeof reportedEnds>>,
  row: SessionRow,
): SessionRow {
  const endedAt = ends.get(row.key);
  if (endedAt === undefined) return row;
  return { ...row, notes: [...row.notes, t("presence.endedAt", { when: times.text(endedAt) })] };
}

/** A session in words, with the Space it takes place in where that is not the course's own. */
export function rowWithSpace(
  words: SessionWords,
  spaces: readonly LinkedSpace[],
  course: Course,
  session: ShownSession,
): SessionRow {
  const row = sessionRow(words, session);
  const where = inSpace(words.t, spaces, course, session.spaceId);
  return where === null ? row : { ...row, notes: [where, ...row.notes] };
}

/** The time zone of the course, and those there are to choose from. */
function zoneView({ timeZone }: Course, { t, times }: SessionWords) {
  return {
    name: timeZone,
    text: timeZone === null ? t("sessions.zone.shownUtc") : t("sessions.zone.shown", { zone: times.zone }),
    all: timeZones(),
  };
}

function progressOf(t: Translate, { toMake, stuck }: CourseTimetable) {
  return {
    toMake,
    stuck: stuck === 0 ? null : t("sessions.progress.stuck", { count: stuck }),
    text: toMake === 0 ? t("sessions.progress.done") : t("sessions.progress.left", { count: toMake }),
    // The rows of the page that asks are as old as that page.
    button: toMake === 0 ? t("sessions.progress.show") : t("sessions.refresh"),
  };
}
