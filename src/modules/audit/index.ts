import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { logAudit } from "./audit.ts";
import { auditRoutes } from "./pages/audit-routes.ts";

export function createAudit(app: App): Module {
  return {
    routes: { pages: [auditRoutes(app)] },
    jobs: [
      {
        name: "log-audit",
        at: "*/10 * * * *",
        sooner: { isNeeded: async () => (await app.audit.listUnlogged(1)).length > 0 },
        run: () => logAudit(app),
      },
    ],
  };
}
