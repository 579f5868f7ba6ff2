import { Router } from "express";
import { z } from "zod";
import { refusal } from "../../../kernel/refusal.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { type ListedTasks, listTasks, retryTasks } from "../../operations/list-tasks.ts";
import type { WaitingWork } from "../../operations/store/waiting-work.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import { addressWith } from "./address-with.ts";
import type { Translate } from "../../../web/translate.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

/** `retried`: how many tasks were just retried. */
export type TasksPage = ConsoleFrame & {
  kinds: (ListedTasks & { name: string })[];
  /** Work that is no task. `page`: where more of it is shown. */
  others: (WaitingWork & { name: string; page: string | null })[];
  retried: number | null;
  now: number;
};

const tasksPage = defineView<TasksPage>("admin/tasks");

/** They show work of a kind one by one. */
const pageOf: Partial<Record<WaitingWork["kind"], string>> = {
  receipts: "/admin/receipts",
  "slow-receipts": "/admin/receipts",
  deliveries: "/admin/deliveries",
  erasures: "/admin/erasures",
};

const retriedSchema = z.coerce.number().int().min(0).catch(-1);

export function tasksPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/tasks",
    gate.page(async ({ request, show, t }) => {
      const retried = retriedSchema.parse(request.query["retried"]);
      show({
        view: tasksPage,
        title: t("console.tasks.heading"),
        area: "tasks",
        model: {
          kinds: (await listTasks(deps)).map((one) => ({ ...one, name: kindName(t, one.kind) })),
          others: (await deps.waitingWork.list(deps.clock.now())).map((one) => ({
            ...one,
            name: t(`console.tasks.others.names.${one.kind}`),
            page: pageOf[one.kind] ?? null,
          })),
          retried: retried < 0 ? null : retried,
          now: deps.clock.now(),
        },
      });
    }),
  );
  router.post(
    "/tasks/:kind/run",
    gate.action(async ({ part, response, t, asOperator }) => {
      const kind = part("kind");
      const retried = await retryTasks(deps, kind);
      if (retried === null) throw refusal("no-such-console-page", { status: 404 });
      await writeAudit(
        { ...deps, ...asOperator },
        {
          what: "job-started",
          registrationId: null,
          on: kindName(t, kind),
        },
      );
      response.redirect(303, addressWith("/admin/tasks", { retried: String(retried) }));
    }),
  );
  return router;
}

/** A kind of another release has its own name only. */
function kindName(t: Translate, kind: string): string {
  return t.dynamic(`console.tasks.names.${kind}`) ?? kind;
}
