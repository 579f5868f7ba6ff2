import { z } from "zod";
import type { App } from "../../../app.ts";
import type { CoursePages, ReadPage } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import type { Translate } from "../../../web/translate.ts";
import { nameSections } from "../../members/sections.ts";
import { sectionNames } from "./section-names.ts";
import { type AboutSections, sectionsPage } from "./sections-page.ts";

const sectionsNews = z.union([
  z.object({ kind: z.literal("named") }),
  z.object({ kind: z.literal("linked"), lmsSectionId: z.string(), cohort: z.string() }),
  z.object({ kind: z.literal("unlinked"), lmsSectionId: z.string() }),
]);
export type SectionsNews = z.infer<typeof sectionsNews>;

/** Names come under "name." and the section's id. */
const posted = z.object({ page: z.coerce.number().int().min(1).max(100_000).catch(1) }).catchall(z.unknown());

/** The sections of a course, and which cohort each is, for instructors. /names names those that the LMS does not name. */
export function addSections(app: App, pages: CoursePages): ReadPage<SectionsNews> {
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
