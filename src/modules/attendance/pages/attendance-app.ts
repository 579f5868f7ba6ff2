import type { PresenceApp } from "../../presence/presence-of-people.ts";
import type { CoursePagesDeps } from "../../../web/course-pages.ts";
import type { CourseWordsDeps } from "../../../web/course-words.ts";
import type { MarkSessionDeps } from "../mark-session.ts";
import type { ShowGridCellDeps, ShowGridDeps } from "../show-grid.ts";
import type { ShowLearnerDeps } from "../show-learner.ts";
import type { ShowRegisterDeps } from "../show-register.ts";

/** These pages open without an LMS and a classroom. */
export type AttendanceApp = CoursePagesDeps &
  CourseWordsDeps &
  ShowRegisterDeps &
  ShowGridDeps &
  ShowGridCellDeps &
  ShowLearnerDeps &
  MarkSessionDeps &
  PresenceApp;
