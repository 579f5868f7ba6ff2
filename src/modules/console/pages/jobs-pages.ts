import { Router } from "express";
import { z } from "zod";
import { type AuditDeps, writeAudit } from "../../audit/write-audit.ts";
import {
  askedOutcomes,
  findJobs,
  listJobs,
  type ListedJob,
  type ListJobsDeps,
} from "../../operations/list-jobs.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { Gate, Visit } from "./gate.ts";
import { addressWith } from "./address-with.ts";

export type JobsPagesDeps = AuditDeps &
  ListJobsDeps & {
    /** Wants a run of a job now. @returns false when there is no such job. */
    runJob: (name: string) => Promise<boolean>;
  };

const shape = z.object({
  job: z.string().max(100).catch(""),
  outcome: z.enum(["", ...askedOutcomes]).catch(""),
});

/** What happens by the clock: when it last ran, what came of it, when it runs next, and a button to run it now. */
export function jobsPages(deps: JobsPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/jobs",
    gate.page((visit) => showJobs(deps, visit)),
  );
  router.post(
    "/jobs/:name/run",
    gate.action(async ({ part, request, response, t }) => {
      const name = part("name");
      if (!(await deps.runJob(name)))
        throw new NamedError("job-unknown", t("console.problem.notFound"), { status: 404 });
      await writeAudit(deps, {
        what: "job-started",
        registrationId: null,
        on: t.dynamic(`console.jobs.names.${name}`) ?? name,
      });
      response.redirect(303, addressWith("/admin/jobs", { ...queryOf(request.body, null), note: name }));
    }),
  );
  return router;
}

async function showJobs(deps: JobsPagesDeps, { request, show, t }: Visit): Promise<void> {
  const jobs = await listJobs(deps);
  const query = queryOf(request.query, jobs);
  const orNull = <One extends string>(one: One | "") => (one === "" ? null : one);
  show({
    view: "jobs",
    title: t("console.jobs.heading"),
    area: "jobs",
    values: {
      query,
      outcomes: askedOutcomes,
      names: jobs.map(({ name }) => name),
      filtered: query.job !== "" || query.outcome !== "",
      jobs: findJobs(jobs, { name: orNull(query.job), outcome: orNull(query.outcome) }),
      started: jobs.find(({ name }) => name === request.query["note"])?.name ?? null,
      now: deps.clock.now(),
    },
  });
}

/** What is asked, as the address or a posted form says it. @param jobs Those there are; null when nobody has looked. */
function queryOf(given: unknown, jobs: readonly ListedJob[] | null): z.infer<typeof shape> {
  const query = shape.parse(typeof given === "object" && given !== null ? given : {});
  const isJob = jobs === null || jobs.some(({ name }) => name === query.job);
  return isJob ? query : { ...query, job: "" };
}
