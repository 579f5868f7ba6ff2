import type { App } from "../../../app.ts";
import type { CoursePagesDeps } from "../../../web/course-pages.ts";
import type { CourseWordsDeps } from "../../../web/course-words.ts";
import type { ListFactsDeps } from "../../attendance/list-facts.ts";
import type { ChangePolicyDeps } from "../change-policy.ts";
import type { ListGradesDeps, WorkedGradesDeps } from "../list-grades.ts";
import type { AnswerMissingDeps, RemoveOldColumnDeps } from "../column-questions.ts";
import type { ResolveConflictDeps, SendAgainDeps } from "../send-again.ts";
import type { ShowProofDeps } from "../show-grades.ts";

/** Opens without an LMS and a classroom. */
export type GradesApp = CoursePagesDeps &
  CourseWordsDeps &
  ShowProofDeps &
  SendAgainDeps &
  ResolveConflictDeps &
  AnswerMissingDeps &
  RemoveOldColumnDeps &
  ChangePolicyDeps &
  ListFactsDeps &
  ListGradesDeps &
  WorkedGradesDeps &
  Pick<App, "regrades" | "lmsPauses" | "unsentAlarmAfter"> & {
    scores: Pick<App["scores"], "canReadResults">;
  };
