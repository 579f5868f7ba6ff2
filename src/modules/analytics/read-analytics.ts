import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { SessionReply } from "../../classroom/read-sessions.ts";
import type { AccountId } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { type RunTaskDeps, runNextTask } from "../../tasks/run-task.ts";
import type { Task, TaskResult } from "../../tasks/task-kind.ts";
import { type AnalyticsFacts, sessionAnalytics } from "../recordings/session-analytics.ts";
import type { KnownOffers } from "./known-offers.ts";
import { lookAgainMs, maxLooks } from "./rules/limits.ts";

export type ReadAnalyticsDeps = Pick<App, "sessionFigures" | "clock"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readSessions">;
  ending: AbortSignal;
  offers: KnownOffers;
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
  if (reply === null) return { nextAt: null };
  const now = deps.clock.now();
  if (reply.missing === true && !deps.offers.missing(environment, sessionId, now)) return { nextAt: null };
  const found = reply.entries.find((entry) => entry.sessionId === sessionId);
  if (found !== undefined) {
    deps.offers.has(environment, now);
    await keep(deps, payload, found);
    return { nextAt: null };
  }
  if (reply.failure !== null) return { nextAt: null, failure: reply.failure };
  const looks = facts.looks + 1;
  return { nextAt: looks < maxLooks ? now + lookAgainMs : null, facts: { looks } };
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
  const { figures, people, series, cut } = said;
  const times = { startedAt, endedAt: saidEnd ?? endedAt, readAt: clock.now() };
  await sessionFigures.keep({ environment, spaceId, sessionId, ...times, figures, series, cut }, people);
}
