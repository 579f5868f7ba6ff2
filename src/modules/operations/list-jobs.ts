import type { Job, JobOutcome, JobRun } from "./rules/job.ts";
import type { JobStore } from "./store/job-store.ts";

export type ListJobsDeps = { jobs: Pick<JobStore, "list"> };

/** A job as it is shown: `last` is its newest run, also one that runs now; null when it has never run. */
export type ListedJob = Job & { last: JobRun | null };

/** Every job with its latest runs, by name. */
export async function listJobs(deps: ListJobsDeps): Promise<ListedJob[]> {
  const jobs = await deps.jobs.list();
  return jobs
    .map((job) => ({ ...job, last: job.runs[0] ?? null }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What can be asked of runs: "failed" in whole, in part or by breaking off; "idle" is a job that has never run. */
export const askedOutcomes = ["failed", "done", "running", "idle"] as const;
export type AskedOutcome = (typeof askedOutcomes)[number];

/** Which jobs and runs somebody looks for; null leaves everything in. */
export type JobFilter = { name: string | null; outcome: AskedOutcome | null };

/** A job with those of its kept runs that fit, the newest first. */
export type FoundJob = ListedJob & { found: readonly JobRun[] };

/** Those of some jobs that fit, each with its runs that do. Few jobs with few runs each, so nothing is read for it. */
export function findJobs(jobs: readonly ListedJob[], { name, outcome }: JobFilter): FoundJob[] {
  return jobs
    .filter((job) => name === null || job.name === name)
    .map((job) => ({
      ...job,
      found: outcome === null ? job.runs : job.runs.filter((run) => kindOf(run) === outcome),
    }))
    .filter(
      ({ found, runs }) => outcome === null || (outcome === "idle" ? runs.length === 0 : found.length > 0),
    );
}

const kinds: Readonly<Record<JobOutcome, AskedOutcome>> = {
  done: "done",
  incomplete: "failed",
  failed: "failed",
  "broken-off": "failed",
};

function kindOf({ outcome }: JobRun): AskedOutcome {
  return outcome === null ? "running" : kinds[outcome];
}
