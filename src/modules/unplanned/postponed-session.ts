import type { App } from "../../app.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { wallTimeOf } from "../scheduling/rules/time-zone.ts";
import type { UnplannedClass } from "./rules/records.ts";

export type PostponedDeps = Pick<App, "events" | "sessionPlans" | "attendance">;

const dayMs = 24 * 3_600_000;
const maxOfDay = 50;

/** The planned sessions of a class's day in which nobody was: it may be one of them, held at another time. Earliest first. */
export async function postponedTo(
  { events, sessionPlans, attendance }: PostponedDeps,
  { id, registrationId, timeZone }: Pick<Course, "id" | "registrationId" | "timeZone">,
  { startsAt }: Pick<UnplannedClass, "startsAt">,
): Promise<ClassroomEvent[]> {
  const dayOf = (at: number) => wallTimeOf(at, timeZone ?? "UTC").date;
  const near = await events.listSince(id, startsAt - dayMs, maxOfDay);
  const uncounted = new Set(await sessionPlans.listUncounted(id));
  const missed: ClassroomEvent[] = [];
  for (const event of near) {
    const { eventId, startsAt: planned, cancelled, ours } = event;
    if (cancelled || ours === true || uncounted.has(eventId)) continue;
    if (planned === null || planned > startsAt || dayOf(planned) !== dayOf(startsAt)) continue;
    const records = await attendance.listOfEvent(registrationId, id, eventId);
    const isMissed = ({ seen, ...facts }: (typeof records)[number]) =>
      seen === undefined && (currentAttendanceOf(facts)?.status ?? "ABSENT") === "ABSENT";
    if (records.every(isMissed)) missed.push(event);
  }
  return missed;
}
