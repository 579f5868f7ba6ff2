import express, { type Response, Router } from "express";
import { markSession, type MarkSessionDeps } from "../mark-session.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import { gridRoutes, type GridRoutesDeps } from "./grid-routes.ts";
import { instructorVisit, type InstructorVisit } from "../../../web/instructor-visit.ts";
import { learnerRoutes, type LearnerRoutesDeps } from "./learner-routes.ts";
import { isChanged, type PostedRegister, readRegister, wantedOf } from "./register-form.ts";
import { type RegisterPageDeps, renderRegister, renderSessionChoice } from "./register-page.ts";

export type RegisterRoutesDeps = RegisterPageDeps &
  MarkSessionDeps &
  LearnerRoutesDeps &
  GridRoutesDeps & { courses: CourseStore };

/**
 * POST /course/register shows the sessions of a course, and with the field `event` the register of one of them;
 * /course/register/save marks learners. For instructors. The table of all sessions and the pages of one
 * learner and of the audit trail come along.
 */
export function registerRoutes(deps: RegisterRoutesDeps): Router {
  const router = Router();
  // A page of the register has four fields for each learner.
  const form = express.urlencoded({ extended: false, limit: "1mb", parameterLimit: 5_000 });
  router.post("/course/register", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    const posted = readRegister(request.body);
    if (posted.eventId === "") await renderSessionChoice(deps, visit, posted.filter.page, response);
    else await renderRegister(deps, visit, posted, {}, response);
  });
  router.post("/course/register/save", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "corrections");
    await save(deps, visit, readRegister(request.body), response);
  });
  router.use(gridRoutes(deps));
  router.use(learnerRoutes(deps));
  return router;
}

async function save(
  deps: RegisterRoutesDeps,
  visit: InstructorVisit,
  posted: PostedRegister,
  response: Response,
): Promise<void> {
  const wanted = wantedOf(posted);
  if (wanted.kind === "refused") {
    response.status(422);
    const { problems, reasonTooLong } = wanted;
    await renderRegister(deps, visit, posted, { typed: posted, problems, reasonTooLong }, response);
    return;
  }
  const { rows, everybody, reason } = wanted;
  const { eventId } = posted;
  const done = await markSession(deps, visit.course, visit.session.personId, {
    eventId,
    rows,
    everybody,
    reason,
  });
  const missed = new Set(done.missed);
  if (missed.size > 0) response.status(409);
  const taken = new Set(rows.map(({ personId }) => personId));
  await renderRegister(
    deps,
    visit,
    posted,
    { typed: leftOf(posted, taken, missed), missed, saved: done.written + done.writtenInClass },
    response,
  );
}

/** What was typed and is not stored: rows that were left as they are, and all others when one button was for one row. */
function leftOf(
  posted: PostedRegister,
  taken: ReadonlySet<string>,
  missed: ReadonlySet<string>,
): PostedRegister | null {
  const rows = [...posted.rows].filter(
    ([personId, { typed, seen }]) =>
      missed.has(personId) || (posted.act.kind !== "all" && !taken.has(personId) && isChanged(typed, seen)),
  );
  return rows.length === 0 ? null : { ...posted, rows: new Map(rows) };
}
