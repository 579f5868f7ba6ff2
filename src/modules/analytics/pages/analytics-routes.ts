import type { Router } from "express";
import { z } from "zod";
import { coursePages, type CoursePagesDeps } from "../../../web/course-pages.ts";
import { type AnalyticsDeps, analyticsPage } from "./analytics-page.ts";

const asked = z.object({ event: z.string().max(300).catch("") });

/** /course/analytics: what the classroom says of a session that is over, for instructors who see attendance. */
export function analyticsRoutes(app: AnalyticsDeps & CoursePagesDeps): Router {
  const pages = coursePages(app);
  pages.read(
    "/course/analytics",
    { who: "grades", fields: (posted) => asked.parse(posted ?? {}), form: { maxBytes: 16 * 1024 } },
    ({ visit, fields: { event } }) => analyticsPage(app, visit, event),
  );
  return pages.router;
}
