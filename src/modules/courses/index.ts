import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { brandRoutes, noticeRoutes } from "./pages/open-routes.ts";
import { settingsRoutes } from "./pages/settings-routes.ts";
import { signOutRoutes } from "./pages/sign-out-routes.ts";

export function createCourses(app: App): Module {
  const notices = app.metrics.counter("notices_total", "Notices of LMSs by outcome", ["outcome"]);
  return {
    routes: {
      lti: [
        noticeRoutes({
          ...app,
          onNotice: (outcome) => {
            notices.inc({ outcome });
          },
        }),
      ],
      pages: [brandRoutes(app), settingsRoutes(app), signOutRoutes(app)],
    },
  };
}
