import type { App } from "../../../app.ts";
import type { CoursePagesDeps } from "../../../web/course-pages.ts";
import type { MarksApp } from "../run-mark.ts";

/** These pages open without an LMS and a classroom. */
export type AttendancePagesApp = CoursePagesDeps &
  MarksApp &
  Pick<App, "presences" | "sections" | "userMatches">;
