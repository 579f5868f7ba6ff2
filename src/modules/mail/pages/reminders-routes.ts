import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { readReminderMinutes, remindersOf } from "../../../domain/reminder-rule.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { readNews } from "../../../web/page-news.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { saveReminders } from "../save-reminders.ts";
import { minutesText, reminderOptions } from "./reminder-options.ts";

export type RemindersPage = CourseFrame & {
  saved: boolean;
  /** Whether the tool sends mail at all. */
  on: boolean;
  /** The institution has set it for all courses: as text; null where the course chooses. */
  locked: string | null;
  options: { value: string; label: string; chosen: boolean }[];
};

const remindersView = defineView<RemindersPage>("course/mails");

const news = z.object({ what: z.literal("saved") });
const shape = z.object({ minutes: z.string().max(20).catch("") });

/** /course/mails: what e-mails the course sends. For whoever may change settings. */
export function remindersRoutes(app: App): Router {
  const pages = coursePages(app);
  const shown = pages.read(
    "/course/mails",
    { who: "settings", fields: noFields, news: readNews(news) },
    ({ visit, t }, said) => remindersPage(app, visit, t, said !== null),
  );
  pages.change(
    "/course/mails/reminders",
    { who: "settings", fields: (posted) => readReminderMinutes(shape.parse(posted).minutes) },
    async ({ visit: { course, session }, fields: minutes, t }) => {
      if (minutes === null || app.config.mail === null) throw refusal("bad-request", { status: 400 });
      await saveReminders(app, course, session.personId, minutes, (one) =>
        t("label.value", { label: t("mail.course.reminders"), value: minutesText(t, one) }),
      );
      return shown.after({}, { what: "saved" });
    },
  );
  return pages.router;
}

async function remindersPage(
  app: App,
  { course }: InstructorVisit,
  t: Translate,
  saved: boolean,
): Promise<PageAnswer> {
  const { reminders } = await app.institutionDefaults.find(course.registrationId);
  const minutes = remindersOf(course.reminders, reminders);
  return page(remindersView, {
    title: t("mail.course.title", { course: courseNameOf(t, course) }),
    ...{ saved, on: app.config.mail !== null },
    locked: reminders?.locked === true ? minutesText(t, minutes) : null,
    options: reminderOptions(t, minutes),
  });
}
