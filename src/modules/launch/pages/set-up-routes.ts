import type { Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import type { App } from "../../../app.ts";
import { answerSetUp, presentAnswers, type SetUpAnswers } from "../set-up.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import { formOfCourse } from "../../courses/pages/settings-form.ts";
import { differenceWords } from "../../courses/pages/settings-view.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { homeAfter } from "./home-page.ts";
import { isLocked, type SetUpView, setUpView } from "./home-panels.ts";
import { courseNameOf } from "../../../web/course-words.ts";

/** `conflict`: the course was changed meanwhile. */
export type SetUpPage = CourseFrame & { conflict: boolean; setUp: SetUpView };

const setUpPageView = defineView<SetUpPage>("launch/set-up");

const revision = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .catch(-1);

/** An answer that was not offered counts as missing. */
const formSchema = z.object({
  act: z.enum(["save", "later", "hide"]).catch("save"),
  settingsRevision: revision,
  policyRevision: revision,
  grading: z.enum(["one-column", "column-per-session", "no-grades"]).nullable().catch(null),
  mode: z.enum(["tab", "embedded"]).nullable().catch(null),
  learnersStart: z.enum(["yes", "no"]).nullable().catch(null),
  opens: z.enum(["always", "around-sessions"]).nullable().catch(null),
});
type Posted = z.infer<typeof formSchema>;

/** For instructors, at any time. /save takes the answers, puts the questions off, or hides the list of first steps. */
export function setUpRoutes(app: App): Router {
  const pages = coursePages(app);
  const who = "settings";
  pages.read("/course/set-up", { who, fields: noFields }, ({ visit }) =>
    Promise.resolve(setUpPage(app, visit, presentAnswers(visit.course), { conflict: false })),
  );
  pages.change(
    "/course/set-up/save",
    { who, fields: (posted) => formSchema.parse(posted) },
    async ({ visit, fields }) => {
      const { session, course } = visit;
      if (fields.act === "hide") {
        await app.courses.moveSetUp(course.id, ["open", "asked", "later", "done"], "hidden");
        return homeAfter(app, pages, { what: "set-up", answer: "hidden" });
      }
      if (fields.act === "later") {
        await app.courses.moveSetUp(course.id, ["open", "asked"], "later");
        return homeAfter(app, pages, { what: "set-up", answer: "later" });
      }
      const grading = mayIn(session, course, "corrections") ? fields.grading : null;
      const answers = answersIn({ ...fields, grading }, course);
      if (await save(app, visit, fields, answers))
        return homeAfter(app, pages, { what: "set-up", answer: "saved" });
      const now = (await app.courses.find(course.id)) ?? course;
      return setUpPage(app, { session, course: now }, answers, { conflict: true });
    },
  );
  return pages.router;
}

/** @returns false: the course was changed since the questions were shown. */
function save(
  app: App,
  { session, course }: InstructorVisit,
  { settingsRevision, policyRevision }: Posted,
  answers: SetUpAnswers,
): Promise<boolean> {
  const t = app.translatorOf(null); // the trail is in one language
  return answerSetUp(app, course, {
    personId: session.personId,
    answers,
    settingsRevision,
    policyRevision,
    policyText: (policy) => policyWords(t, policy).join(" "),
    linesOf: (before, after) => settingsLines(t, before, after),
  });
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

/** As the settings page writes them into the trail, without sections. */
function settingsLines(t: Translate, before: Course, after: Course) {
  const from = { sectionKind: "groups" as const, sections: [] };
  return differenceWords(t, from, formOfCourse(before), formOfCourse(after)).map(({ label, was, now }) => ({
    before: t("settings.audit.course", { setting: label, value: was }),
    after: now,
  }));
}

function setUpPage(
  app: App,
  { session, course }: InstructorVisit,
  answers: SetUpAnswers,
  { conflict }: { conflict: boolean },
): PageAnswer {
  const t = app.translatorOf(session.locale);
  return page(
    setUpPageView,
    {
      title: t("setUp.title", { course: courseNameOf(t, course) }),
      conflict,
      setUp: setUpView(t, course, answers, { mayCorrect: mayIn(session, course, "corrections") }),
    },
    conflict ? { status: 409 } : {},
  );
}
