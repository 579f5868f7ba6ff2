import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { courseOptions } from "../../../settings/options.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import { saveOption } from "../../courses/change-settings.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import { lowLearners, usualLowShare } from "../weekly-mails.ts";
import { myMailKinds, saveReminders } from "../mail-choices.ts";
import { weeklyMoment } from "../rules/due.ts";
import { warningText } from "./write-mail.ts";
import {
  digestOptions,
  lowOptions,
  minutesText,
  reminderOptions,
  weeklyText,
} from "./course-mail-options.ts";

export type CourseMailsPage = PageOf<typeof courseMailsModel>;

const typed = z.string().max(20).catch("");
const shape = z.object({ minutes: typed });
const weeklyShape = z.object({ digest: typed, low: typed });

/** /course/mails: what e-mails the course sends. For staff who may change settings. */
export function courseMailsRoutes(app: App): Router {
  const pages = coursePages(app);
  const page = pages.page("/course/mails", {
    who: "settings",
    fields: noFields,
    news: z.literal("saved"),
    view: defineView<CourseMailsPage>("course/mails"),
    model: courseMailsModel,
  });
  pages.change(
    "/course/mails/reminders",
    { who: "settings", fields: (posted) => courseOptions.reminders.form.read(shape.parse(posted), {}) },
    async ({ visit: { course, session }, fields: minutes, t }) => {
      if (minutes === null || app.config.mail === null) throw refusal("bad-request", { status: 400 });
      await saveReminders(app, course, session.personId, minutes, (one) =>
        t("label.value", { label: t("mail.course.reminders"), value: minutesText(t, one) }),
      );
      return page.after({}, "saved");
    },
  );
  pages.change(
    "/course/mails/weekly",
    { who: "settings", fields: (posted) => courseOptions.weekly.form.read(weeklyShape.parse(posted), {}) },
    async ({ visit: { course, session }, fields: weekly, t }) => {
      if (weekly === null || app.config.mail === null) throw refusal("bad-request", { status: 400 });
      await saveOption(app, course, session.personId, ["weekly", weekly], (one) => weeklyText(t, one));
      return page.after({}, "saved");
    },
  );
  return pages.router;
}

async function courseMailsModel(
  app: App,
  { visit: { course, session }, words }: PageAsked<"settings">,
  news: "saved" | null,
) {
  const { t } = words;
  const { reminders: minutes } = course;
  const member = await app.members.find(course.registrationId, course.id, session.personId);
  return {
    title: t("mail.course.title", { course: courseNameOf(t, course) }),
    saved: news !== null,
    /** Whether the tool sends mail at all. */
    on: app.config.mail !== null,
    /** What the institution has set for all courses; null where the course chooses. */
    locked: isLocked(course, "reminders") ? minutesText(t, minutes) : null,
    options: reminderOptions(t, minutes),
    /** Whether the reader gets some of them. */
    mine: member !== null && (await myMailKinds(app, course, member)).length > 0,
    weekly: await weeklyView(app, course, words),
  };
}

/** Each share says how many learners are below it now, and the warning is shown before it is switched on. */
async function weeklyView(app: App, course: Course, { t, times, now }: PageWords) {
  const { weekly } = course;
  const low = await lowLearners(app, course, 100);
  const below = (share: number) => low.filter(({ percent }) => percent < share).length;
  const learner = { personId: "", percent: 50, attended: 3, recorded: 6 };
  return {
    /** When they are sent on Mondays, and by which clock. */
    time: times.clock(weeklyMoment(now, course.timeZone)),
    zone: zoneText(t, course.timeZone, times, now),
    locked: isLocked(course, "weekly") ? weeklyText(t, weekly) : null,
    selects: [
      { name: "digest", label: t("mail.course.digest"), options: digestOptions(t, weekly.digest) },
      { name: "low", label: t("mail.course.low"), options: lowOptions(t, weekly.low, below) },
    ],
    example: warningText(t, { course, share: weekly.low === 0 ? usualLowShare : weekly.low, learner }),
  };
}
