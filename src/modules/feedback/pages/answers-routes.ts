import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import { type ClassFeedback, showFeedback, type ShowFeedbackDeps } from "../show-feedback.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { utcText } from "../../../web/utc-text.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type AnswersRoutesDeps = ShowFeedbackDeps & {
  courses: CourseStore;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

/** What learners answered after their classes. `asks`: whether they are asked. */
export type AnswersPage = CourseFrame & {
  asks: boolean;
  /** A day, and a moment (ms), in UTC. */
  day: (at: number) => string;
  moment: (at: number) => string;
  classes: (ClassFeedback & ReturnType<typeof inWords>)[];
};

const answersPage = defineView<AnswersPage>("ended/answers");

const formSchema = z.object({
  session: z.unknown().optional(),
  ask: z.enum(["yes", "no"]).nullable().catch(null),
});

/** POST /course/feedback: what learners answered; POST /course/feedback/asking turns the question on or off. For instructors. */
export function answersRoutes(deps: AnswersRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/feedback", form, async (request, response) => {
    const { session, course } = await visitOf(deps, request);
    await showAnswers(deps, session, course, response);
  });
  router.post("/course/feedback/asking", form, async (request, response) => {
    const { session, course, ask } = await visitOf(deps, request);
    const asks = ask === null ? course.asksFeedback : ask === "yes";
    await deps.courses.askFeedback(course.id, asks);
    await showAnswers(deps, session, { ...course, asksFeedback: asks }, response);
  });
  return router;
}

async function visitOf(
  deps: AnswersRoutesDeps,
  request: Request,
): Promise<{ session: Session; course: Course; ask: "yes" | "no" | null }> {
  const { session, course } = await instructorVisit(deps, request, "settings");
  return { session, course, ask: formSchema.parse(request.body ?? {}).ask };
}

async function showAnswers(
  deps: AnswersRoutesDeps,
  session: Session,
  course: Course,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const courseName = courseNameOf(t, course);
  const classes = await showFeedback(deps, course);
  renderView(response, answersPage, {
    t,
    title: t("ended.answers.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    asks: course.asksFeedback,
    day: dayFormatOf(t.locale),
    moment: (at: number) => utcText(t, at),
    classes: classes.map((one) => ({ ...one, ...inWords(t, one) })),
  });
}

/** Days are counted in UTC, so they are written so, too. */
function dayFormatOf(locale: string): (heldAt: number) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return (heldAt) => format.format(heldAt);
}

function inWords(t: Translate, { answers, average, unproven, soundAndPicture, moreComments }: ClassFeedback) {
  const number = (value: number) => numberText(t, value);
  const counts = (["yes", "partly", "no"] as const).filter((answer) => soundAndPicture[answer] > 0);
  return {
    count: t("ended.answers.count", { count: answers, number: number(answers) }),
    averageText:
      average === null
        ? t("ended.answers.notRated")
        : t("ended.answers.averageOf", { average: number(average) }),
    worked: counts.map((answer) => ({
      answer,
      text: t(`ended.answers.soundAndPictureCounts.${answer}`, { number: number(soundAndPicture[answer]) }),
    })),
    unprovenText:
      unproven === 0 ? null : t("ended.answers.unproven", { count: unproven, number: number(unproven) }),
    moreText:
      moreComments === 0
        ? null
        : t("ended.answers.moreComments", { count: moreComments, number: number(moreComments) }),
  };
}
