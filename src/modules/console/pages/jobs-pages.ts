import { Router } from "express";
import { z } from "zod";
import { writeAudit } from "../../audit/write-audit.ts";
import {
  askedOutcomes,
  type FoundJob,
  findJobs,
  listJobs,
  type ListedJob,
} from "../../operations/list-jobs.ts";
import type { JobRun } from "../../operations/rules/job.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Translate } from "../../../web/translate.ts";
import type { Gate, Visit } from "./gate.ts";
import { addressWith } from "./address-with.ts";
import type { ConsoleFrame } from "./partials.ts";

export type JobsPage = ConsoleFrame & {
  query: JobQuery;
  outcomes: typeof askedOutcomes;
  names: { name: string; label: string }[];
  filtered: boolean;
  jobs: (FoundJob & { label: string })[];
  workOf: (run: JobRun) => string;
  started: string | null;
  now: number;
};

const jobsPage = defineView<JobsPage>("admin/jobs");

const shape = z.object({
  job: z.string().max(100).catch(""),
  outcome: z.enum(["", ...askedOutcomes]).catch(""),
});

type JobQuery = z.infer<typeof shape>;

export function jobsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/jobs",
    gate.page((visit) => showJobs(deps, visit)),
  );
  router.post(
    "/jobs/:name/run",
    gate.action(async ({ part, request, response, t, asOperator }) => {
      const name = part("name");
      if (!(await deps.runJob(name))) throw refusal("no-such-console-page", { status: 404 });
      await writeAudit(
        { ...deps, ...asOperator },
        {
          what: "job-started",
          registrationId: null,
          on: jobName(t, name),
        },
      );
      response.redirect(303, addressWith("/admin/jobs", { ...queryOf(request.body, null), note: name }));
    }),
  );
  return router;
}

async function showJobs(deps: ConsoleApp, { request, show, t }: Visit): Promise<void> {
  const jobs = await listJobs(deps);
  const query = queryOf(request.query, jobs);
  const orNull = <One extends string>(one: One | "") => (one === "" ? null : one);
  const found = findJobs(jobs, { name: orNull(query.job), outcome: orNull(query.outcome) });
  const started = jobs.find(({ name }) => name === request.query["note"]);
  show({
    view: jobsPage,
    title: t("console.jobs.heading"),
    area: "jobs",
    model: {
      query,
      outcomes: askedOutcomes,
      names: jobs.map(({ name }) => ({ name, label: jobName(t, name) })),
      filtered: query.job !== "" || query.outcome !== "",
      jobs: found.map((job) => ({ ...job, label: jobName(t, job.name) })),
      workOf: (run) => workText(t, run),
      started: started === undefined ? null : jobName(t, started.name),
      now: deps.clock.now(),
    },
  });
}

/** A job of another release has its own name only. */
function jobName(t: Translate, name: string): string {
  return t.dynamic(`console.jobs.names.${name}`) ?? name;
}

function workText(t: Translate, { done, failed, waiting }: JobRun): string {
  if ((failed ?? 0) > 0)
    return t("console.jobs.doneFailedAndWaiting", {
      done: done ?? 0,
      failed: failed ?? 0,
      waiting: waiting ?? 0,
    });
  if (waiting == null) return done === null ? "–" : String(done);
  return t("console.jobs.doneAndWaiting", { done: done ?? 0, waiting });
}

/** @param jobs Known ones; null when nobody has looked. */
function queryOf(given: unknown, jobs: readonly ListedJob[] | null): JobQuery {
  const query = shape.parse(typeof given === "object" && given !== null ? given : {});
  const isJob = jobs === null || jobs.some(({ name }) => name === query.job);
  return isJob ? query : { ...query, job: "" };
}
