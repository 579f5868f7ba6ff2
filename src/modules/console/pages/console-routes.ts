import express, { Router } from "express";
import type { ListAlarmsDeps } from "../../operations/list-alarms.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { ListAllAlertsDeps } from "../../operations/list-all-alerts.ts";
import { addRegistrationPages, type AddRegistrationPagesDeps } from "./add-registration-pages.ts";
import { alarmsPages } from "./alarms-pages.ts";
import { alertsPages } from "./alerts-pages.ts";
import { auditPages } from "./audit-pages.ts";
import { classroomPages, type ClassroomPagesDeps } from "./classroom-pages.ts";
import { consoleHeaders } from "./console-headers.ts";
import { coursesPages, type CoursesPagesDeps } from "./courses-pages.ts";
import { deliveriesPages, type DeliveriesPagesDeps } from "./deliveries-pages.ts";
import { receiptsPages, type ReceiptsPagesDeps } from "./receipts-pages.ts";
import { defaultsPages, type DefaultsPagesDeps } from "./defaults-pages.ts";
import { createGate } from "./gate.ts";
import { invitationPages, type InvitationPagesDeps } from "./invitation-pages.ts";
import { jobsPages, type JobsPagesDeps } from "./jobs-pages.ts";
import { keysPages, type KeysPagesDeps } from "./keys-pages.ts";
import { erasingPages, type ErasingPagesDeps } from "./erasing-pages.ts";
import { lmsEntrance, type LmsEntranceDeps } from "./lms-entrance.ts";
import { logInRoutes, type LogInRoutesDeps } from "./log-in-routes.ts";
import { peoplePages, type PeoplePagesDeps } from "./people-pages.ts";
import { registrationPages, type RegistrationPagesDeps } from "./registration-pages.ts";
import { sameLmsPages, type SameLmsPagesDeps } from "./same-lms-pages.ts";
import { restoredPages, type RestoredPagesDeps } from "./restored-pages.ts";
import { spacesPages, type SpacesPagesDeps } from "./spaces-pages.ts";
import { tasksPages, type TasksPagesDeps } from "./tasks-pages.ts";
import { unknownPages, type UnknownPagesDeps } from "./unknown-pages.ts";

export type ConsoleRoutesDeps = LogInRoutesDeps &
  RegistrationPagesDeps &
  InvitationPagesDeps &
  AddRegistrationPagesDeps &
  DefaultsPagesDeps &
  SameLmsPagesDeps &
  JobsPagesDeps &
  TasksPagesDeps &
  ListAlarmsDeps &
  ReceiptsPagesDeps &
  UnknownPagesDeps &
  RestoredPagesDeps &
  DeliveriesPagesDeps &
  CoursesPagesDeps &
  SpacesPagesDeps &
  ClassroomPagesDeps &
  ListAllAlertsDeps &
  KeysPagesDeps &
  PeoplePagesDeps &
  ErasingPagesDeps &
  LmsEntranceDeps;

/** Everything under /admin. Whoever is not logged in gets the log-in page at every address, known or not. */
export function consoleRoutes(deps: ConsoleRoutesDeps): Router {
  const router = Router();
  const gate = createGate(deps);
  router.use(consoleHeaders());
  router.use(express.urlencoded({ extended: false, limit: "16kb" }));
  router.use(logInRoutes(deps, gate));
  router.use(lmsEntrance(deps));
  router.use(invitationPages(deps, gate));
  router.use(addRegistrationPages(deps, gate)); // before the next: "new" is not a registration
  router.use(registrationPages(deps, gate));
  router.use(sameLmsPages(deps, gate));
  router.use(defaultsPages(deps, gate));
  router.use(coursesPages(deps, gate));
  router.use(spacesPages(deps, gate));
  router.use(classroomPages(deps, gate));
  router.use(alertsPages(deps, gate));
  router.use(peoplePages(deps, gate));
  router.use(erasingPages(deps, gate));
  router.use(keysPages(deps, gate));
  router.use(alarmsPages(deps, gate));
  router.use(restoredPages(deps, gate));
  router.use(unknownPages(deps, gate)); // before the next: "unknown" is not a webhook
  router.use(receiptsPages(deps, gate));
  router.use(deliveriesPages(deps, gate));
  router.use(jobsPages(deps, gate));
  router.use(tasksPages(deps, gate));
  router.use(auditPages(deps, gate));
  router.use(
    gate.page(({ t }) => {
      throw new NamedError("not-found", t("console.problem.notFound"), { status: 404 });
    }),
  );
  return router;
}
