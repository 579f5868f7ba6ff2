import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { Answer } from "../../../web/answer.ts";
import { type After, coursePages, noFields, type ReadPage } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import { numberText } from "../../../web/page-text.ts";
import { linkSection, sectionUnknown, unlinkSection } from "../link-section.ts";
import { lookForCohorts } from "../look-for-cohorts.ts";
import { readCohort, readUnread } from "../refresh-cohort.ts";
import { deletedSince } from "../rules/cohort.ts";
import { type AboutPick, pickPage } from "./cohorts-pick-page.ts";
import { differencePage } from "./difference-page.ts";
import { historyPage } from "./history-page.ts";
import { sectionsPage } from "./sections-page.ts";
import { addSections, type SectionsNews } from "./sections-routes.ts";

const id = z.string().max(300).catch("");
const carried = z.object({
  section: id,
  program: id,
  cohort: id,
  link: id,
  search: z.string().max(100).catch(""),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});
type Posted = z.infer<typeof carried>;

const lookedSchema = z.object({ found: z.number(), more: z.boolean() });
type Looked = z.infer<typeof lookedSchema>;

/** For instructors. /find takes a cohort's ids, /look reads the classroom's list, /read one cohort again. */
export function cohortsRoutes(app: App): Router {
  const pages = coursePages(app);
  const sections = addSections(app, pages);
  const options = { who: "settings", fields: (posted: unknown) => carried.parse(posted) } as const;
  const choose = pages.read(
    "/course/cohorts/choose",
    { ...options, news: readNews(lookedSchema) },
    ({ visit, fields, t }, looked) => {
      if (looked === null) return pickPage(app, visit, fields);
      const { found, more } = looked;
      const count = t("cohorts.pick.looked", { count: found, number: numberText(t, found) });
      const text = more ? `${count} ${t("cohorts.pick.lookedMore")}` : count;
      return pickPage(app, visit, fields, { looked: { text, bad: more } });
    },
  );
  pages.read("/course/cohorts/find", options, ({ visit, fields }) => find(app, visit, fields));
  pages.change("/course/cohorts/look", options, ({ visit, fields }) => look(app, choose, visit, fields));
  pages.change("/course/cohorts/link", options, ({ visit, fields }) => link(app, sections, visit, fields));
  pages.change("/course/cohorts/unlink", options, ({ visit, fields }) =>
    unlink(app, sections, visit, fields),
  );
  const difference = pages.read(
    "/course/cohorts/difference",
    { ...options, news: readNews(z.enum(["read", "readGone"])) },
    ({ visit, fields, t }, news) => {
      const about = news === null ? null : { text: t(`cohorts.news.${news}`), bad: news === "readGone" };
      return differencePage(app, visit, fields.section, about);
    },
  );
  pages.change("/course/cohorts/read", options, ({ visit, fields }) =>
    readAgain(app, difference, visit, fields),
  );
  pages.read("/course/cohorts/history", { who: "settings", fields: noFields }, ({ visit }) =>
    historyPage(app, visit),
  );
  return pages.router;
}

async function find(app: App, visit: InstructorVisit, posted: Posted): Promise<Answer> {
  const [programId, cohortId] = [posted.program.trim(), posted.cohort.trim()];
  const ids = { programId, cohortId };
  const refuse = (problem: NonNullable<AboutPick["problem"]>, status: number) =>
    pickPage(app, visit, posted, { ids, problem }, status);
  if (programId === "" || cohortId === "") return refuse("idsMissing", 422);
  try {
    const { environment } = visit.course;
    const found = await readCohort(app, { environment, ...ids }, { priority: "instructor" });
    if (found === null || deletedSince(found) !== null) return await refuse("notFound", 404);
    return await pickPage(app, visit, posted, { found, ids });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    return refuse("notRead", 503);
  }
}

async function look(
  app: App,
  choose: ReadPage<Looked>,
  visit: InstructorVisit,
  posted: Posted,
): Promise<Answer | After> {
  const t = app.translatorOf(visit.session.locale);
  try {
    const { found, more } = await lookForCohorts(app, visit.course.environment);
    const { section, search, page } = posted;
    return choose.after({ section, search, page: String(page) }, { found, more: more !== null });
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status === 404) throw thrown;
    const looked = { text: t("cohorts.pick.notRead"), bad: true };
    return pickPage(app, visit, posted, { looked }, 503);
  }
}

async function link(
  app: App,
  sections: ReadPage<SectionsNews>,
  visit: InstructorVisit,
  { section, program, cohort, page }: Posted,
): Promise<Answer | After> {
  const { course, session } = visit;
  try {
    const wanted = { lmsSectionId: section, programId: program, cohortId: cohort };
    await readUnread(app, { environment: course.environment, ...wanted });
    const made = await linkSection(app, course, session.personId, wanted);
    const { lmsSectionId, cohortName, cohortId } = made;
    const news = { kind: "linked", lmsSectionId, cohort: cohortName ?? cohortId } as const;
    return sections.after({ page: String(page) }, news);
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.code === "section-unknown") throw thrown;
    const about = { lmsSectionId: section, text: thrown.message, bad: true };
    return sectionsPage(app, visit, { page }, { about }, 409);
  }
}

async function unlink(
  app: App,
  sections: ReadPage<SectionsNews>,
  visit: InstructorVisit,
  { link: linkId, section, page }: Posted,
): Promise<Answer | After> {
  const { course, session } = visit;
  const ended = await unlinkSection(app, course, session.personId, linkId);
  if (ended !== null) {
    return sections.after({ page: String(page) }, { kind: "unlinked", lmsSectionId: ended.lmsSectionId });
  }
  const text = app.translatorOf(session.locale)("cohorts.news.gone");
  return sectionsPage(app, visit, { page }, { about: { lmsSectionId: section, text, bad: true } }, 409);
}

async function readAgain(
  app: App,
  difference: ReadPage<"read" | "readGone">,
  visit: InstructorVisit,
  { section }: Posted,
): Promise<Answer | After> {
  const { course, session } = visit;
  const { registrationId, id: courseId } = course;
  const linked = await app.sectionLinks.findLinked({ registrationId, courseId, lmsSectionId: section });
  if (linked === null) throw sectionUnknown();
  try {
    const read = await readCohort(app, linked, { priority: "instructor" });
    const gone = read === null || deletedSince(read) !== null;
    return difference.after({ section }, gone ? "readGone" : "read");
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const text = app.translatorOf(session.locale)("cohorts.pick.notRead");
    return differencePage(app, visit, section, { text, bad: true }, 503);
  }
}
