import type { Router } from "express";
import { z } from "zod";
import { coursePages, type CoursePagesDeps } from "../../../web/course-pages.ts";
import { type AnalyticsDeps, analyticsPage, analyticsSessionPage } from "./analytics-page.ts";

/** `of`: the id of the session that is shown; "" for the list. */
const asked = z.object({ of: z.string().max(300).catch("") });

/** /course/analytics: what the classroom says of sessions that are over, for instructors who see attendance. */
export function analyticsRoutes(app: AnalyticsDeps & CoursePagesDeps): Router {
  const pages = coursePages(app);
  pages.read(
    "/course/analytics",
    { who: "grades", fields: (posted) => asked.parse(posted ?? {}), form: { maxBytes: 16 * 1024 } },
    ({ visit, fields: { of } }) =>
      of === "" ? analyticsPage(app, visit) : analyticsSessionPage(app, visit, of),
  );
  return pages.router;
}
