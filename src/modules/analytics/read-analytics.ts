import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { SessionReply } from "../../classroom/read-sessions.ts";
import type { AccountId } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { type RunTaskDeps, runNextTask } from "../../tasks/run-task.ts";
import type { Task, TaskResult } from "../../tasks/task-kind.ts";
import { type AnalyticsFacts, sessionAnalytics } from "../recordings/session-analytics.ts";
import { lookAgainMs, maxLooks } from "./rules/limits.ts";

export type ReadAnalyticsDeps = Pick<App, "sessionFigures" | "clock"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readSessions">;
  ending: AbortSignal;
};

/** Reads analytics of the session that is due longest. @returns false when none is due. */
export function readNextAnalytics(deps: ReadAnalyticsDeps & RunTaskDeps): Promise<boolean> {
  return runNextTask(deps, sessionAnalytics, { run: (task) => readOf(deps, task) });
}

type Reading = Task<
  { environment: AccountId; spaceId: string; sessionId: string; endedAt: number },
  AnalyticsFacts
>;

async function readOf(
  deps: ReadAnalyticsDeps,
  { payload, facts }: Reading,
): Promise<TaskResult<AnalyticsFacts>> {
  const { environment, spaceId, sessionId } = payload;
  const options = { priority: "background", signal: deps.ending } as const;
  const classroom = deps.classroomOf(environment);
  const reply = await offered(() => classroom.readSessions({ spaceId, sessionId }, options));
  // The end of a session says that analytics are complete (6.3), so 404 means that there are none.
  if (reply === null || reply.missing === true) return { nextAt: null };
  const found = reply.entries.find((entry) => entry.sessionId === sessionId);
  if (found !== undefined) {
    await keep(deps, payload, found);
    return { nextAt: null };
  }
  if (reply.failure !== null) return { nextAt: null, failure: reply.failure };
  const looks = facts.looks + 1;
  return { nextAt: looks < maxLooks ? deps.clock.now() + lookAgainMs : null, facts: { looks } };
}

/** Null where the service has no analytics, or none for this key: no failure that anybody would have to look at after each session. */
async function offered<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (thrown) {
    const { code, details } = thrown instanceof NamedError ? thrown : { code: null, details: {} };
    const answer: unknown = code === "classroom-refused" ? details["answer"] : null;
    if (typeof answer === "number" && notOffered.has(answer)) return null;
    throw thrown;
  }
}

/** Statuses of HTTP. */
const notOffered: ReadonlySet<number> = new Set([403, 405, 501]);

async function keep(
  { sessionFigures, clock }: ReadAnalyticsDeps,
  { environment, spaceId, sessionId, endedAt }: Reading["payload"],
  { figures: said, startedAt, endedAt: saidEnd }: SessionReply,
): Promise<void> {
  const times = { startedAt, endedAt: saidEnd ?? endedAt, readAt: clock.now() };
  await sessionFigures.keep({ environment, spaceId, sessionId, ...times, ...said });
}
