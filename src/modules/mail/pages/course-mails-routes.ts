import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { type AttendanceLimits, noLimits, type Course } from "../../../domain/course.ts";
import type { Translate } from "../../../web/translate.ts";
import { courseOptions } from "../../../settings/options.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import { saveOption } from "../../courses/change-settings.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
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

const answer = z.string().max(20).optional().catch("");
const posted = z.object({
  minutes: answer,
  digest: answer,
  low: answer,
  limits: z.enum(["follow", "off"]).optional().catch(undefined),
});

/** Null for what isn't offered. Undefined for what wasn't asked because the institution has locked it: it stays. */
function chosenFrom(fields: unknown) {
  const { minutes, digest, low, limits } = posted.parse(fields);
  const isWeekly = digest !== undefined || low !== undefined;
  return {
    limits,
    reminders: minutes === undefined ? undefined : courseOptions.reminders.form.read({ minutes }, {}),
    weekly: isWeekly
      ? courseOptions.weekly.form.read({ digest: digest ?? "", low: low ?? "" }, {})
      : undefined,
  };
}

/** /course/mails: which e-mails the course sends. For staff who may change settings. */
export function courseMailsRoutes(app: App): Router {
  const pages = coursePages(app);
  pages
    .page("/course/mails", {
      who: "settings",
      fields: chosenFrom,
      address: () => ({}),
      news: z.literal("saved"),
      view: defineView<CourseMailsPage>("course/mails"),
      model: courseMailsModel,
    })
    .act("/course/mails/save", {
      who: "settings",
      run: async ({ visit: { course, session }, fields: { reminders, weekly, limits }, after }) => {
        const t = app.translatorOf(course.language);
        const isOfMail = reminders !== undefined || weekly !== undefined;
        if (reminders === null || weekly === null || (isOfMail && app.config.mail === null))
          throw refusal("bad-request", { status: 400 });
        if (limits !== undefined) await watchLimits(app, course, session.personId, limits === "follow", t);
        if (reminders !== undefined)
          await saveReminders(app, course, session.personId, reminders, (one) =>
            t("label.value", { label: t("mail.course.reminders"), value: minutesText(t, one) }),
          );
        if (weekly !== undefined)
          await saveOption(app, course, session.personId, ["weekly", weekly], (one) => weeklyText(t, one));
        return after("saved");
      },
    });
  return pages.router;
}

/** Watches limits as the institution does, or not at all. */
async function watchLimits(app: App, course: Course, personId: string, follows: boolean, t: Translate) {
  const { values } = await app.institutionDefaults.find(course.registrationId);
  const watched = values.limits ?? noLimits;
  const to = follows ? watched : noLimits;
  if (!(await saveOption(app, course, personId, ["limits", to], (one) => limitsText(t, one)))) return;
  // Following isn't a choice of the course: the limits then change with the institution's.
  if (follows) await app.courses.setOption(course.id, "limits", null);
}

function limitsText(t: Translate, { list }: AttendanceLimits): string {
  return list.length === 0 ? t("common.off") : list.map(({ label }) => label).join("; ");
}

/** Null if the institution watches none. */
async function limitsCard(app: App, t: Translate, course: Course) {
  const { values } = await app.institutionDefaults.find(course.registrationId);
  const watched = values.limits ?? noLimits;
  if (watched.list.length === 0) return [];
  const option = (value: "follow" | "off", label: string) => ({
    value,
    label,
    chosen: (value === "off") === (course.limits.list.length === 0),
  });
  const options = [option("follow", limitsText(t, watched)), option("off", t("common.off"))];
  return [
    {
      name: "limits",
      heading: t("console.areas.limits"),
      lead: t("limits.course"),
      locked: isLocked(course, "limits") ? limitsText(t, watched) : null,
      selects: [{ field: "limits", label: t("limits.watched"), options }],
      example: [],
      needsMail: false,
    },
  ];
}

async function courseMailsModel(
  app: App,
  { visit: { course, session }, words }: PageContext<"settings", unknown>,
  news: "saved" | null,
) {
  const { t, times, now } = words;
  const member = await app.members.find(course.registrationId, course.id, session.personId);
  const { reminders, weekly } = course;
  const low = await lowLearners(app, course, 100);
  const below = (share: number) => low.filter(({ percent }) => percent < share).length;
  const learner = { personId: "", percent: 50, attended: 3, recorded: 6 };
  const time = times.clock(weeklyMoment(now, course.timeZone));
  return {
    title: t("mail.course.title", { course: courseNameOf(t, course) }),
    saved: news !== null,
    /** Whether the tool sends mail at all. */
    on: app.config.mail !== null,
    /** Whether the reader gets some of them. */
    mine: member !== null && (await myMailKinds(app, course, member)).length > 0,
    /** `locked`: what the institution has set for all courses. Null if the course chooses. */
    cards: [
      {
        name: "reminders",
        heading: t("mail.course.reminders"),
        lead: "",
        locked: isLocked(course, "reminders") ? minutesText(t, reminders) : null,
        selects: [{ field: "minutes", label: t("common.when"), options: reminderOptions(t, reminders) }],
        example: [],
        needsMail: true,
      },
      ...(await limitsCard(app, t, course)),
      {
        name: "weekly",
        needsMail: true,
        heading: t("mail.course.weekly"),
        lead: `${t("mail.course.weeklyLead", { time })} ${zoneText(t, course.timeZone, times, now)}`,
        locked: isLocked(course, "weekly") ? weeklyText(t, weekly) : null,
        // Each share says how many learners are below it now, and the warning's text is shown before it's switched on.
        selects: [
          { field: "digest", label: t("mail.course.digest"), options: digestOptions(t, weekly.digest) },
          { field: "low", label: t("mail.course.low"), options: lowOptions(t, weekly.low, below) },
        ],
        example: warningText(t, { course, share: weekly.low === 0 ? usualLowShare : weekly.low, learner }),
      },
    ],
  };
}
