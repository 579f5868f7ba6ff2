import express, { Router } from "express";
import { NamedError } from "../../kernel/errors.ts";
import { addRegistrationPages, type AddRegistrationPagesDeps } from "./add-registration-pages.ts";
import { auditPages } from "./audit-pages.ts";
import { consoleHeaders } from "./console-headers.ts";
import { defaultsPages, type DefaultsPagesDeps } from "./defaults-pages.ts";
import { createGate } from "./gate.ts";
import { invitationPages, type InvitationPagesDeps } from "./invitation-pages.ts";
import { jobsPages, type JobsPagesDeps } from "./jobs-pages.ts";
import { logInRoutes, type LogInRoutesDeps } from "./log-in-routes.ts";
import { registrationPages, type RegistrationPagesDeps } from "./registration-pages.ts";

export type ConsoleRoutesDeps = LogInRoutesDeps &
  RegistrationPagesDeps &
  InvitationPagesDeps &
  AddRegistrationPagesDeps &
  DefaultsPagesDeps &
  JobsPagesDeps;

/** Everything under /admin. Whoever is not logged in gets the log-in page at every address, known or not. */
export function consoleRoutes(deps: ConsoleRoutesDeps): Router {
  const router = Router();
  const gate = createGate(deps);
  router.use(consoleHeaders());
  router.use(express.urlencoded({ extended: false, limit: "16kb" }));
  router.use(logInRoutes(deps, gate));
  router.use(invitationPages(deps, gate));
  router.use(addRegistrationPages(deps, gate)); // before the next: "new" is not a registration
  router.use(registrationPages(deps, gate));
  router.use(defaultsPages(deps, gate));
  router.use(jobsPages(deps, gate));
  router.use(auditPages(deps, gate));
  router.use(
    gate.page(({ t }) => {
      throw new NamedError("not-found", t("console.problem.notFound"), { status: 404 });
    }),
  );
  return router;
}
