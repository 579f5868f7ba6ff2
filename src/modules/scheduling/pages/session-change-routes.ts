import express, { type Request, type Response, Router } from "express";
import type { ClassroomClient } from "../../../classroom/client.ts";
import type { Course } from "../../../domain/course.ts";
import { longestTitle } from "../rules/session-title.ts";
import {
  cancelSessions,
  type ChangeOutcome,
  changeSessions,
  type ChangeSessionsDeps,
} from "../change-sessions.ts";
import { linkedSpaces } from "../linked-spaces.ts";
import { whatCanChange } from "../session-step.ts";
import { findSession, type SessionRecord } from "../session-record.ts";
import { shownOf } from "../show-sessions.ts";
import { type InstructorVisit, instructorVisit } from "../../../web/instructor-visit.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import { pageFrame } from "./session-page.ts";
import type { Notice } from "../../../web/partials.ts";
import { rowWithSpace, type SessionsRoutesDeps, showList } from "./sessions-routes.ts";
import {
  type ChangeForm,
  changeFormAsIs,
  changeFormOf,
  type ChangeProblem,
  changeShape,
  type PostedChange,
  readChange,
} from "./session-change-form.ts";
import { courseWords } from "../../../web/course-words.ts";

export type SessionChangeRoutesDeps = SessionsRoutesDeps &
  ChangeSessionsDeps & {
    classroomOf: (environment: Course["environment"]) => Pick<ClassroomClient, "updateEvent" | "cancelEvent">;
  };

/** POST /course/sessions/change shows one session, changes or cancels it, or more of its series. For instructors. */
export function sessionChangeRoutes(deps: SessionChangeRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  router.post("/course/sessions/change", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const posted = changeShape.parse(request.body ?? {});
    const record = await findSession(deps, visit.course, posted.key);
    if (record === null) {
      response.status(404);
      const t = deps.translatorOf(visit.session.locale);
      await showList(deps, visit, request, response, { tone: "warning", text: t("sessions.change.gone") });
    } else if (posted.act === "show") await renderSession(deps, visit, record, {}, response);
    else if (posted.revision !== revisionOf(record)) {
      response.status(409);
      const t = deps.translatorOf(visit.session.locale);
      const notice: Notice = { tone: "warning", text: t("sessions.change.stale") };
      await renderSession(deps, visit, record, { form: changeFormOf(posted), notice }, response);
    } else if (posted.act === "cancel") await cancel(deps, visit, record, posted, request, response);
    else await save(deps, visit, record, posted, response);
  });
  return router;
}

function revisionOf({ plan }: SessionRecord): number {
  return plan?.revision ?? 0;
}

async function save(
  deps: SessionChangeRoutesDeps,
  visit: InstructorVisit,
  record: SessionRecord,
  posted: PostedChange,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const t = deps.translatorOf(session.locale);
  const sections = await deps.sections.listOf(course.registrationId, course.id);
  const known = sections.map(({ lmsSectionId }) => lmsSectionId);
  const stored = changeFormAsIs(record, course);
  const read = readChange(changeFormOf(posted), stored, course, known);
  if (read.change === null) {
    response.status(422);
    const shown = { form: changeFormOf(posted), problems: read.problems };
    await renderSession(deps, visit, record, shown, response);
    return;
  }
  const seen = { record, scope: posted.scope };
  const outcome = await changeSessions(deps, course, session.personId, seen, read.change);
  const now = (await findSession(deps, course, posted.key)) ?? record;
  const notice: Notice =
    outcome.changed === 0 && outcome.notHere === 0
      ? { tone: "good", text: t("sessions.change.nothing") }
      : noticeOf(outcome, {
          done: t("sessions.change.saved", { count: outcome.changed }),
          rest: t("sessions.change.notHere", { count: outcome.notHere }),
        });
  await renderSession(deps, visit, now, { notice }, response);
}

async function cancel(
  deps: SessionChangeRoutesDeps,
  visit: InstructorVisit,
  record: SessionRecord,
  posted: PostedChange,
  request: Request,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const t = deps.translatorOf(session.locale);
  const outcome = await cancelSessions(deps, course, session.personId, { record, scope: posted.scope });
  const notice = noticeOf(outcome, {
    done: t("sessions.change.cancelled", { count: outcome.changed }),
    rest: t("sessions.change.notHere", { count: outcome.notHere }),
  });
  await showList(deps, visit, request, response, notice);
}

function noticeOf({ changed, notHere }: ChangeOutcome, words: { done: string; rest: string }): Notice {
  if (notHere === 0) return { tone: "good", text: words.done };
  return { tone: "warning", text: changed === 0 ? words.rest : `${words.done} ${words.rest}` };
}

async function renderSession(
  deps: SessionChangeRoutesDeps,
  visit: InstructorVisit,
  record: SessionRecord,
  shown: { form?: ChangeForm; problems?: readonly ChangeProblem[]; notice?: Notice },
  response: Response,
): Promise<void> {
  const words = await courseWords(deps, visit);
  const { t, times, sectionKind } = words;
  const { form = changeFormAsIs(record, visit.course), problems = [], notice = null } = shown;
  const session = shownOf(record);
  response.render("course/session-change", {
    ...(await pageFrame(deps, visit, t)),
    notice,
    row: rowWithSpace(words, await linkedSpaces(deps, visit.course), visit.course, session),
    standing: session.standing,
    found: session.found,
    zone: t("sessions.zone.shown", { zone: times.zone }),
    zoneName: times.zone,
    revision: revisionOf(record),
    form,
    can: whatCanChange(deps, record),
    series: session.series !== null && session.series !== "found",
    problems: Object.fromEntries(
      problems.map((name) => [name, t(`sessions.plan.problems.${name}`, { most: longestTitle })]),
    ),
    sections: words.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, sectionKind, section),
      ticked: form.section.includes(section.lmsSectionId),
    })),
  });
}
