import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type RecordingReading, recordingReadings } from "./recording-readings.ts";
import { spacesOfCourse, type SpacesOfCourseDeps } from "./spaces-of-course.ts";

export type LookAgainDeps = SpacesOfCourseDeps & Pick<App, "tasks" | "wake" | "clock">;

/** Somebody who waits is not served by a list that was read less than so long ago (ms). */
const freshFor = 10_000;

/**
 * Has the classroom's lists of a course's recordings read, ahead of background work. Asking again while that goes on
 * changes nothing.
 * @param which "unread": only lists that have never been looked for, as when the page is opened for the first time.
 */
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
        : (last?.facts.readAt ?? 0) > now - freshFor && last?.problem === null;
    if (enough) continue;
    await deps.tasks.enqueue(recordingReadings, space, { now, priority: "person", fresh: true });
    wanted = true;
  }
  if (wanted) deps.wake(recordingReadings);
}

/** So often it is looked whether the lists have been read (ms). */
const lookEvery = 150;

/** Waits until no list of the course is being asked for by somebody, `patience` ms at the longest: mostly it takes a second. */
export async function untilLooked(
  deps: LookAgainDeps & { clock: Pick<Clock, "now" | "sleep"> },
  course: Course,
  patience: number,
): Promise<void> {
  const { environment } = course;
  const spaces = (await spacesOfCourse(deps, course)).map(({ spaceId }) => ({ environment, spaceId }));
  const givenUpAt = deps.clock.now() + patience;
  while (deps.clock.now() < givenUpAt) {
    const readings = await deps.tasks.findMany(recordingReadings, spaces);
    if (!readings.some(isUnderWay)) return;
    await deps.clock.sleep(lookEvery);
  }
}

/** Whether somebody waits for a list that has not failed just now. */
export function isUnderWay({ priority, problem }: Pick<RecordingReading, "priority" | "problem">): boolean {
  return priority === "person" && problem === null;
}
