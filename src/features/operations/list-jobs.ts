import type { Job, JobRun } from "../../domain/job.ts";
import type { JobStore } from "../../storage/job-store.ts";

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
