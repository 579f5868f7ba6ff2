import type { Job, JobOutcome, JobRun } from "./rules/job.ts";
import type { JobStore } from "./store/job-store.ts";

export type ListJobsDeps = { jobs: Pick<JobStore, "list"> };

/** `last`: the newest run, also a running one; null for never. */
export type ListedJob = Job & { last: JobRun | null };

/** By name. */
export async function listJobs(deps: ListJobsDeps): Promise<ListedJob[]> {
  const jobs = await deps.jobs.list();
  return jobs
    .map((job) => ({ ...job, last: job.runs[0] ?? null }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** "failed": in whole, in part or by breaking off; "idle": a job that has never run. */
export const askedOutcomes = ["failed", "done", "running", "idle"] as const;
export type AskedOutcome = (typeof askedOutcomes)[number];

/** Null leaves everything in. */
export type JobFilter = { name: string | null; outcome: AskedOutcome | null };

/** `found`: kept runs that fit, newest first. */
export type FoundJob = ListedJob & { found: readonly JobRun[] };

/** Jobs and runs that fit; few enough to filter in memory. */
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
