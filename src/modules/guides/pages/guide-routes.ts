import type { Router } from "express";
import type { App } from "../../../app.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { type InstructorVisit, mayIn } from "../../../web/instructor-visit.ts";
import type { CourseArea, CourseFrame, GuideName } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { type Guide, type GuideWay, guides } from "./guides.ts";

export type GuidePage = CourseFrame & {
  name: GuideName;
  area: CourseArea;
  teaches: boolean;
  heading: string;
  lead: string;
  /** What the picture shows. */
  picture: string;
  steps: readonly string[];
  ways: readonly GuideWay[];
  /** Other guides that the reader may read. */
  others: { name: GuideName; text: string }[];
};

/** What a guide's picture shows. */
export type GuidePicture = Pick<GuidePage, "t" | "session" | "name" | "picture">;

const guideView = defineView<GuidePage>("course/guide");

/** A page for each guide; it is refused to whom its area is refused. */
export function guideRoutes(app: App): Router {
  const pages = coursePages(app);
  for (const guide of guides)
    pages.read(`/course/guide/${guide.name}`, { who: guide.who, fields: noFields }, ({ visit, t }) =>
      Promise.resolve(guidePage(guide, visit, t)),
    );
  return pages.router;
}

function guidePage(guide: Guide, { session, course }: InstructorVisit, t: Translate): PageAnswer {
  const heading = guide.heading(t);
  const others = guides.filter(
    ({ name, who }) => name !== guide.name && who !== "anybody" && mayIn(session, course, who),
  );
  return page(guideView, {
    title: t("guide.title", { area: heading, course: courseNameOf(t, course) }),
    ...{ name: guide.name, area: guide.area, heading },
    ...{ lead: t(guide.lead), picture: t(guide.picture) },
    teaches: session.role === "instructor",
    steps: guide.steps(t, mayIn(session, course, "grades")),
    ways: guide.ways(t),
    others: others.map((other) => ({ name: other.name, text: other.heading(t) })),
  });
}
