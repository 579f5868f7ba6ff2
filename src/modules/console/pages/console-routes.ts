import { Router } from "express";
import { readForm } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { accountRemovalPages } from "./account-removal-pages.ts";
import { accountFormsParser, accountsPages } from "./accounts-pages.ts";
import { addRegistrationPages } from "./add-registration-pages.ts";
import { alarmsPages } from "./alarms-pages.ts";
import { alertsPages } from "./alerts-pages.ts";
import { auditPages } from "./audit-pages.ts";
import { classroomPages } from "./classroom-pages.ts";
import { consoleHeaders } from "./console-headers.ts";
import type { ConsoleApp } from "./console-app.ts";
import { consoleSessionsPages } from "./console-sessions-pages.ts";
import { coursesPages } from "./courses-pages.ts";
import { deliveriesPages } from "./deliveries-pages.ts";
import { receiptsPages } from "./receipts-pages.ts";
import { defaultsPages } from "./defaults-pages.ts";
import { createGate } from "./gate.ts";
import { invitationPages } from "./invitation-pages.ts";
import { jobsPages } from "./jobs-pages.ts";
import { launchesPages } from "./launches-pages.ts";
import { keysPages } from "./keys-pages.ts";
import { erasingPages } from "./erasing-pages.ts";
import { lmsEntrance } from "./lms-entrance.ts";
import { lookPages } from "./look-pages.ts";
import { logInRoutes } from "./log-in-routes.ts";
import { overviewPages } from "./overview-pages.ts";
import { mailsPages } from "./mails-pages.ts";
import { peoplePages } from "./people-pages.ts";
import { providerLogIn } from "./provider-log-in.ts";
import { registrationPages } from "./registration-pages.ts";
import { sameLmsPages } from "./same-lms-pages.ts";
import { searchPages } from "./search-pages.ts";
import { setUpPages } from "./set-up-pages.ts";
import { spacesPages } from "./spaces-pages.ts";
import { tasksPages } from "./tasks-pages.ts";
import { usagePages } from "./usage-pages.ts";
import { unknownPages } from "./unknown-pages.ts";

/** Whoever is not logged in gets the log-in page at every address, known or not. */
export function consoleRoutes(deps: ConsoleApp): Router {
  const router = Router();
  const gate = createGate(deps);
  router.use(consoleHeaders());
  router.use(accountFormsParser(gate));
  router.use(readForm({ maxBytes: 16 * 1024 }));
  router.use(logInRoutes(deps, gate));
  router.use(providerLogIn(deps));
  router.use(overviewPages(deps, gate));
  router.use(searchPages(deps, gate));
  router.use(lmsEntrance(deps));
  router.use(invitationPages(deps, gate));
  router.use(addRegistrationPages(deps, gate)); // before the next: "new" is not a registration
  router.use(registrationPages(deps, gate));
  router.use(setUpPages(deps, gate));
  router.use(sameLmsPages(deps, gate));
  router.use(defaultsPages(deps, gate));
  router.use(lookPages(deps, gate));
  router.use(coursesPages(deps, gate));
  router.use(spacesPages(deps, gate));
  router.use(accountsPages(deps, gate));
  router.use(accountRemovalPages(deps, gate));
  router.use(classroomPages(deps, gate));
  router.use(alertsPages(deps, gate));
  router.use(peoplePages(deps, gate));
  router.use(erasingPages(deps, gate));
  router.use(usagePages(deps, gate));
  router.use(keysPages(deps, gate));
  router.use(alarmsPages(deps, gate));
  router.use(unknownPages(deps, gate)); // before the next: "unknown" is not a webhook
  router.use(receiptsPages(deps, gate));
  router.use(deliveriesPages(deps, gate));
  router.use(mailsPages(deps, gate));
  router.use(jobsPages(deps, gate));
  router.use(launchesPages(deps, gate));
  router.use(tasksPages(deps, gate));
  router.use(consoleSessionsPages(deps, gate));
  router.use(auditPages(deps, gate));
  router.use(
    gate.page(() => {
      throw refusal("no-such-console-page", { status: 404 });
    }),
  );
  return router;
}
