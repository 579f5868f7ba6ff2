import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type RecordingReading, recordingReadings } from "./recording-readings.ts";
import { spacesOfCourse, type SpacesOfCourseDeps } from "./spaces-of-course.ts";

export type LookAgainDeps = SpacesOfCourseDeps & Pick<App, "tasks" | "wake" | "clock">;

/** A younger list (ms) is not read again for a waiting person. */
const freshMs = 10_000;

/** Ahead of background work. Repeatable. @param which "unread": only lists never read, for the first visit. */
export async function lookAgain(
  deps: LookAgainDeps,
  course: Course,
  which: "all" | "unread" = "all",
): Promise<void> {
  const { environment } = course;
  const spaces = (await spacesOfCourse(deps, course)).map(({ spaceId }) => ({ environment, spaceId }));
  const known = await deps.tasks.findMany(recordingReadings, spaces);
  const now = deps.clock.now();
  let wanted = false;
  for (const space of spaces) {
    const last = known.find(({ payload }) => payload.spaceId === space.spaceId);
    const enough =
      which === "unread"
        ? last !== undefined
        : (last?.facts.readAt ?? 0) > now - freshMs && last?.problem === null;
    if (enough) continue;
    await deps.tasks.enqueue(recordingReadings, space, { now, priority: "person", fresh: true });
    wanted = true;
  }
  if (wanted) deps.wake(recordingReadings);
}

/** Milliseconds between checks whether the lists have been read. */
const pollMs = 150;

/** Waits, at most `waitMs`, until no list is being read for a person: mostly a second. */
export async function untilLooked(
  deps: LookAgainDeps & { clock: Pick<Clock, "now" | "sleep"> },
  course: Course,
  waitMs: number,
): Promise<void> {
  const { environment } = course;
  const spaces = (await spacesOfCourse(deps, course)).map(({ spaceId }) => ({ environment, spaceId }));
  const givenUpAt = deps.clock.now() + waitMs;
  while (deps.clock.now() < givenUpAt) {
    const readings = await deps.tasks.findMany(recordingReadings, spaces);
    if (!readings.some(isUnderWay)) return;
    await deps.clock.sleep(pollMs);
  }
}

/** Whether a person waits for a list that has not just failed. */
export function isUnderWay({ priority, problem }: Pick<RecordingReading, "priority" | "problem">): boolean {
  return priority === "person" && problem === null;
}
