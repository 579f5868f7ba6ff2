import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { type UnplannedRule, readUnplannedRule } from "../../../domain/unplanned-rule.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages, noFields, type ReadPage } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { readNews } from "../../../web/page-news.ts";
import { leavesColumn } from "../../grading/leaves-column.ts";
import { answerClass, findClass } from "../answer-class.ts";
import { ruleOfCourse } from "../list-unplanned.ts";
import { sessionIdOf } from "../rules/records.ts";
import { saveRule } from "../save-rule.ts";
import { waitForSession } from "../wait-for-session.ts";
import { ruleText, unplannedPage, unplannedNews, type UnplannedNews } from "./unplanned-page.ts";

const answered = z.object({
  class: z.string().min(1).max(100),
  answer: z.enum(["class", "none"]),
  /** The times that the page showed: people may have been told of since. */
  from: z.coerce.number().int(),
  to: z.coerce.number().int(),
  /** "on": the same with every class from now on. */
  same: z.string().optional(),
});

const typed = z.string().max(20).catch("");
const ruleShape = z.object({ answer: typed, presentFrom: typed, lateAfter: typed });

/** /course/unplanned: classes that nobody planned, for instructors who may mark attendance. */
export function unplannedRoutes(app: App): Router {
  const pages = coursePages(app);
  const shown = pages.read(
    "/course/unplanned",
    { who: "corrections", fields: noFields, news: readNews(unplannedNews) },
    ({ visit }, news) => unplannedPage(app, visit, news),
  );
  pages.change(
    "/course/unplanned/answer",
    { who: "corrections", fields: (posted) => posted },
    async ({ visit, fields }) => {
      const read = answered.safeParse(fields);
      if (!read.success) throw refusal("bad-request", { status: 400 });
      return answer(app, shown, visit, read.data);
    },
  );
  pages.change(
    "/course/unplanned/rule",
    { who: "corrections", fields: (posted) => readUnplannedRule(ruleShape.parse(posted)) },
    async ({ visit, fields: rule }) => {
      if (rule === null) throw refusal("bad-request", { status: 400 });
      await save(app, visit, rule);
      return shown.after({}, { what: "saved" });
    },
  );
  return pages.router;
}

async function answer(
  app: App,
  shown: ReadPage<UnplannedNews>,
  visit: InstructorVisit,
  { class: id, answer: to, from, to: until, same }: z.infer<typeof answered>,
) {
  const { course, session } = visit;
  const found = await findClass(app, course, id);
  if (found.startsAt !== from || found.endsAt !== until) return shown.after({}, { what: "changed" });
  const { rule, isLocked } = await ruleOfCourse(app, course);
  const { personId: by } = session;
  const done = await answerClass(app, course, found, { to, by, rule });
  if (same !== undefined && !isLocked)
    await save(app, visit, { ...rule, answer: to === "class" ? "always" : "never" });
  if (!done) return shown.after({}, { what: "already" });
  const settled = await waitForSession(app, id, to);
  if (to === "class") return shown.after({}, { what: settled ? "made" : "making" });
  if (found.state !== "class") return shown.after({}, { what: "dismissed" });
  const column = await leavesColumn(app, await asItIs(app, course), sessionIdOf(found));
  return shown.after({}, { what: "taken-back", column });
}

async function save(app: App, { course, session }: InstructorVisit, rule: UnplannedRule): Promise<void> {
  const t = app.translatorOf(null);
  await saveRule(app, await asItIs(app, course), session.personId, rule, (one) => ruleText(t, one));
}

/** Another page may have changed it meanwhile. */
async function asItIs(app: App, course: Course): Promise<Course> {
  return (await app.courses.find(course.id)) ?? course;
}
