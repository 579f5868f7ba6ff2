import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { SessionReply } from "../../classroom/read-sessions.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import { type AnalyticsFacts, sessionAnalytics, spacesOfCourse } from "../recordings/recording-readings.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import type { Task, TaskResult } from "../../tasks/task-kind.ts";
import { readAgainMs, maxReads, reportedWithinMs, sessionNear } from "./rules/session-figures.ts";

type ReadingApp = Pick<App, "sessionFigures" | "tasks" | "clock" | "ids" | "logger"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readSessions">;
  ending: AbortSignal;
};

/** Reads analytics of the session that has been due longest. @returns false if none is due. */
export function readNextAnalytics(app: ReadingApp): Promise<boolean> {
  return runNextTask(app, sessionAnalytics, { run: (task) => readOf(app, task) });
}

type Reading = Task<
  { environment: AccountId; spaceId: string; sessionId: string; endedAt: number },
  AnalyticsFacts
>;

async function readOf(app: ReadingApp, { payload, facts }: Reading): Promise<TaskResult<AnalyticsFacts>> {
  const { environment, spaceId, sessionId } = payload;
  const options = { priority: "background", signal: app.ending } as const;
  const classroom = app.classroomOf(environment);
  const reply = await offered(() => classroom.readSessions({ spaceId, sessionId }, options));
  // A session's end says that its analytics are complete (6.3), so 404 means that there are none.
  if (reply === null || reply.missing === true) return { nextAt: null };
  const found = reply.entries.find((entry) => entry.sessionId === sessionId);
  if (found !== undefined) {
    await keep(app, payload, found);
    return { nextAt: null };
  }
  if (reply.failure !== null) return { nextAt: null, failure: reply.failure };
  const looks = facts.looks + 1;
  return { nextAt: looks < maxReads ? app.clock.now() + readAgainMs : null, facts: { looks } };
}

/** Null if the service has no analytics, or none for this key. That isn't a failure, which operators would see after each session. */
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

const notOffered: ReadonlySet<number> = new Set([403, 405, 501]);

async function keep(
  { sessionFigures, clock }: ReadingApp,
  { environment, spaceId, sessionId, endedAt }: Reading["payload"],
  { figures: reported, startedAt, endedAt: reportedEnd }: SessionReply,
): Promise<void> {
  const times = { startedAt, endedAt: reportedEnd ?? endedAt, readAt: clock.now() };
  await sessionFigures.keep({ environment, spaceId, sessionId, ...times, ...reported });
}

export type FiguresApp = Pick<App, "courses" | "courseLinks" | "events" | "sessionPlans" | "sessionFigures">;

/**
 * What the classroom says about a session of the course, latest first: usually one report, or more if people came back. Only covers Spaces in
 * which everything belongs to this course.
 * @returns null for a session of another course
 */
export async function showFigures(app: FiguresApp, course: Course, eventId: string) {
  const sessions = await listSessions(app, course);
  const session = sessions.find((one) => one.eventId === eventId);
  if (session === undefined) return null;
  const { startsAt, endsAt } = session;
  if (startsAt === null) return { session, reports: [] };
  const spaces = await spacesOfCourse(app, course);
  const own = spaces.filter(({ claim }) => claim === "own").map(({ spaceId }) => spaceId);
  const times = { from: startsAt, to: (endsAt ?? startsAt) + reportedWithinMs };
  const reports = await app.sessionFigures.listOfSpaces(course.environment, own, times);
  return { session, reports: reports.filter((one) => sessionNear(one, sessions) === session) };
}
