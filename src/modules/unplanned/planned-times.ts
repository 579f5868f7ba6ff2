import type { App } from "../../app.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedTime } from "./rules/found-class.ts";

export type PlannedTimesDeps = Pick<App, "events" | "sessionPlans" | "attendance">;

/** `eventId`: null while the classroom does not have it. `cancelled`: its marks count all the same. */
export type PlannedHour = PlannedTime & { eventId: string | null; cancelled: boolean };

const maxSessions = 2_000;

/**
 * Sessions in a Space, of whatever course, and those of the course without a known Space; also planned ones that the
 * classroom does not have yet. Of those that were cancelled only the ones with marks, which count: without, what was held all the
 * same is a question.
 */
export async function plannedTimes(
  { events, sessionPlans, attendance }: PlannedTimesDeps,
  { id, registrationId, environment }: Pick<Course, "id" | "registrationId" | "environment">,
  spaceId: string,
  since: number,
): Promise<PlannedHour[]> {
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
  const planned: PlannedHour[] = toMake.map((plan) => ({ ...plan, cancelled: false }));
  for (const event of known) {
    if (event.ours === true) continue;
    const isMarked = async () =>
      (await attendance.listOfEvent(registrationId, id, event.eventId)).some(
        (record) => currentAttendanceOf(record) !== null,
      );
    if (!event.cancelled || (await isMarked())) planned.push(event);
  }
  return planned;
}
