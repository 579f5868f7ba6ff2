import type { ActiveRegistrationApp } from "../../registration/registrations.ts";
import type { App } from "../../../app.ts";
import type { CoursePagesDeps } from "../../../web/course-pages.ts";
import type { CourseWordsDeps } from "../../../web/course-words.ts";
import type { GradingApp } from "../grade-members.ts";
import type { AnswersApp } from "../send-again.ts";
import type { ProofApp } from "../show-grades.ts";

/** Opens without an LMS and a classroom. */
export type GradesApp = CoursePagesDeps &
  CourseWordsDeps &
  ActiveRegistrationApp &
  ProofApp &
  AnswersApp &
  GradingApp &
  Pick<App, "lmsPauses" | "unsentAlarmAfter"> & {
    lineItems: Pick<App["lineItems"], "remove">;
    scores: Pick<App["scores"], "canReadResults">;
  };
