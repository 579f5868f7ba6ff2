import { type RequestHandler, Router } from "express";
import helmet from "helmet";
import { readForm } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { accountFormsParser, accountRemovalPages, accountsPages } from "./accounts-pages.ts";
import { addRegistrationPages } from "./add-registration-pages.ts";
import { alarmsPages, alertsPages, launchesPages } from "./alarms-pages.ts";
import { auditPages, consoleSessionsPages } from "./audit-pages.ts";
import { jobsPages, mailsPages, tasksPages } from "./background-pages.ts";
import { classroomPages, unknownPages } from "./classroom-pages.ts";
import type { ConsoleApp } from "./console-session.ts";
import { coursesPages, spacesPages } from "./courses-pages.ts";
import { deliveriesPages } from "./deliveries-pages.ts";
import { createGate } from "./gate.ts";
import { defaultsPages, lookPages } from "./institution-pages.ts";
import { invitationPages, sameLmsPages } from "./invitation-pages.ts";
import { lmsEntrance, logInRoutes, providerLogIn } from "./log-in-routes.ts";
import { overviewPages } from "./overview-pages.ts";
import { erasingPages, peoplePages } from "./people-pages.ts";
import { receiptsPages } from "./receipts-pages.ts";
import { keysPages, registrationPages } from "./registration-pages.ts";
import { searchPages } from "./search-pages.ts";
import { setUpPages } from "./set-up-pages.ts";
import { usagePages } from "./usage-pages.ts";

/** Without a log-in every address, known or not, answers with the log-in page. */
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

/** Console pages are never framed and never cached. */
function consoleHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'"],
          formAction: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      frameguard: { action: "deny" },
      // With "no-referrer" a browser says "Origin: null" for our own forms, and we could not tell them from others.
      referrerPolicy: { policy: "same-origin" },
      crossOriginOpenerPolicy: { policy: "same-origin" },
      crossOriginResourcePolicy: { policy: "same-origin" },
      strictTransportSecurity: false, // said for the whole site already
    }),
    (_request, response, next) => {
      next();
    },
  ];
}
