import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { type ClassFeedback, showFeedback } from "../show-feedback.ts";

export type AnswersPage = CourseFrame & {
  asks: boolean;
  /** A day of UTC. */
  day: (at: number) => string;
  /** A moment (ms) in the course's zone. */
  moment: (at: number) => string;
  zone: string;
  classes: (ClassFeedback & ReturnType<typeof inWords>)[];
};

const answersView = defineView<AnswersPage>("ended/answers");

const shape = z.object({ ask: z.enum(["yes", "no"]).nullable().catch(null) });

/** /course/feedback: the answers; /asking turns the question on or off. For instructors. */
export function answersRoutes(app: App): Router {
  const pages = coursePages(app);
  const settings = { who: "settings", fields: (posted: unknown) => shape.parse(posted) } as const;
  const answers = pages.read("/course/feedback", settings, ({ visit }) => answersPage(app, visit));
  pages.change("/course/feedback/asking", settings, async ({ visit: { course }, fields: { ask } }) => {
    const asks = ask === null ? course.asksFeedback : ask === "yes";
    await app.courses.askFeedback(course.id, asks);
    return answers.after({}, null);
  });
  return pages.router;
}

async function answersPage(app: App, { session, course }: InstructorVisit): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const classes = await showFeedback(app, course);
  const times = courseTimes(course, t.locale);
  return page(answersView, {
    title: t("ended.answers.title", { course: courseNameOf(t, course) }),
    asks: course.asksFeedback,
    day: courseTimes({ timeZone: null }, t.locale).date,
    moment: times.text,
    zone: times.place(app.clock.now()),
    classes: classes.map((one) => ({ ...one, ...inWords(t, one) })),
  });
}

function inWords(t: Translate, { answers, average, soundAndPicture, moreComments }: ClassFeedback) {
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
    moreText:
      moreComments === 0
        ? null
        : t("ended.answers.moreComments", { count: moreComments, number: number(moreComments) }),
  };
}
