import type { App } from "../../app.ts";
import { asKnownStatus } from "../../domain/attendance.ts";
import { attendanceColumn, eventOfColumn } from "../grading/rules/column.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Delivery } from "../grading/rules/delivery.ts";
import { isGraded } from "./rules/attendance-summary.ts";
import { isForMember, sessionsReadOnce } from "../scheduling/list-sessions.ts";
import { isBeforeTheirs } from "../scheduling/rules/course-session.ts";
import { showSessions, type ShowSessionsDeps, type ShownSession } from "../scheduling/show-sessions.ts";
import {
  type AttendedSession,
  showAttendance,
  type ShowAttendanceDeps,
  type ShownAttendance,
} from "./show-attendance.ts";

export type ShowMyAttendanceDeps = ShowSessionsDeps & ShowAttendanceDeps & Pick<App, "deliveries">;

export type MySession = ShownSession & {
  attended: AttendedSession | null;
  /** In the session's own column. */
  delivery: Pick<Delivery, "state" | "accepted" | "desired"> | null;
};

export type MyAttendance = {
  live: MySession[];
  /** Next one first; those without a time last. */
  next: MySession[];
  /** Latest first; those known from attendance only last. */
  past: MySession[];
  attendance: ShownAttendance;
  counts: AttendanceCounts;
  notGraded: NotGraded | null;
};

/** Sessions by status; `other` are undocumented ones. */
export type AttendanceCounts = Record<"PRESENT" | "LATE" | "ABSENT" | "EXCUSED" | "other", number>;

export type NotGraded = "testUser" | "instructor" | "guest";

/** A learner's own sessions: those for them since they are in the course, and those with facts, without what only planners need. */
export async function showMyAttendance(
  deps: ShowMyAttendanceDeps,
  course: Course,
  member: Member,
): Promise<MyAttendance> {
  const shared = { ...deps, ...sessionsReadOnce(deps) };
  const key = { registrationId: course.registrationId, courseId: course.id, personId: member.personId };
  const [timetable, attendance, deliveries] = await Promise.all([
    showSessions(shared, course),
    showAttendance(shared, course, member, attendanceColumn),
    deps.deliveries.listOfPerson(key),
  ]);
  const attended = new Map(attendance.sessions.map((one) => [one.eventId, one]));
  const columns = new Map(deliveries.map((one) => [eventOfColumn(one.columnKey) ?? "", one]));
  const mine = (sessions: readonly ShownSession[]) =>
    sessions.flatMap((session) => {
      if (session.eventId === null) {
        return isMine(session, member) ? [{ ...session, attended: null, delivery: null }] : [];
      }
      const own = attended.get(session.eventId);
      if (own === undefined && !isMine(session, member)) return [];
      attended.delete(session.eventId);
      return [{ ...session, attended: own ?? null, delivery: columns.get(session.eventId) ?? null }];
    });
  const [live, next, past] = [mine(timetable.live), mine(timetable.next), mine(timetable.past)];
  const others = [...attended.values()].map((one) => ({
    ...knownBy(one),
    attended: one,
    delivery: columns.get(one.eventId) ?? null,
  }));
  return {
    live,
    next,
    past: [...past, ...others],
    attendance,
    counts: countsOf(attendance.sessions),
    notGraded: whyNotGraded(member),
  };
}

/** Null when graded. */
export function whyNotGraded(member: Pick<Member, "role" | "testUser" | "student">): NotGraded | null {
  if (isGraded(member)) return null;
  if (member.testUser) return "testUser";
  return member.role === "instructor" ? "instructor" : "guest";
}

export function countsOf(sessions: readonly Pick<AttendedSession, "status">[]): AttendanceCounts {
  const counts: AttendanceCounts = { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, other: 0 };
  for (const { status } of sessions) counts[asKnownStatus(status) ?? "other"] += 1;
  return counts;
}

function isMine(session: ShownSession, member: Member): boolean {
  const { state } = session;
  if (state === "failed" || state === "unknown" || isBeforeTheirs(session, member)) return false;
  return isForMember(session, member);
}

function knownBy({ eventId, title, startsAt }: AttendedSession): ShownSession {
  return {
    key: `event:${eventId}`,
    eventId,
    spaceId: null,
    title,
    startsAt,
    endsAt: null,
    state: "there",
    problem: null,
    problemCode: null,
    sectionIds: [],
    counts: true,
    series: null,
    found: false,
  };
}
