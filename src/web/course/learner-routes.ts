import express, { type Response, Router } from "express";
import { z } from "zod";
import { correctAttendance } from "../../features/attendance/correct-attendance.ts";
import type { MarkSessionDeps } from "../../features/attendance/mark-session.ts";
import { showLearner, type ShowLearnerDeps } from "../../features/attendance/show-learner.ts";
import { personName } from "../../domain/person-name.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { RegistrationStore } from "../../storage/registration-store.ts";
import type { SectionStore } from "../../storage/section-store.ts";
import type { Sessions } from "../session.ts";
import type { TranslatorOf } from "../translate.ts";
import { instructorVisit, type InstructorVisit } from "./instructor-visit.ts";
import { gradeView, historyView, marksOf } from "./learner-view.ts";
import { longestNote, type PostedRegister, readRegister, wantedOf } from "./register-form.ts";
import { courseNameOf, registerWords } from "./register-page.ts";
import { sectionsText } from "./register-view.ts";

export type LearnerRoutesDeps = ShowLearnerDeps &
  MarkSessionDeps & {
    courses: CourseStore;
    people: PersonStore;
    sections: Pick<SectionStore, "listOf">;
    registrations: Pick<RegistrationStore, "find">;
    sessions: Sessions;
    translatorOf: TranslatorOf;
  };

const carried = z.object({ person: z.string().max(100).catch("") });

/** What the page says beside what is stored. */
type News = { posted?: PostedRegister; saved?: boolean; missed?: boolean; problem?: string };

/**
 * POST /course/learner shows one learner with everything that is known of their attendance (field `person`: our id),
 * /course/learner/correct corrects one session. For instructors.
 */
export function learnerRoutes(deps: LearnerRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "32kb" });
  router.post("/course/learner", form, async (request, response) => {
    const visit = await instructorVisit(deps, request.body);
    await renderLearner(deps, visit, carried.parse(request.body).person, {}, response);
  });
  router.post("/course/learner/correct", form, async (request, response) => {
    const visit = await instructorVisit(deps, request.body);
    const { person } = carried.parse(request.body);
    const posted = readRegister(request.body);
    const news = await correct(deps, visit, person, posted);
    if (news.problem !== undefined) response.status(422);
    if (news.missed === true) response.status(409);
    await renderLearner(deps, visit, person, news, response);
  });
  return router;
}

async function correct(
  deps: LearnerRoutesDeps,
  { session, course }: InstructorVisit,
  personId: string,
  posted: PostedRegister,
): Promise<News> {
  const t = deps.translatorOf(session.locale);
  const wanted = wantedOf(posted);
  if (wanted.kind === "refused") {
    const problem = wanted.problems.get(personId) ?? "tooLong";
    return { posted, problem: t(`register.problems.${problem}`, { most: longestNote }) };
  }
  const row = wanted.rows.find((one) => one.personId === personId);
  if (row === undefined) return { saved: true };
  const { eventId } = posted;
  const { reason } = wanted;
  const mark = await correctAttendance(deps, course, session.personId, { ...row, eventId, reason });
  return mark.missed.length > 0 ? { posted, missed: true } : { saved: true };
}

async function renderLearner(
  deps: LearnerRoutesDeps,
  visit: InstructorVisit,
  personId: string,
  news: News,
  response: Response,
): Promise<void> {
  const { session, course } = visit;
  const learner = await showLearner(deps, course, personId);
  const words = await registerWords(deps, visit);
  const { t } = words;
  const { person, member } = learner;
  const name = personName(person, member?.role ?? "learner");
  const courseName = courseNameOf(t, course);
  const known = {
    ...words,
    names: learner.names,
    observers: await observersOf(deps, visit, learner.sessions),
  };
  response.set("Cache-Control", "no-store").render("course/learner", {
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
    choices: marksOf(t),
    sessions: learner.sessions.map((one) => historyView(known, one, deps.clock.now(), news)),
    longestNote,
    saved: news.saved === true,
    missed: news.missed === true,
    failed: news.problem !== undefined,
  });
}

/** Names of those who changed something in the classroom, by their user id there, as far as they came through us. */
async function observersOf(
  deps: LearnerRoutesDeps,
  { course }: InstructorVisit,
  sessions: Awaited<ReturnType<typeof showLearner>>["sessions"],
): Promise<Map<string, string>> {
  const ids = new Set(
    sessions.flatMap(({ row }) => row.facts.history.flatMap(({ updatedBy }) => updatedBy ?? [])),
  );
  const found = await Promise.all(
    [...ids].slice(0, 50).map(async (id) => {
      const person = await deps.people.findByApiUser(course.environment, id);
      return person === null || person.registrationId !== course.registrationId
        ? null
        : ([id, personName(person, "instructor")] as const);
    }),
  );
  return new Map(found.filter((one) => one !== null));
}
