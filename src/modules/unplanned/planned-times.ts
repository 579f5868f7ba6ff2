import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedTime } from "./rules/found-class.ts";

export type PlannedTimesDeps = Pick<App, "events" | "sessionPlans">;

const maxSessions = 2_000;

/**
 * Sessions in a Space, of whatever course, and those of the course without a known Space; also planned ones that the
 * classroom does not have yet. Not those that were cancelled or refused: what was held all the same is a question.
 */
export async function plannedTimes(
  { events, sessionPlans }: PlannedTimesDeps,
  { id, environment }: Pick<Course, "id" | "environment">,
  spaceId: string,
  since: number,
): Promise<PlannedTime[]> {
  const [inSpace, ofCourse, plans] = await Promise.all([
    events.listInSpace(environment, spaceId, since),
    events.listSince(id, since, maxSessions),
    sessionPlans.listOfCourse(id, maxSessions),
  ]);
  const known = [...inSpace, ...ofCourse.filter((event) => event.spaceId === null)];
  const toMake = plans.filter(
    ({ state, eventId, startsAt }) =>
      eventId === null && ["wanted", "unknown", "assumed"].includes(state) && startsAt >= since,
  );
  return [...known.filter(({ cancelled, ours }) => !cancelled && ours !== true), ...toMake];
}
