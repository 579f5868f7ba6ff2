import express, { type Response, Router } from "express";
import { z } from "zod";
import type { MarkSessionDeps } from "../mark-session.ts";
import { showLearner, type ShowLearnerDeps } from "../show-learner.ts";
import { personName } from "../../../domain/person-name.ts";
import type { GridFilter } from "../grid-filter.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { PersonStore } from "../../members/store/person-store.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { App } from "../../../app.ts";
import type { Sessions } from "../../../web/session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { filterFields, readGridFilter } from "./grid-form.ts";
import { instructorVisit, type InstructorVisit } from "../../../web/instructor-visit.ts";
import { namesOfUsers } from "../../members/names-of-users.ts";
import { gradeView, historyView, marksOf } from "./learner-view.ts";
import { type CorrectionNews, correctAsPosted } from "./learner-correction.ts";
import { stripView } from "./learner-strip.ts";
import { longestNote, readRegister } from "./register-form.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import type { PresenceOfPeopleDeps } from "../../presence/presence-of-people.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

export type LearnerRoutesDeps = ShowLearnerDeps &
  MarkSessionDeps &
  PresenceOfPeopleDeps &
  Pick<App, "sections"> & {
    courses: CourseStore;
    people: PersonStore;
    registrations: Pick<RegistrationStore, "find">;
    sessions: Sessions;
    translatorOf: TranslatorOf;
  };

const carried = z.object({ person: z.string().max(100).catch("") });

/**
 * POST /course/learner shows one learner with everything that is known of their attendance (field `person`: our id),
 * /course/learner/correct corrects one session. For instructors.
 */
export function learnerRoutes(deps: LearnerRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "32kb" });
  router.post("/course/learner", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    const filter = readGridFilter(request.body);
    await renderLearner(deps, visit, carried.parse(request.body).person, { filter }, response);
  });
  router.post("/course/learner/correct", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "corrections");
    const { person } = carried.parse(request.body);
    const posted = readRegister(request.body);
    const news = await correctAsPosted(deps, visit, person, posted);
    if (news.problem !== undefined) response.status(422);
    if (news.missed === true) response.status(409);
    const filter = readGridFilter(request.body);
    await renderLearner(deps, visit, person, { ...news, filter }, response);
  });
  return router;
}

async function renderLearner(
  deps: LearnerRoutesDeps,
  visit: InstructorVisit,
  personId: string,
  news: CorrectionNews & { filter: GridFilter },
  response: Response,
): Promise<void> {
  const { session, course } = visit;
  const learner = await showLearner(deps, course, personId);
  const words = await courseWords(deps, visit);
  const { t } = words;
  const { person, member } = learner;
  const name = personName(person, member?.role ?? "learner");
  const courseName = courseNameOf(t, course);
  const known = {
    ...words,
    names: learner.names,
    observers: await namesOfUsers(
      deps,
      course,
      learner.sessions.flatMap(({ row }) => row.facts.history.map(({ updatedBy }) => updatedBy)),
    ),
  };
  const attended = learner.sessions.map((one) => one.session);
  const presence = await presenceWords(deps, words, course, attended, [personId]);
  response.render("course/learner", {
    t,
    title: t("register.learner.title", { name, course: courseName }),
    courseName,
    heading: t("review.heading", { name }),
    session: await deps.sessions.issue(session),
    personId,
    zone: words.times.zone,
    sections: sectionsText(words, member?.sectionIds ?? []),
    remark: member?.active === true ? null : t("register.remarks.left"),
    grade: gradeView(t, learner),
    strip: stripView(words, name, learner.sessions, deps.clock.now()),
    fields: filterFields(news.filter),
    choices: marksOf(t),
    sessions: learner.sessions.map((one) => historyView(known, one, deps.clock.now(), news)),
    presenceOf: (eventId: string) => presence.of(eventId, personId),
    presenceRule: presence.rule,
    longestNote,
    saved: news.saved === true,
    missed: news.missed === true,
    failed: news.problem !== undefined,
  });
}
