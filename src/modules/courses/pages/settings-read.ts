import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Answer } from "../../../web/answer.ts";
import type { Asked } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { readNews } from "../../../web/page-news.ts";
import { linkOfCourse } from "../../links/change-link.ts";
import { type SettingsNews, settingsNews, settingsPage, type SettingsVisit } from "./settings-page.ts";

type Scope = Pick<SettingsVisit, "scope">;

export const settingsScope = z.enum(["course", "link"]).catch("course");

const shape = z.object({ scope: settingsScope });

/** /course/settings, for `read` and for changes of other modules that lead to it. */
export function settingsRead(app: App) {
  return [
    "/course/settings",
    {
      who: "settings",
      fields: (posted: unknown): Scope => shape.parse(posted),
      form: { limit: "128kb" },
      news: readNews(settingsNews),
      address: ({ scope }: Scope) => ({ scope }),
    },
    async (
      { visit, fields: { scope } }: Asked<"settings", Scope>,
      news: SettingsNews | null,
    ): Promise<Answer> => settingsPage(app, await settingsVisit(app, visit, scope), { news }),
  ] as const;
}

/** A link's only where the page was opened by one. */
export async function settingsVisit(
  app: App,
  { session, course }: InstructorVisit,
  scope: SettingsVisit["scope"],
): Promise<SettingsVisit> {
  const link = await linkOfCourse(app, course, session.courseLinkId);
  return { session, course, link, scope: link === null ? "course" : scope };
}
