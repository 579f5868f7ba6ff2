import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { lookForCohorts, readCohort, readUnread } from "../cohorts.ts";
import { deletedSince } from "../rules/cohort.ts";
import { linkSection, sectionUnknown, unlinkSection } from "../section-links.ts";
import { nameSections } from "../../members/sections.ts";
import type { Answer } from "../../../web/answer.ts";
import {
  type After,
  coursePages,
  type CoursePages,
  noFields,
  type ReadPage,
} from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { type AboutPick, differencePage, historyPage, pickPage } from "./cohort-pages.ts";
import { sectionNames } from "./cohorts-view.ts";
import { type AboutSections, sectionsPage } from "./sections-page.ts";

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

const sectionsNews = z.union([
  z.object({ kind: z.literal("named") }),
  z.object({ kind: z.literal("linked"), lmsSectionId: z.string(), cohort: z.string() }),
  z.object({ kind: z.literal("unlinked"), lmsSectionId: z.string() }),
]);
type SectionsNews = z.infer<typeof sectionsNews>;

/** Names come under "name." and the section's id. */
const posted = z.object({ page: z.coerce.number().int().min(1).max(100_000).catch(1) }).catchall(z.unknown());

/** The sections of a course, and which cohort each is, for instructors. /names names those that the LMS does not name. */
function addSections(app: App, pages: CoursePages): ReadPage<SectionsNews> {
  const options = {
    who: "settings",
    fields: (fields: unknown) => posted.parse(fields),
    form: { maxBytes: 128 * 1024 },
  } as const;
  const sections = pages.read(
    "/course/people/sections",
    { ...options, news: readNews(sectionsNews), address: ({ page }) => ({ page: String(page) }) },
    async ({ visit, fields, t }, news) =>
      sectionsPage(app, visit, fields, news === null ? {} : await aboutNews(app, visit, t, news)),
  );
  pages.change("/course/people/names", options, async ({ visit, fields: { page, ...fields } }) => {
    const typed = new Map(
      Object.entries(fields).flatMap(([name, value]) =>
        name.startsWith("name.") && typeof value === "string" ? [[name.slice(5), value] as const] : [],
      ),
    );
    const tooLong = await nameSections(app, visit.course, visit.session.personId, typed);
    return tooLong.length > 0
      ? sectionsPage(app, visit, { page }, { typed, tooLong }, 422)
      : sections.after({ page: String(page) }, { kind: "named" });
  });
  return sections;
}

async function aboutNews(
  app: App,
  visit: InstructorVisit,
  t: Translate,
  news: SectionsNews,
): Promise<AboutSections> {
  if (news.kind === "named") return { saved: true };
  const { lmsSectionId } = news;
  const section = (await sectionNames(app, visit)).labels(lmsSectionId);
  const text =
    news.kind === "linked"
      ? t("cohorts.news.linked", { section, cohort: news.cohort })
      : t("cohorts.news.unlinked", { section });
  return { about: { lmsSectionId, text, bad: false } };
}
