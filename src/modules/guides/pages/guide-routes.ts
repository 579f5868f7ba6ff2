import type { Router } from "express";
import type { App } from "../../../app.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import type { MessageKey } from "../../../web/translate.ts";
import type { IconName } from "../../../web/page-parts.ts";
import type { CourseArea, GuideName } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { mayIn } from "../../../web/visits.ts";

export type GuidePage = PageOf<ReturnType<typeof guideModel>>;

/** What each guide's template says below its picture. */
export type GuideFoot = GuidePage & {
  steps: readonly string[];
  /** The pages that it explains, the main one first. */
  ways: readonly { address: string; icon: IconName; text: string }[];
};

type Guide = {
  name: GuideName;
  /** The readers of the pages that it explains. */
  who: "anybody" | "settings" | "grades";
  /** The tab that it belongs to. */
  area: CourseArea;
  heading: MessageKey;
};

/** In the order of the tabs. `views/guides` has their text and pictures. */
export const guides: readonly Guide[] = [
  { name: "home", who: "settings", area: "home", heading: "nav.home" },
  { name: "sessions", who: "settings", area: "sessions", heading: "nav.sessions" },
  { name: "attendance", who: "grades", area: "attendance", heading: "nav.attendance" },
  { name: "grades", who: "grades", area: "grades", heading: "nav.grades" },
  { name: "grading", who: "grades", area: "settings", heading: "grading.heading" },
  { name: "recordings", who: "settings", area: "recordings", heading: "nav.recordings" },
  { name: "people", who: "settings", area: "people", heading: "nav.people" },
  { name: "settings", who: "settings", area: "settings", heading: "nav.settings" },
  { name: "learner", who: "anybody", area: "home", heading: "guide.learner.heading" },
];

/** A page per guide, for people who may open its area. */
export function guideRoutes(app: App): Router {
  const pages = coursePages(app);
  for (const guide of guides)
    pages.page(`/course/guide/${guide.name}`, {
      who: guide.who,
      fields: noFields,
      view: defineView<GuidePage>(`guides/${guide.name}`),
      model: guideModel(guide),
    });
  return pages.router;
}

function guideModel({ name, area, heading }: Guide) {
  return (_app: App, { visit: { session, course }, words: { t } }: PageContext<Guide["who"]>) => {
    const others = guides.filter(
      (other) => other.name !== name && other.who !== "anybody" && mayIn(session, course, other.who),
    );
    return Promise.resolve({
      title: t("guide.title", { area: t(heading), course: courseNameOf(t, course) }),
      name,
      area,
      heading: t(heading),
      /** Whether the reader's role includes learners' attendance and grades. */
      seesGrades: mayIn(session, course, "grades"),
      /** Other guides that the reader may read. */
      others: others.map((other) => ({ name: other.name, text: t(other.heading) })),
    });
  };
}
