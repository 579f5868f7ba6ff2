import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { readRoster } from "./roster-readings.ts";
import { activityCounts, activityStep, rosterIsDue, roundLeaves } from "./rules/roster-sync.ts";

export type RequestRosterDeps = Pick<App, "rosterSyncs" | "wake" | "clock">;

type CourseKeys = Pick<Course, "id" | "registrationId">;

/** Has the roster of a course read as soon as possible; one that is being read serves this wish, too. */
export async function requestRoster(deps: RequestRosterDeps, course: CourseKeys): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  await deps.rosterSyncs.open(key, deps.clock.now());
  await deps.rosterSyncs.request(key, deps.clock.now());
  deps.wake(readRoster);
}

/**
 * After a launch: notes that the course is in use, and has its roster read when an instructor came and the latest
 * one is old. An LMS that offers no roster is not asked.
 */
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
    known === null || known.activeAt < now - activityStep ? await deps.rosterSyncs.open(key, now) : known;
  if (role === "instructor" && rosterIsDue(sync, now)) await requestRoster(deps, course);
}

const atOnce = 200;
/** The nightly round is spread over this long (ms), so that no LMS gets all its courses in one minute. */
const roundLasts = 3 * 60 * 60_000;

/**
 * Puts every course that was opened in the last month on tonight's round. Several processes may do it at the same
 * time: a course that has its time already keeps it.
 * @param deps.random Between 0 and 1.
 * @returns how many courses were found.
 */
export async function scheduleRosterRound(
  deps: Pick<RequestRosterDeps, "rosterSyncs" | "clock"> & { random: () => number },
): Promise<number> {
  const now = deps.clock.now();
  let found = 0;
  for (;;) {
    const some = await deps.rosterSyncs.listStale({
      activeSince: now - activityCounts,
      endedBefore: now - roundLeaves,
      limit: atOnce,
    });
    found += some.length;
    await deps.rosterSyncs.schedule(
      some.map((course) => ({ ...course, dueAt: now + Math.round(deps.random() * roundLasts) })),
    );
    if (some.length < atOnce) return found;
  }
}
