import { Router } from "express";
import { z } from "zod";
import { NamedError } from "../../../kernel/errors.ts";
import type { Wake } from "../../../tasks/wake.ts";
import { type AuditDeps, writeAudit } from "../../audit/write-audit.ts";
import { listWork, type ListWorkDeps, retryWork } from "../../operations/list-work.ts";
import { addressWith } from "./address-with.ts";
import type { Gate } from "./gate.ts";

export type WorkPagesDeps = AuditDeps & ListWorkDeps & { wake: Wake };

const retriedSchema = z.coerce.number().int().min(0).catch(-1);

/** Background work: every kind of task, what waits, runs and fails, and a button to have what failed run now. */
export function workPages(deps: WorkPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/work",
    gate.page(async ({ request, show, t }) => {
      const retried = retriedSchema.parse(request.query["retried"]);
      show({
        view: "work",
        title: t("console.work.heading"),
        area: "work",
        values: {
          kinds: await listWork(deps),
          retried: retried < 0 ? null : retried,
          now: deps.clock.now(),
        },
      });
    }),
  );
  router.post(
    "/work/:kind/run",
    gate.action(async ({ part, response, t }) => {
      const kind = part("kind");
      const retried = await retryWork(deps, kind);
      if (retried === null)
        throw new NamedError("work-unknown", t("console.problem.notFound"), { status: 404 });
      await writeAudit(deps, {
        what: "job-started",
        registrationId: null,
        on: t.dynamic(`console.work.names.${kind}`) ?? kind,
      });
      response.redirect(303, addressWith("/admin/work", { retried: String(retried) }));
    }),
  );
  return router;
}
