import { Router } from "express";
import { listAudit } from "../../audit/list-audit.ts";
import type { AuditStore } from "../../audit/store/audit-store.ts";
import { type Gate, narrowed } from "./gate.ts";

/** What was done in the console, newest first. */
export function auditPages(deps: { audit: AuditStore }, gate: Gate): Router {
  const router = Router();
  router.get(
    "/audit",
    gate.page(async ({ request, show, t, within }) => {
      const { before } = request.query;
      const from = typeof before === "string" && before !== "" ? before : null;
      const { entries, olderThan } = await listAudit(deps, from, within);
      show({
        view: "audit",
        title: t("console.audit.heading"),
        area: "audit",
        values: { entries, olderThan, first: from === null },
      });
    }, narrowed),
  );
  return router;
}
