import express, { type Response, Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import type { App } from "../../../app.ts";
import { answerSetUp, presentAnswers, type SetUpAnswers } from "../answer-set-up.ts";
import { instructorVisit, type InstructorVisit, mayIn } from "../../../web/instructor-visit.ts";
import { policyWords } from "../../grading/pages/policy-words.ts";
import { formOfCourse } from "../../courses/pages/settings-form.ts";
import { differenceWords } from "../../courses/pages/settings-view.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { showEnterPage } from "./enter-page.ts";
import { isLocked, type SetUpView, setUpView } from "./set-up-view.ts";
import { courseNameOf } from "../../../web/course-words.ts";

/** The first questions about a course. `conflict`: it was changed meanwhile. */
export type SetUpPage = CourseFrame & { conflict: boolean; setUp: SetUpView };

const setUpPage = defineView<SetUpPage>("launch/set-up");

const revision = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .catch(-1);

/** What the form brings; an answer that was not offered counts as missing. */
const formSchema = z.object({
  act: z.enum(["save", "later"]).catch("save"),
  settingsRevision: revision,
  policyRevision: revision,
  grading: z.enum(["one-column", "column-per-session", "no-grades"]).nullable().catch(null),
  mode: z.enum(["tab", "embedded"]).nullable().catch(null),
  learnersStart: z.enum(["yes", "no"]).nullable().catch(null),
  opens: z.enum(["always", "around-sessions"]).nullable().catch(null),
});
type Posted = z.infer<typeof formSchema>;

/**
 * POST /course/set-up shows the first questions about a course, at any time; /course/set-up/save takes the answers, or puts
 * the questions off. For instructors.
 */
export function setUpRoutes(deps: App): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/set-up", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    await showSetUp(deps, visit, presentAnswers(visit.course), { conflict: false }, response);
  });
  router.post("/course/set-up/save", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const { session, course } = visit;
    const posted = formSchema.parse(request.body ?? {});
    if (posted.act === "later") {
      await deps.courses.moveSetUp(course.id, ["open", "asked"], "later");
      await showEnterPage(deps, session, await freshly(deps, course), response, { news: "later" });
      return;
    }
    const grading = mayIn(session, course, "corrections") ? posted.grading : null;
    const answers = answersIn({ ...posted, grading }, course);
    const t = deps.translatorOf(null); // the trail is in one language
    const { settingsRevision, policyRevision } = posted;
    const saved = await answerSetUp(deps, course, {
      personId: session.personId,
      answers,
      settingsRevision,
      policyRevision,
      wordsOf: (policy) => policyWords(t, policy).join(" "),
      linesOf: (before, after) => settingsLines(t, before, after),
    });
    const now = await freshly(deps, course);
    if (saved) {
      await showEnterPage(deps, session, now, response, { news: "saved" });
      return;
    }
    response.status(409);
    await showSetUp(deps, { session, course: now }, answers, { conflict: true }, response);
  });
  return router;
}

/** What is missing, or set by the institution, stays as it is. */
function answersIn({ grading, mode, learnersStart, opens }: Posted, course: Course): SetUpAnswers {
  const now = presentAnswers(course);
  const given = <Name extends keyof SetUpAnswers>(name: Name, answer: SetUpAnswers[Name] | null) =>
    answer === null || isLocked(course, name) ? now[name] : answer;
  return {
    grading: given("grading", grading),
    mode: given("mode", mode),
    learnersStart: given("learnersStart", learnersStart === null ? null : learnersStart === "yes"),
    opens: given("opens", opens),
  };
}

/** As the page of settings writes them into the trail. No section is in them. */
function settingsLines(t: Translate, before: Course, after: Course) {
  const from = { sectionKind: "groups" as const, sections: [] };
  return differenceWords(t, from, formOfCourse(before), formOfCourse(after)).map(({ label, was, now }) => ({
    before: t("settings.audit.course", { setting: label, value: was }),
    after: now,
  }));
}

async function freshly(deps: App, course: Course): Promise<Course> {
  return (await deps.courses.find(course.id)) ?? course;
}

async function showSetUp(
  deps: App,
  { session, course }: InstructorVisit,
  answers: SetUpAnswers,
  { conflict }: { conflict: boolean },
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const courseName = courseNameOf(t, course);
  renderView(response, setUpPage, {
    t,
    title: t("setUp.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    conflict,
    setUp: setUpView(t, course, answers, { mayCorrect: mayIn(session, course, "corrections") }),
  });
}
