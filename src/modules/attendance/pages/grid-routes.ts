import express, { type Response, Router } from "express";
import { markSession, type MarkSessionDeps } from "../mark-session.ts";
import { showGridCell } from "../show-grid-cell.ts";
import { personName } from "../../../domain/person-name.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import { numberText } from "../../../web/number-text.ts";
import { sendGridFile } from "./grid-files.ts";
import { readGridFilter, readPressed } from "./grid-form.ts";
import { type GridMenuDeps, renderCell, renderSession } from "./grid-menu-page.ts";
import { renderGrid } from "./grid-page.ts";
import { instructorVisit, type InstructorVisit } from "../../../web/instructor-visit.ts";
import { correctAsPosted } from "./learner-correction.ts";
import { type PostedRegister, readRegister, wantedOf } from "./register-form.ts";
import { statusView } from "../../../web/status-view.ts";

export type GridRoutesDeps = GridMenuDeps & MarkSessionDeps & { courses: CourseStore };

/**
 * POST /course/grid shows the table of learners and sessions; /course/grid/cell and /course/grid/session one cell or
 * session of it, each with a form that /save takes; without a script these are pages of their own. /course/grid.csv is
 * the table as a file. For instructors.
 */
export function gridRoutes(deps: GridRoutesDeps): Router {
  const router = Router();
  // The table is sent with an id for each of its rows and columns.
  const form = express.urlencoded({ extended: false, limit: "256kb", parameterLimit: 1_000 });
  router.post("/course/grid", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    const { eventId, personId } = readPressed(request.body);
    const focus = eventId === "" ? null : { eventId, personId };
    await renderGrid(deps, visit, readGridFilter(request.body), { focus }, response);
  });
  router.post("/course/grid/cell", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    await renderCell(deps, visit, readPressed(request.body), readGridFilter(request.body), {}, response);
  });
  router.post("/course/grid/cell/save", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "corrections");
    await saveCell(deps, visit, request.body, response);
  });
  router.post("/course/grid/session", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    const { eventId } = readPressed(request.body);
    await renderSession(deps, visit, eventId, readGridFilter(request.body), null, response);
  });
  router.post("/course/grid/session/save", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "corrections");
    await saveSession(deps, visit, request.body, response);
  });
  router.post("/course/grid.csv", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    await sendGridFile(deps, visit, readGridFilter(request.body), response);
  });
  return router;
}

async function saveCell(
  deps: GridRoutesDeps,
  visit: InstructorVisit,
  body: unknown,
  response: Response,
): Promise<void> {
  const pressed = readPressed(body);
  const filter = readGridFilter(body);
  const news = await correctAsPosted(deps, visit, pressed.personId, readRegister(body));
  if (news.saved !== true) {
    response.status(news.missed === true ? 409 : 422);
    await renderCell(deps, visit, pressed, filter, news, response);
    return;
  }
  const { person, member, session, row } = await showGridCell(deps, visit.course, pressed);
  const t = deps.translatorOf(visit.session.locale);
  const said = t("grid.saved.cell", {
    name: personName(person, member?.role ?? "learner"),
    session: session.title ?? t("review.untitled"),
    status: row.standing === null ? t("grid.cell.blank") : statusView(t, row.standing.status).text,
  });
  await renderGrid(deps, visit, filter, { said, focus: pressed }, response);
}

async function saveSession(
  deps: GridRoutesDeps,
  visit: InstructorVisit,
  body: unknown,
  response: Response,
): Promise<void> {
  const filter = readGridFilter(body);
  const { eventId } = readPressed(body);
  const posted: PostedRegister = readRegister(body);
  const wanted = wantedOf(posted);
  if (wanted.kind === "refused") {
    await renderSession(deps, visit, eventId, filter, posted, response.status(422));
    return;
  }
  const { everybody, reason } = wanted;
  const mark = { eventId, rows: [], everybody, reason };
  const done = await markSession(deps, visit.course, visit.session.personId, mark);
  const t = deps.translatorOf(visit.session.locale);
  const count = done.writtenInClass;
  const said = t("register.saved", { count, number: numberText(t, count) });
  const warning = done.state === "facts" ? t("grid.saved.goesOn") : null;
  await renderGrid(deps, visit, filter, { said, warning, focus: { eventId, personId: "" } }, response);
}
