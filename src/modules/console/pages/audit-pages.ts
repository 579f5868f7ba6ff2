import { Router } from "express";
import { checkAudit } from "../../audit/check-audit.ts";
import { exportAudit } from "../../audit/export-audit.ts";
import { listAudit } from "../../audit/list-audit.ts";
import type { AuditCheck } from "../../audit/rules/audit-check.ts";
import type { AuditEntry } from "../../audit/rules/audit.ts";
import { numberText } from "../../../web/number-text.ts";
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
  /** Whether it is the whole log, of which somebody may know that it is as it was written. */
  whole: boolean;
  /** Null before the first. */
  check: (Pick<AuditCheck, "at" | "faults"> & { number: string; firstFault: number }) | null;
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
      const { check } = await deps.auditWitness.find();
      show({
        view: auditLogPage,
        title: t("console.audit.heading"),
        area: "audit",
        model: {
          ...{ entries, olderThan, first: from === null, whole: within === null },
          check:
            within !== null || check === null
              ? null
              : {
                  ...{ at: check.at, faults: check.faults, number: numberText(t, check.entries) },
                  firstFault: check.firstFaults[0]?.seq ?? 0,
                },
        },
      });
    }, narrowed),
  );
  router.post(
    "/audit/check",
    gate.action(async ({ goTo }) => {
      await checkAudit(deps);
      goTo("/admin/audit");
    }),
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
