import type { JobRun } from "../modules/operations/rules/job.ts";
import { listJobs } from "../modules/operations/list-jobs.ts";
import { type Command, timeText } from "./command.ts";

/** jobs: when each job last ran and when it runs next */
export const jobs: Command = async (tools) => {
  const { jobs: store } = await tools.stores();
  const listed = await listJobs({ jobs: store });
  if (listed.length === 0) return { text: "No job has been planned yet: the tool has never run.", json: [] };
  return {
    text: listed
      .map(({ name, last, dueAt }) => {
        const ran =
          last === null
            ? "has not run yet"
            : `${last.outcome ?? "running"} at ${timeText(last.startedAt)}${last.problem === null ? workText(last) : ` (${last.problem})`}`;
        return `${name}: ${ran}, next ${timeText(dueAt)}`;
      })
      .join("\n"),
    json: listed.map(({ name, last, dueAt, succeededAt }) => ({
      name,
      ...factsOf(last),
      succeededAt: succeededAt === null ? null : timeText(succeededAt),
      next: timeText(dueAt),
    })),
    bad: listed.some(({ last }) => last?.outcome === "failed"),
  };
};

function factsOf(last: JobRun | null) {
  return {
    outcome: last?.outcome ?? null,
    startedAt: last === null ? null : timeText(last.startedAt),
    done: last?.done ?? null,
    failed: last?.failed ?? null,
    waiting: last?.waiting ?? null,
    problem: last?.problem ?? null,
  };
}

function workText({ done, failed, waiting }: JobRun): string {
  if (done === null) return "";
  const rest = waiting == null ? [] : [`${failed ?? 0} failed`, `${waiting} still waiting`];
  return ` (${[`${done} done`, ...rest].join(", ")})`;
}
