import type { Router } from "express";
import type { App } from "../../../app.ts";
import { page } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { MessageKey } from "../../../web/english.ts";
import type { IconName } from "../../../web/page-parts.ts";
import type { CourseArea, CourseFrame, GuideName } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { mayIn } from "../../../web/visits.ts";

export type GuidePage = CourseFrame & {
  name: GuideName;
  area: CourseArea;
  teaches: boolean;
  heading: string;
  /** Whether the reader's role includes learners' attendance and grades. */
  seesGrades: boolean;
  /** Other guides that the reader may read. */
  others: { name: GuideName; text: string }[];
};

/** What each guide's template says below its picture. */
export type GuideFoot = GuidePage & {
  steps: readonly string[];
  /** The pages that it explains, the first one first. */
  ways: readonly { address: string; icon: IconName; text: string }[];
};

type Guide = {
  name: GuideName;
  /** As the pages that it explains are read. */
  who: "anybody" | "settings" | "grades";
  /** The tab that it belongs to. */
  area: CourseArea;
  heading: MessageKey;
};

/** In the order of the tabs; what they say and show is in `views/guides`. */
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

/** A page for each guide, for those who may open its area. */
export function guideRoutes(app: App): Router {
  const pages = coursePages(app);
  for (const { name, who, area, heading } of guides) {
    const view = defineView<GuidePage>(`guides/${name}`);
    pages.read(`/course/guide/${name}`, { who, fields: noFields }, ({ visit, t }) => {
      const { session, course } = visit;
      const others = guides.filter(
        (other) => other.name !== name && other.who !== "anybody" && mayIn(session, course, other.who),
      );
      return Promise.resolve(
        page(view, {
          title: t("guide.title", { area: t(heading), course: courseNameOf(t, course) }),
          ...{ name, area, heading: t(heading), teaches: session.role === "instructor" },
          seesGrades: mayIn(session, course, "grades"),
          others: others.map((other) => ({ name: other.name, text: t(other.heading) })),
        }),
      );
    });
  }
  return pages.router;
}
