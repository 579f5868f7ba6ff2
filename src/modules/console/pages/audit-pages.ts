import { Router } from "express";
import { exportAudit, listAudit } from "../../audit/list-audit.ts";
import type { AuditEntry } from "../../audit/rules/audit.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import { type Gate, narrowed } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";
import { sendFile } from "./send-file.ts";

/** `olderThan`: the end of this page; null at the end of the log. */
export type AuditLogPage = ConsoleFrame & {
  entries: AuditEntry[];
  olderThan: string | null;
  first: boolean;
  /** Whether it is the whole log, which can be downloaded. */
  whole: boolean;
};

const auditLogPage = defineView<AuditLogPage>("admin/audit");

/** Newest first. */
export function auditPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/audit",
    gate.page(async ({ request, show, t, within }) => {
      const { before } = request.query;
      const from = typeof before === "string" && before !== "" ? before : null;
      const { entries, olderThan } = await listAudit(deps, from, within);
      show({
        view: auditLogPage,
        title: t("console.audit.heading"),
        area: "audit",
        model: { entries, olderThan, first: from === null, whole: within === null },
      });
    }, narrowed),
  );
  router.post(
    "/audit/export",
    gate.action(async ({ response, asOperator }) => {
      const file = { name: "audit-log.jsonl", type: "application/jsonl" };
      await sendFile(response, file, exportAudit({ ...deps, ...asOperator }));
    }),
  );
  return router;
}
