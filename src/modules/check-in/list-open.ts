import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { checkInOf } from "../../domain/attendance.ts";
import { registerRow } from "../attendance/rules/register.ts";
import { sessionOf } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { isOpen } from "./rules/check-in-times.ts";
import type { CheckIn } from "./rules/records.ts";

export type ListOpenDeps = Pick<App, "checkIns" | "events" | "sessionPlans" | "clock">;

export type OpenCheckIn = { checkIn: CheckIn; session: CourseSession };

/** Sessions of a course in which learners may check in now. */
export async function listOpen(deps: ListOpenDeps, course: Course): Promise<OpenCheckIn[]> {
  if (course.checkIn !== true) return [];
  const now = deps.clock.now();
  const all = await deps.checkIns.listOpen(course.id, now);
  const open = await Promise.all(
    all.map(async (checkIn): Promise<OpenCheckIn[]> => {
      const session = await sessionOfCourse(deps, course, checkIn.eventId);
      return session !== null && isOpen(session, checkIn, now) ? [{ checkIn, session }] : [];
    }),
  );
  return open.flat();
}

/** Null for a session of another course. */
export async function sessionOfCourse(
  deps: Pick<App, "events" | "sessionPlans">,
  { id, environment }: Pick<Course, "id" | "environment">,
  eventId: string,
): Promise<CourseSession | null> {
  const [event, plan] = await Promise.all([
    deps.events.find(environment, eventId),
    deps.sessionPlans.findByEvent(environment, eventId),
  ]);
  if (event === null || event.courseId !== id) return null;
  return sessionOf(event, plan?.courseId === id ? plan : null);
}

/** Whether the register of a session lists them. */
export function isExpected(session: Pick<CourseSession, "sectionIds">, member: Member): boolean {
  return registerRow(session, member, null) !== null;
}

export type MyCheckIns = {
  /** In which they may check in now, and did not yet. */
  open: CourseSession[];
  /** In which they did, of those that are open (ms). */
  done: { session: CourseSession; at: number }[];
};

/** What a learner is asked for now. */
export async function myCheckIns(
  deps: ListOpenDeps & Pick<App, "attendance">,
  course: Course,
  member: Member,
): Promise<MyCheckIns> {
  const mine = (await listOpen(deps, course)).filter(({ session }) => isExpected(session, member));
  const { registrationId, id: courseId } = course;
  const { personId } = member;
  const all = await Promise.all(
    mine.map(async ({ session }) => {
      const key = { registrationId, courseId, eventId: session.eventId, personId };
      const record = await deps.attendance.find(key);
      return { session, at: record === null ? undefined : checkInOf(record) };
    }),
  );
  return {
    open: all.flatMap(({ session, at }) => (at === undefined ? [session] : [])),
    done: all.flatMap(({ session, at }) => (at === undefined ? [] : [{ session, at }])),
  };
}
