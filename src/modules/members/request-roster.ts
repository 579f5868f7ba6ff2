import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { readRoster } from "./roster-readings.ts";
import { activityTtlMs, activityStepMs, rosterIsDue, roundSkipMs } from "./rules/roster-sync.ts";

export type RequestRosterDeps = Pick<App, "rosterSyncs" | "wake" | "clock">;

type CourseKeys = Pick<Course, "id" | "registrationId">;

/** Has a roster read as soon as possible; a reading under way counts. */
export async function requestRoster(deps: RequestRosterDeps, course: CourseKeys): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  await deps.rosterSyncs.open(key, deps.clock.now());
  await deps.rosterSyncs.request(key, deps.clock.now());
  deps.wake(readRoster);
}

/** Notes that the course is in use; reads an old roster for an instructor. An LMS without a roster is not asked. */
export async function refreshRosterAfterLaunch(
  deps: RequestRosterDeps,
  course: CourseKeys & Pick<Course, "membershipsUrl">,
  role: Member["role"],
): Promise<void> {
  if (course.membershipsUrl === null) return;
  const now = deps.clock.now();
  const known = await deps.rosterSyncs.find(course.registrationId, course.id);
  const key = { registrationId: course.registrationId, courseId: course.id };
  const sync =
    known === null || known.activeAt < now - activityStepMs ? await deps.rosterSyncs.open(key, now) : known;
  if (role === "instructor" && rosterIsDue(sync, now)) await requestRoster(deps, course);
}

const batchSize = 200;
/** Milliseconds, so that an LMS does not get all courses in one minute. */
const roundMs = 3 * 60 * 60_000;

/**
 * Of every course opened in the last month. Several processes may run it: scheduled courses keep their time. @param
 * deps.random Between 0 and 1. @returns the courses found.
 */
export async function scheduleRosterRound(
  deps: Pick<RequestRosterDeps, "rosterSyncs" | "clock"> & { random: () => number },
): Promise<number> {
  const now = deps.clock.now();
  let found = 0;
  for (;;) {
    const some = await deps.rosterSyncs.listStale({
      activeSince: now - activityTtlMs,
      endedBefore: now - roundSkipMs,
      limit: batchSize,
    });
    found += some.length;
    await deps.rosterSyncs.schedule(
      some.map((course) => ({ ...course, dueAt: now + Math.round(deps.random() * roundMs) })),
    );
    if (some.length < batchSize) return found;
  }
}
