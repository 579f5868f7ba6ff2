import { Router } from "express";
import { spaceRoutes } from "../../joining/pages/space-routes.ts";
import { peopleRoutes, type PeopleRoutesDeps } from "../../members/pages/people-routes.ts";
import { cohortsRoutes, type CohortsRoutesDeps } from "../../cohorts/pages/cohorts-routes.ts";
import { settingsRoutes, type SettingsRoutesDeps } from "../../courses/pages/settings-routes.ts";
import {
  settingsSpaceRoutes,
  type SettingsSpaceRoutesDeps,
} from "../../links/pages/settings-space-routes.ts";
import { sessionsRoutes } from "../../scheduling/pages/sessions-routes.ts";
import {
  sessionsPlanRoutes,
  type SessionsPlanRoutesDeps,
} from "../../scheduling/pages/sessions-plan-routes.ts";
import {
  sessionChangeRoutes,
  type SessionChangeRoutesDeps,
} from "../../scheduling/pages/session-change-routes.ts";
import { mySessionsRoutes, type MySessionsRoutesDeps } from "../../scheduling/pages/my-sessions-routes.ts";
import { registerRoutes, type RegisterRoutesDeps } from "../../attendance/pages/register-routes.ts";
import { auditRoutes, type AuditRoutesDeps } from "../../audit/pages/audit-routes.ts";
import { gradingRoutes, type GradingRoutesDeps } from "../../grading/pages/grading-routes.ts";
import { unmatchedRoutes, type UnmatchedRoutesDeps } from "../../matching/pages/unmatched-routes.ts";
import { readAgainRoutes, type ReadAgainRoutesDeps } from "../../attendance/pages/read-again-routes.ts";
import { gradesRoutes, type GradesRoutesDeps } from "../../grading/pages/grades-routes.ts";
import { restoredRoutes, type RestoredRoutesDeps } from "../../grading/pages/restored-routes.ts";
import { recordingsRoutes, type RecordingsRoutesDeps } from "../../recordings/pages/recordings-routes.ts";
import { alertsRoutes, type AlertsRoutesDeps } from "../../alerts/pages/alerts-routes.ts";
import { hereRoutes, type HereRoutesDeps } from "../../presence/pages/here-routes.ts";
import { signOutRoutes, type SignOutRoutesDeps } from "../../courses/pages/sign-out-routes.ts";

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
