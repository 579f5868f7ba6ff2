import type { App } from "../../app.ts";
import { checkInOf } from "../../domain/attendance.ts";
import type { Course, Member } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { registerRow } from "../attendance/rules/register.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { sessionOf } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { type CheckIn, checkInSpan, closingTime, isOpen } from "./rules/check-in.ts";
import type { Codes } from "./take-code.ts";

/** What listing sessions open for check-in needs. */
export type OpenCheckInsApp = Pick<App, "checkIns" | "events" | "sessionPlans" | "clock">;
/** For what an instructor sees and does. */
type CheckInApp = OpenCheckInsApp &
  Pick<App, "courses" | "attendance" | "members" | "courseAudit" | "people" | "ids">;

export type OpenCheckIn = { checkIn: CheckIn; session: CourseSession };

/** Sessions of a course in which learners may check in now. */
export async function listOpen(app: OpenCheckInsApp, course: Course): Promise<OpenCheckIn[]> {
  if (!course.checkIn) return [];
  const now = app.clock.now();
  const all = await app.checkIns.listOpen(course.id, now);
  const open = await Promise.all(
    all.map(async (checkIn): Promise<OpenCheckIn[]> => {
      const session = await sessionOfCourse(app, course, checkIn.eventId);
      return session !== null && isOpen(session, checkIn, now) ? [{ checkIn, session }] : [];
    }),
  );
  return open.flat();
}

/** Null for a session of another course. */
async function sessionOfCourse(
  app: Pick<App, "events" | "sessionPlans">,
  { id, environment }: Pick<Course, "id" | "environment">,
  eventId: string,
): Promise<CourseSession | null> {
  const [event, plan] = await Promise.all([
    app.events.find(environment, eventId),
    app.sessionPlans.findByEvent(environment, eventId),
  ]);
  if (event === null || event.courseId !== id) return null;
  return sessionOf(event, plan?.courseId === id ? plan : null);
}

/** Whether the register of a session lists them, or the account that counts in their place. */
export function isExpected(session: Pick<CourseSession, "sectionIds">, member: Member): boolean {
  return registerRow(session, { ...member, joinedTo: null }, null) !== null;
}

export type MyCheckIns = {
  /** Sessions open for check-in in which they have not checked in yet. */
  open: CourseSession[];
  /** Open sessions in which they have checked in, and when (ms). */
  done: { session: CourseSession; at: number }[];
};

/** The sessions in which a learner may check in now, or already has. */
export async function myCheckIns(
  app: OpenCheckInsApp & Pick<App, "attendance">,
  course: Course,
  member: Member,
): Promise<MyCheckIns> {
  const mine = (await listOpen(app, course)).filter(({ session }) => isExpected(session, member));
  const { registrationId, id: courseId } = course;
  const { personId } = member;
  const all = await Promise.all(
    mine.map(async ({ session }) => {
      const key = { registrationId, courseId, eventId: session.eventId, personId };
      const record = await app.attendance.find(key);
      return { session, at: record === null ? undefined : checkInOf(record) };
    }),
  );
  return {
    open: all.flatMap(({ session, at }) => (at === undefined ? [session] : [])),
    done: all.flatMap(({ session, at }) => (at === undefined ? [] : [{ session, at }])),
  };
}

/**
 * What the screen in the room shows of a session. `from`: when it may be started at the earliest; `lateAfter`: minutes after the
 * beginning. @throws NamedError "session-unknown"
 */
export async function showCheckIn(app: CheckInApp & { codes: Codes }, course: Course, eventId: string) {
  const session = await sessionOfCourse(app, course, eventId);
  if (session === null) throw refusal("session-unknown", { status: 404 });
  const now = app.clock.now();
  const { registrationId, id: courseId } = course;
  const [known, checkedIn, expected] = await Promise.all([
    app.checkIns.ofSession(courseId, eventId),
    app.attendance.countCheckedIn(registrationId, courseId, eventId),
    app.members.countLearners({ registrationId, courseId }, session.sectionIds),
  ]);
  const span = checkInSpan(session);
  const state = stateOf(course, session, known, now);
  const open =
    state !== "open" || known === null || span === null
      ? null
      : {
          id: known.id,
          /** Until when any code is taken (ms). */
          closesAt: Math.min(known.closesAt, span.to),
          ...app.codes.newest(known, now),
        };
  return {
    session,
    checkedIn,
    expected,
    lateAfter: course.unplanned.lateAfter,
    from: span?.from ?? null,
    state,
    open,
  };
}

/** off: the course does not want it · early, over: not now · ready: it may be started · open: a code is shown. */
type CheckInState = "off" | "cancelled" | "early" | "over" | "ready" | "open";

function stateOf(
  course: Pick<Course, "checkIn">,
  session: CourseSession,
  known: CheckIn | null,
  now: number,
): CheckInState {
  const span = checkInSpan(session);
  if (!course.checkIn) return "off";
  if (span === null) return "cancelled";
  if (known !== null && isOpen(session, known, now)) return "open";
  if (now < span.from) return "early";
  return now < span.to ? "ready" : "over";
}

/**
 * @param words The minutes as instructors read them, for the trail. @returns false when learners may check in already.
 * @throws NamedError "check-in-off", "session-unknown", "check-in-not-now"
 */
export async function startCheckIn(
  app: CheckInApp,
  course: Course,
  of: { eventId: string; minutes: number; by: string },
  words: (minutes: number) => string,
): Promise<boolean> {
  const { eventId, minutes, by } = of;
  const session = await sessionToCheckIn(app, course, eventId);
  const now = app.clock.now();
  const closesAt = closingTime(session, minutes, now);
  if (closesAt === null) throw refusal("check-in-not-now", { status: 409 });
  const { registrationId, id: courseId } = course;
  const times = { startedBy: by, startedAt: now, closesAt };
  const id = app.ids.id("cin");
  if (!(await app.checkIns.start({ id, registrationId, courseId, eventId, ...times }))) return false;
  const { title, startsAt } = session;
  await writeCourseAudit(app, course, by, {
    what: "check-in-started",
    session: { eventId, title, startsAt },
    after: words(minutes),
  });
  return true;
}

/** Ends a check-in; those who checked in stay checked in. @throws NamedError "check-in-off", "session-unknown" */
export async function stopCheckIn(app: CheckInApp, course: Course, eventId: string): Promise<void> {
  await sessionToCheckIn(app, course, eventId);
  await app.checkIns.stop(course.id, eventId, app.clock.now());
}

async function sessionToCheckIn(app: Pick<App, "events" | "sessionPlans">, course: Course, eventId: string) {
  if (!course.checkIn) throw refusal("check-in-off", { status: 409 });
  const session = await sessionOfCourse(app, course, eventId);
  if (session === null) throw refusal("session-unknown", { status: 404 });
  return session;
}
