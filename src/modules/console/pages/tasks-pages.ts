import { Router } from "express";
import { z } from "zod";
import { NamedError } from "../../../kernel/errors.ts";
import type { Wake } from "../../../tasks/wake.ts";
import { type AuditDeps, writeAudit } from "../../audit/write-audit.ts";
import { listTasks, type ListTasksDeps, retryTasks } from "../../operations/list-tasks.ts";
import { addressWith } from "./address-with.ts";
import type { Gate } from "./gate.ts";

export type TasksPagesDeps = AuditDeps & ListTasksDeps & { wake: Wake };

const retriedSchema = z.coerce.number().int().min(0).catch(-1);

/** Background work: every kind of task, what waits, runs and fails, and a button to have what failed run now. */
export function tasksPages(deps: TasksPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/tasks",
    gate.page(async ({ request, show, t }) => {
      const retried = retriedSchema.parse(request.query["retried"]);
      show({
        view: "tasks",
        title: t("console.tasks.heading"),
        area: "tasks",
        values: {
          kinds: await listTasks(deps),
          retried: retried < 0 ? null : retried,
          now: deps.clock.now(),
        },
      });
    }),
  );
  router.post(
    "/tasks/:kind/run",
    gate.action(async ({ part, response, t }) => {
      const kind = part("kind");
      const retried = await retryTasks(deps, kind);
      if (retried === null)
        throw new NamedError("work-unknown", t("console.problem.notFound"), { status: 404 });
      await writeAudit(deps, {
        what: "job-started",
        registrationId: null,
        on: t.dynamic(`console.tasks.names.${kind}`) ?? kind,
      });
      response.redirect(303, addressWith("/admin/tasks", { retried: String(retried) }));
    }),
  );
  return router;
}
