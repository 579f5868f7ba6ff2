import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { currentRequest } from "../../kernel/request-scope.ts";
import { showError } from "../../web/error-page.ts";
import { readerLocale } from "../../web/browser-of.ts";
import { createRefusedNotes } from "../registration/lms-trouble.ts";
import { beginReads } from "./record-launch.ts";
import { launchRoutes, showCookieProbePage, showStorageResumePage } from "./pages/launch-routes.ts";
import { showLaunch } from "./pages/show-launch.ts";

export function createLaunch(app: App): Module {
  const launches = app.metrics.counter("launches_total", "Launches by outcome", ["outcome"]);
  const refusals = createRefusedNotes(app);
  const front = app.serveLaunches({
    beginReads: (registration, launch) => beginReads(app, registration, launch),
    onKeep: (login, request, response) => {
      showCookieProbePage(app, login, request, response);
    },
    onResume: (unbound, request, response) => {
      launches.inc({ outcome: "without-cookie" });
      showStorageResumePage(app, unbound, request, response);
    },
    onLaunch: async (launch, request, response, registration, order) => {
      launches.inc({ outcome: "accepted" });
      await showLaunch({ ...app, ...order }, launch, registration, request, response);
    },
    onRefused: (refusal, request, response, lms) => {
      // Nobody launches by typing the address, so without an LMS this isn't counted.
      if (lms !== null) {
        launches.inc({ outcome: "refused" });
        refusals.note({ code: refusal.code, lms, reference: currentRequest() });
      }
      showError({ ...app, t: app.translatorOf(readerLocale(request)) }, request, response, refusal, {
        returnUrl: refusal.courseUrl,
      });
    },
    onError: (error, request, response) => {
      launches.inc({ outcome: "failed" });
      showError({ ...app, t: app.translatorOf(readerLocale(request)) }, request, response, error);
    },
  });
  return { routes: { lti: [front.router], pages: [launchRoutes(app)] }, close: () => refusals.flush() };
}
