import type { Router } from "express";
import type { App } from "../../../app.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";
import type { IconName } from "../../../web/page-parts.ts";
import type { CourseArea, CourseFrame, GuideName } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { type Guide, guides, stepsOf } from "./guides.ts";

export type GuidePage = CourseFrame & {
  name: GuideName;
  area: CourseArea;
  teaches: boolean;
  heading: string;
  lead: string;
  /** What the picture shows. */
  picture: string;
  steps: readonly string[];
  ways: readonly { address: string; icon: IconName; text: string }[];
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
  const { name, area } = guide;
  const heading = t(guide.heading);
  const others = guides.filter(
    ({ who, ...other }) => other.name !== name && who !== "anybody" && mayIn(session, course, who),
  );
  return page(guideView, {
    title: t("guide.title", { area: heading, course: courseNameOf(t, course) }),
    ...{ name, area, heading, lead: t(`guide.${name}.lead`), picture: t(`guide.${name}.picture`) },
    teaches: session.role === "instructor",
    steps: stepsOf(guide, mayIn(session, course, "grades"), t),
    ways: guide.ways.map(([address, icon, text]) => ({ address, icon, text: t(text) })),
    others: others.map((other) => ({ name: other.name, text: t(other.heading) })),
  });
}
