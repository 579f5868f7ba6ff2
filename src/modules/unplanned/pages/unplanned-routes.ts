import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course, UnplannedRule } from "../../../domain/course.ts";
import { courseOptions } from "../../../settings/options.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import { cutTo, showsNothing } from "../../../kernel/text.ts";
import { maxTitleLength } from "../../scheduling/rules/course-session.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { defineView } from "../../../web/view.ts";
import { leavesColumn } from "../../grading/update-columns.ts";
import { answerClass, type ClassAnswer, findClass, saveRule, waitForSession } from "../answer-class.ts";
import { postponedTo } from "../visits-of-space.ts";
import { sessionIdOf, typedTimes, type UnplannedClass } from "../rules/compare-classes.ts";
import {
  ruleText,
  unplannedModel,
  unplannedNews,
  type UnplannedNews,
  type UnplannedPage,
} from "./unplanned-page.ts";

const answered = z.object({
  class: z.string().min(1).max(100),
  answer: z.enum(["class", "none"]).optional(),
  /** Instead of an answer: the planned session that it was. */
  postponed: z.string().min(1).max(255).optional(),
  /** The times that the page showed, because more people may have been reported since. */
  from: z.coerce.number().int(),
  to: z.coerce.number().int(),
  /** Other times, if the class is to have others. */
  began: z.string().max(20).optional(),
  ended: z.string().max(20).optional(),
  /** The session's title. */
  title: z
    .string()
    .optional()
    .transform((text = "") =>
      showsNothing(text) ? {} : { named: { title: cutTo(text.trim(), maxTitleLength) } },
    ),
  /** "on": the same for every class from now on. */
  same: z.string().optional(),
});

/** Where the reader came from. "from" is already a time in an answer's form. */
const cameFrom = z.object({ back: z.enum(["home", "sessions"]).nullable().catch(null) });

const typed = z.string().max(20).catch("");
const ruleShape = z.object({ answer: typed, presentFrom: typed, lateAfter: typed });

/** /course/unplanned: unplanned classes, for instructors who may mark attendance. */
export function unplannedRoutes(app: App): Router {
  const pages = coursePages(app);
  const page = pages.page("/course/unplanned", {
    who: "corrections",
    fields: cameFrom,
    address: backTo,
    news: unplannedNews,
    view: defineView<UnplannedPage>("course/unplanned"),
    model: unplannedModel,
  });
  pages.change(
    "/course/unplanned/answer",
    { who: "corrections", fields: (posted) => posted },
    async ({ visit, fields }) => {
      const read = answered.safeParse(fields);
      if (!read.success || (read.data.answer ?? read.data.postponed) === undefined)
        throw refusal("bad-request", { status: 400 });
      const back = backTo(cameFrom.parse(fields));
      return page.after(back, await answer(app, visit, read.data));
    },
  );
  pages.change(
    "/course/unplanned/rule",
    {
      who: "corrections",
      fields: (posted) => ({
        rule: courseOptions.unplanned.form.read(ruleShape.parse(posted), {}),
        back: backTo(cameFrom.parse(posted)),
      }),
    },
    async ({ visit, fields: { rule, back } }) => {
      if (rule === null) throw refusal("bad-request", { status: 400 });
      await save(app, visit, rule);
      return page.after(back, { what: "saved" });
    },
  );
  return pages.router;
}

function backTo({ back }: z.infer<typeof cameFrom>) {
  return { back: back ?? "" };
}

async function answer(
  app: App,
  visit: InstructorVisit,
  {
    class: id,
    answer: to = "class",
    title: name,
    postponed,
    from,
    to: until,
    same,
    ...typed
  }: z.infer<typeof answered>,
): Promise<UnplannedNews> {
  const { course, session } = visit;
  const found = await findClass(app, course, id);
  if (found.startsAt !== from || found.endsAt !== until) return { what: "changed" };
  const { unplanned: rule } = course;
  if (postponed !== undefined && !(await mayBe(app, course, found, postponed))) return { what: "changed" };
  const { personId: by } = session;
  const times = to === "class" ? timesIn(app, course, found, typed) : {};
  const eventId = postponed === undefined ? {} : { eventId: postponed };
  const done = await answerClass(app, course, found, { to, by, rule, ...name, ...times, ...eventId });
  if (same !== undefined && !isLocked(course, "unplanned"))
    await save(app, visit, { ...rule, answer: to === "class" ? "always" : "never" });
  return done ? newsOf(app, course, found, to) : { what: "already" };
}

/** The news once it was carried out, or a few seconds later. */
async function newsOf(
  app: App,
  course: Course,
  found: UnplannedClass,
  to: ClassAnswer["to"],
): Promise<UnplannedNews> {
  const settled = await waitForSession(app, found.id, to);
  if (to === "class") return { what: settled ? "made" : "making" };
  if (found.state !== "class") return { what: "dismissed" };
  const column = await leavesColumn(app, await courseNow(app, course), sessionIdOf(found));
  return { what: "taken-back", column };
}

/** @throws NamedError "unplanned-class-times" */
function timesIn(
  app: App,
  { timeZone }: Course,
  found: UnplannedClass,
  { began, ended }: { began?: string | undefined; ended?: string | undefined },
): Pick<ClassAnswer, "times"> {
  if (began === undefined || ended === undefined) return {};
  const times = typedTimes(found, { began, ended }, timeZone ?? "UTC", app.clock.now());
  if (times === null) throw refusal("unplanned-class-times", { status: 422 });
  return { times };
}

async function mayBe(app: App, course: Course, found: UnplannedClass, chosen: string): Promise<boolean> {
  return (await postponedTo(app, course, found)).some(({ eventId }) => eventId === chosen);
}

async function save(app: App, { course, session }: InstructorVisit, rule: UnplannedRule): Promise<void> {
  const t = app.translatorOf(course.language);
  await saveRule(app, await courseNow(app, course), session.personId, rule, (one) => ruleText(t, one));
}

/** Another page may have changed it since. */
async function courseNow(app: App, course: Course): Promise<Course> {
  return (await app.courses.find(course.id)) ?? course;
}
