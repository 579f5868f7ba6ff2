import { Router } from "express";
import { spaceRoutes } from "../space/space-routes.ts";
import { peopleRoutes, type PeopleRoutesDeps } from "../course/people-routes.ts";
import { cohortsRoutes, type CohortsRoutesDeps } from "../course/cohorts-routes.ts";
import { settingsRoutes, type SettingsRoutesDeps } from "../course/settings-routes.ts";
import { settingsSpaceRoutes, type SettingsSpaceRoutesDeps } from "../course/settings-space-routes.ts";
import { sessionsRoutes } from "../course/sessions-routes.ts";
import { sessionsPlanRoutes, type SessionsPlanRoutesDeps } from "../course/sessions-plan-routes.ts";
import { sessionChangeRoutes, type SessionChangeRoutesDeps } from "../course/session-change-routes.ts";
import { mySessionsRoutes, type MySessionsRoutesDeps } from "../course/my-sessions-routes.ts";
import { registerRoutes, type RegisterRoutesDeps } from "../course/register-routes.ts";
import { auditRoutes, type AuditRoutesDeps } from "../course/audit-routes.ts";
import { gradingRoutes, type GradingRoutesDeps } from "../course/grading-routes.ts";
import { unmatchedRoutes, type UnmatchedRoutesDeps } from "../course/unmatched-routes.ts";
import { readAgainRoutes, type ReadAgainRoutesDeps } from "../course/read-again-routes.ts";
import { gradesRoutes, type GradesRoutesDeps } from "../course/grades-routes.ts";
import { restoredRoutes, type RestoredRoutesDeps } from "../course/restored-routes.ts";
import { recordingsRoutes, type RecordingsRoutesDeps } from "../course/recordings-routes.ts";
import { alertsRoutes, type AlertsRoutesDeps } from "../course/alerts-routes.ts";
import { hereRoutes, type HereRoutesDeps } from "../course/here-routes.ts";
import { signOutRoutes, type SignOutRoutesDeps } from "../course/sign-out-routes.ts";

export type CourseSiteDeps = PeopleRoutesDeps &
  CohortsRoutesDeps &
  SettingsRoutesDeps &
  SettingsSpaceRoutesDeps &
  SessionsPlanRoutesDeps &
  SessionChangeRoutesDeps &
  MySessionsRoutesDeps &
  RegisterRoutesDeps &
  AuditRoutesDeps &
  GradingRoutesDeps &
  UnmatchedRoutesDeps &
  ReadAgainRoutesDeps &
  GradesRoutesDeps &
  RestoredRoutesDeps &
  RecordingsRoutesDeps &
  AlertsRoutesDeps &
  HereRoutesDeps &
  SignOutRoutesDeps;

/** The pages of a course besides its home page. All carry the session as a form field. */
export function courseSite(deps: CourseSiteDeps): Router {
  const router = Router();
  router.use(spaceRoutes(deps));
  router.use(peopleRoutes(deps));
  router.use(cohortsRoutes(deps));
  router.use(settingsRoutes(deps));
  router.use(settingsSpaceRoutes(deps));
  router.use(sessionsRoutes(deps));
  router.use(sessionsPlanRoutes(deps));
  router.use(sessionChangeRoutes(deps));
  router.use(mySessionsRoutes(deps));
  router.use(registerRoutes(deps));
  router.use(auditRoutes(deps));
  router.use(gradingRoutes(deps));
  router.use(unmatchedRoutes(deps));
  router.use(readAgainRoutes(deps));
  router.use(gradesRoutes(deps));
  router.use(restoredRoutes(deps));
  router.use(recordingsRoutes(deps));
  router.use(alertsRoutes(deps));
  router.use(hereRoutes(deps));
  router.use(signOutRoutes(deps));
  return router;
}
