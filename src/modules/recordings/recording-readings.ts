import { z } from "zod";
import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { coursesOpening } from "../courses/change-settings.ts";
import { unfinishedSchema } from "../../domain/list-pages.ts";
import { ofAccount, retryPolicies, defineTask, type Task } from "../../tasks/task-kind.ts";

/** What requesting a reading of recordings needs. */
type ReadingsApp = Pick<App, "courses" | "courseLinks" | "tasks" | "wake" | "clock">;

/** A list read within this time (ms) isn't read again on request. */
const freshMs = 10_000;

/** Requests readings of the lists, ahead of background work. Repeatable. @param which "unread": only lists never read, for the first visit. */
export async function readAgain(app: ReadingsApp, course: Course, which: "all" | "unread" = "all") {
  const { environment } = course;
  const spaces = (await spacesOfCourse(app, course)).map(({ spaceId }) => ({ environment, spaceId }));
  const known = await app.tasks.findMany(recordingReadings, spaces);
  const now = app.clock.now();
  let queued = false;
  for (const space of spaces) {
    const last = known.find(({ payload }) => payload.spaceId === space.spaceId);
    const enough =
      which === "unread"
        ? last !== undefined
        : (last?.facts.readAt ?? 0) > now - freshMs && last?.problem === null;
    if (enough) continue;
    await app.tasks.enqueue(recordingReadings, space, { now, priority: "person", fresh: true });
    queued = true;
  }
  if (queued) app.wake(recordingReadings);
}

/** Milliseconds between checks whether the lists have been read. */
const pollMs = 150;

/** Waits, at most `waitMs`, until no list is being read for a person, which usually takes a second. */
export async function waitForReading(app: ReadingsApp, course: Course, waitMs: number): Promise<void> {
  const { environment } = course;
  const spaces = (await spacesOfCourse(app, course)).map(({ spaceId }) => ({ environment, spaceId }));
  const givenUpAt = app.clock.now() + waitMs;
  while (app.clock.now() < givenUpAt) {
    const readings = await app.tasks.findMany(recordingReadings, spaces);
    if (!readings.some(isUnderWay)) return;
    await app.clock.sleep(pollMs);
  }
}

/** Whether a person waits for a list that hasn't just failed. */
export function isUnderWay({ priority, problem }: Pick<RecordingReading, "priority" | "problem">): boolean {
  return priority === "person" && problem === null;
}

const readingPayload = z.object({ environment: z.string(), spaceId: z.string() });

const readingFacts = z.object({
  /** When the list was last read (ms). */
  readAt: z.number().nullable().default(null),
  /** Whether the classroom has such a list. Null while unknown. Without it, there are only webhooks. */
  offered: z.boolean().nullable().default(null),
  /** Entries without a Space. Nobody sees them until a webhook names it. */
  unplaced: z.number().default(0),
  /** The rest of the list if the last reading was interrupted. */
  unfinished: unfinishedSchema,
});

export type RecordingFacts = z.infer<typeof readingFacts>;
export type RecordingReading = Task<z.infer<typeof readingPayload>, RecordingFacts>;

export const recordingReadings = defineTask({
  name: "recording-readings",
  queue: "recordings",
  order: "person-first-in-scope",
  payload: readingPayload,
  facts: readingFacts,
  identityOf: ({ environment, spaceId }) => ofAccount(environment, spaceId),
  retry: retryPolicies["recording-readings"],
  whileRunning: "again",
});

const analyticsPayload = z.object({
  environment: z.string(),
  spaceId: z.string(),
  sessionId: z.string(),
  /** From the webhook (ms). */
  endedAt: z.number(),
});

const analyticsFacts = z.object({
  /** How often the session wasn't in the list. */
  looks: z.number().default(0),
});

export type AnalyticsFacts = z.infer<typeof analyticsFacts>;

/** Reads what the classroom says about a session that is over, one task per session: its end says that analytics are complete (interface 6.3). */
export const sessionAnalytics = defineTask({
  name: "session-analytics",
  order: "person-first-in-scope",
  payload: analyticsPayload,
  facts: analyticsFacts,
  identityOf: ({ environment, sessionId }) => ofAccount(environment, sessionId),
  retry: retryPolicies["session-analytics"],
  whileRunning: "serves",
});

export type CourseSpace = {
  spaceId: string;
  /**
   * "own": what happens there belongs to the course unless it's known to be another's. "shared": another course's, linked by several
   * courses, or no longer linked, so only what is known to be this course's belongs to it.
   */
  claim: "own" | "shared";
};

/** A course's own Space, earlier ones, and those its links open, as far as it has a right to them. */
export async function spacesOfCourse(app: Pick<App, "courses" | "courseLinks">, course: Course) {
  const [former, left, links] = await Promise.all([
    app.courses.formerSpaces(course),
    app.courses.formerSpaces(course, true),
    app.courseLinks.listOfCourse(course.registrationId, course.id),
  ]);
  const linked = links.flatMap(({ choice }) => (choice.kind === "space" ? [choice.spaceId] : []));
  const named = [...former, ...left, ...linked, ...(course.spaceId === null ? [] : [course.spaceId])];
  const others = await app.courses.usableOf(course, named);
  const own: CourseSpace[] = [];
  if (course.spaceId !== null && others.delete(course.spaceId))
    own.push({ spaceId: course.spaceId, claim: "own" });
  const rest = await Promise.all(
    [...others].map(async (spaceId): Promise<CourseSpace> => {
      const wasOurs = former.includes(spaceId);
      const isOurs = wasOurs || linked.includes(spaceId);
      return {
        spaceId,
        claim: isOurs && (await isOnlyOurs(app, course, spaceId, wasOurs)) ? "own" : "shared",
      };
    }),
  );
  return [...own, ...rest];
}

/** Whether no other course uses a Space that isn't the course's own. */
async function isOnlyOurs(
  app: Pick<App, "courses" | "courseLinks">,
  course: Course,
  spaceId: string,
  wasOurs: boolean,
): Promise<boolean> {
  const owners = await app.courses.findBySpace(course.environment, spaceId);
  const opening = wasOurs ? [] : await coursesOpening(app, course.environment, spaceId);
  return [...owners, ...opening].every(({ id }) => id === course.id);
}
