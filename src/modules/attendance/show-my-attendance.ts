import type { App } from "../../app.ts";
import { asKnownStatus } from "../../domain/attendance.ts";
import { attendanceColumn, eventOfColumn } from "../grading/rules/column.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Delivery } from "../grading/rules/delivery.ts";
import { isGraded } from "./rules/learner-standing.ts";
import { isForMember } from "../scheduling/is-for-member.ts";
import { sessionsReadOnce } from "../scheduling/sessions-read-once.ts";
import { showSessions, type ShowSessionsDeps, type ShownSession } from "../scheduling/show-sessions.ts";
import {
  type AttendedSession,
  showAttendance,
  type ShowAttendanceDeps,
  type ShownAttendance,
} from "./show-attendance.ts";

export type ShowMyAttendanceDeps = ShowSessionsDeps & ShowAttendanceDeps & Pick<App, "deliveries">;

/** A session of the course as it concerns one learner. */
export type MySession = ShownSession & {
  /** How they attended it; null while nobody has marked it. */
  attended: AttendedSession | null;
  /** The score in the session's own column; null where there is none. */
  delivery: Pick<Delivery, "state" | "accepted" | "desired"> | null;
};

/** All that a learner may know of their attendance in a course. */
export type MyAttendance = {
  live: MySession[];
  /** The next one first; ones without a time come last. */
  next: MySession[];
  /** The latest first; ones that were attended and of which nothing else is known come last. */
  past: MySession[];
  /** Of all sessions together, as `showAttendance` says. */
  attendance: ShownAttendance;
  counts: AttendanceCounts;
  /** Why their attendance becomes no grade; null when it does. */
  notGraded: NotGraded | null;
};

/** How many sessions somebody attended, by status; `other` are statuses that nobody documented. */
export type AttendanceCounts = Record<"PRESENT" | "LATE" | "ABSENT" | "EXCUSED" | "other", number>;

/** Why somebody's attendance is never graded. */
export type NotGraded = "testUser" | "instructor" | "guest";

/**
 * A learner's own sessions and attendance: those that are for them, and every one they have facts of, whosever it was.
 * What is not settled with the classroom yet is left out: that is for those who plan.
 */
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

/** Why a member's attendance becomes no grade; null when it does. */
export function whyNotGraded(member: Pick<Member, "role" | "testUser" | "student">): NotGraded | null {
  if (isGraded(member)) return null;
  if (member.testUser) return "testUser";
  return member.role === "instructor" ? "instructor" : "guest";
}

/** How many of the sessions somebody was marked in have which status. */
export function countsOf(sessions: readonly Pick<AttendedSession, "status">[]): AttendanceCounts {
  const counts: AttendanceCounts = { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, other: 0 };
  for (const { status } of sessions) counts[asKnownStatus(status) ?? "other"] += 1;
  return counts;
}

function isMine(session: ShownSession, member: Member): boolean {
  const { standing } = session;
  return standing !== "failed" && standing !== "unknown" && isForMember(session, member);
}

/** A session of which nothing is known but what happened in it. */
function knownBy({ eventId, title, startsAt }: AttendedSession): ShownSession {
  return {
    key: `event:${eventId}`,
    eventId,
    spaceId: null,
    title,
    startsAt,
    endsAt: null,
    standing: "there",
    problem: null,
    problemCode: null,
    sectionIds: [],
    counts: true,
    series: null,
    found: false,
  };
}
