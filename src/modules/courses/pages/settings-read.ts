import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Answer } from "../../../web/answer.ts";
import type { Asked } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import { linkOfCourse } from "../../links/links.ts";
import { withoutLocked } from "../../../settings/forms.ts";
import { formOfPosted, type SettingsForm } from "./settings-form.ts";
import {
  revisionOf,
  type SettingsNews,
  settingsNews,
  settingsPage,
  type SettingsVisit,
  storedForm,
} from "./settings-page.ts";

type Scope = Pick<SettingsVisit, "scope">;

/** What a form of settings was shown with. */
export const shownRevision = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .catch(-1);

export const settingsScope = z.enum(["course", "link"]).catch("course");

const shape = z.object({ scope: settingsScope });
const typedShape = z.object({ scope: settingsScope, revision: shownRevision });

/** /course/settings, for `read` and for changes of other modules that lead to it. */
export function settingsRead(app: App) {
  return [
    "/course/settings",
    {
      who: "settings",
      fields: (posted: unknown): Scope => shape.parse(posted),
      form: { maxBytes: 128 * 1024 },
      news: readNews(settingsNews),
      address: ({ scope }: Scope) => ({ scope }),
      isForm: true,
    },
    async (
      { visit: who, fields: { scope }, typed }: Asked<"settings", Scope>,
      news: SettingsNews | null,
    ): Promise<Answer> => {
      const visit = await settingsVisit(app, who, scope);
      const form = typed === null ? null : typedStill(visit, typed.posted);
      return settingsPage(app, visit, form === null ? { news } : { news, form, isTyped: true });
    },
  ] as const;
}

/** What was typed, without what is locked. */
export function typedIn(visit: SettingsVisit, typed: SettingsForm): SettingsForm {
  return withoutLocked(typed, storedForm(visit), visit.course.locked);
}

/** What was typed into this form, while what is stored is what it was shown with. */
function typedStill(visit: SettingsVisit, posted: unknown): SettingsForm | null {
  const { scope, revision } = typedShape.parse(posted);
  return scope === visit.scope && revision === revisionOf(visit)
    ? typedIn(visit, formOfPosted(posted))
    : null;
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
