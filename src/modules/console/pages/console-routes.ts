import { type RequestHandler, Router } from "express";
import { readForm } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { accountFormsParser, accountRemovalPages, accountsPages } from "./accounts-pages.ts";
import { addRegistrationPages } from "./add-registration-pages.ts";
import { alarmsPages, alertsPages, launchesPages } from "./alarms-pages.ts";
import { apiKeysPages } from "./api-keys-pages.ts";
import { auditPages, consoleSessionsPages } from "./audit-pages.ts";
import { jobsPages, tasksPages } from "./background-pages.ts";
import { classroomPages, unknownPages } from "./classroom-pages.ts";
import type { ConsoleApp } from "./console-session.ts";
import { coursesPages } from "./courses-pages.ts";
import { deliveriesPages, mailsPages } from "./deliveries-pages.ts";
import { createGate } from "./gate.ts";
import { defaultsPages, brandingPages } from "./institution-pages.ts";
import { invitationPages, sameLmsPages } from "./invitation-pages.ts";
import { lmsEntrance, logInRoutes, providerLogIn } from "./log-in-routes.ts";
import { lastAttendancePages, limitsPages } from "./office-pages.ts";
import { overviewPages } from "./overview-pages.ts";
import { erasingPages, peoplePages } from "./people-pages.ts";
import { readinessPages } from "./readiness-pages.ts";
import { receiptsPages } from "./receipts-pages.ts";
import { keysPages, registrationPages } from "./registration-pages.ts";
import { searchPages } from "./search-pages.ts";
import { spacesPages } from "./spaces-pages.ts";
import { setUpPages } from "./set-up-pages.ts";
import { usagePages } from "./usage-pages.ts";

/** Without a login, every address, known or not, answers with the login page. */
export function consoleRoutes(app: ConsoleApp): Router {
  const router = Router();
  const gate = createGate(app);
  router.use(consoleHeaders);
  router.use(accountFormsParser(gate));
  router.use(readForm({ maxBytes: 16 * 1024 }));
  router.use(logInRoutes(app, gate));
  router.use(providerLogIn(app));
  router.use(overviewPages(app, gate));
  router.use(searchPages(app, gate));
  router.use(lmsEntrance(app));
  router.use(invitationPages(app, gate));
  router.use(addRegistrationPages(app, gate)); // must come before the next, because "new" isn't a registration
  router.use(registrationPages(app, gate));
  router.use(setUpPages(app, gate));
  router.use(sameLmsPages(app, gate));
  router.use(defaultsPages(app, gate));
  router.use(brandingPages(app, gate));
  router.use(coursesPages(app, gate));
  router.use(readinessPages(app, gate));
  router.use(spacesPages(app, gate));
  router.use(accountsPages(app, gate));
  router.use(accountRemovalPages(app, gate));
  router.use(classroomPages(app, gate));
  router.use(alertsPages(app, gate));
  router.use(peoplePages(app, gate));
  router.use(erasingPages(app, gate));
  router.use(usagePages(app, gate));
  router.use(lastAttendancePages(app, gate));
  router.use(limitsPages(app, gate));
  router.use(keysPages(app, gate));
  router.use(alarmsPages(app, gate));
  router.use(unknownPages(app, gate)); // must come before the next, because "unknown" isn't a webhook
  router.use(receiptsPages(app, gate));
  router.use(deliveriesPages(app, gate));
  router.use(mailsPages(app, gate));
  router.use(jobsPages(app, gate));
  router.use(launchesPages(app, gate));
  router.use(tasksPages(app, gate));
  router.use(consoleSessionsPages(app, gate));
  router.use(apiKeysPages(app, gate));
  router.use(auditPages(app, gate));
  router.use(
    gate.page(() => {
      throw refusal("no-such-console-page", { status: 404 });
    }),
  );
  return router;
}

/** Console pages are never in a frame, nor in reach of another site's window. The policy of all pages also forbids frames here. */
const consoleHeaders: RequestHandler = (_request, response, next) => {
  response.set({ "X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin" });
  next();
};
