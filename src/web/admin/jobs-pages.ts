import { Router } from "express";
import { type AuditDeps, writeAudit } from "../../features/console/write-audit.ts";
import { listJobs, type ListJobsDeps } from "../../features/operations/list-jobs.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { Gate } from "./gate.ts";

export type JobsPagesDeps = AuditDeps &
  ListJobsDeps & {
    /** Wants a run of a job now. @returns false when there is no such job. */
    runJob: (name: string) => Promise<boolean>;
  };

/** What happens by the clock: when it last ran, what came of it, when it runs next, and a button to run it now. */
export function jobsPages(deps: JobsPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/jobs",
    gate.page(async ({ request, show, t }) => {
      const jobs = await listJobs(deps);
      const started = jobs.find(({ name }) => name === request.query.note)?.name ?? null;
      show({
        view: "jobs",
        title: t("console.jobs.heading"),
        area: "jobs",
        values: { jobs, started, now: deps.clock.now() },
      });
    }),
  );
  router.post(
    "/jobs/:name/run",
    gate.action(async ({ part, goTo, t }) => {
      const name = part("name");
      if (!(await deps.runJob(name)))
        throw new NamedError("job-unknown", t("console.problem.notFound"), { status: 404 });
      await writeAudit(deps, {
        what: "job-started",
        registrationId: null,
        on: t(`console.jobs.names.${name}`),
      });
      goTo("/admin/jobs", name);
    }),
  );
  return router;
}
