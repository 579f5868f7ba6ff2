import type { AttendanceRecord } from "./store/attendance-stores.ts";
import type { App } from "../../app.ts";
import {
  asKnownStatus,
  checkInOf,
  countedMinutes,
  currentAttendanceOf,
  type KnownStatus,
  presenceSeen,
  type SeenPresence,
  type SessionMinutes,
} from "../../domain/attendance.ts";
import { officeId } from "../../domain/counting-facts.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { type Grade, gradeOfSession, type GradePolicy, type Grading } from "../../domain/grade-policy.ts";
import { byKey, compareText } from "../../kernel/lists.ts";
import { type CountingApp, factsOfPeople } from "../grading/counting-facts.ts";
import { attendanceColumn, eventOfColumn } from "../grading/rules/column.ts";
import { type Delivery, visibleState, type GradesHold, holdOf } from "../grading/rules/delivery.ts";
import { isForMember, listSessions } from "../scheduling/list-sessions.ts";
import { type CourseSession, isBeforeTheirs, unknownSession } from "../scheduling/rules/course-session.ts";
import { type TimetableSession, showSessions } from "../scheduling/show-sessions.ts";
import {
  countedSessions,
  gradeTogether,
  isGraded,
  plannedFor,
  withStatus,
} from "./rules/attendance-summary.ts";

export type MyAttendanceApp = CountingApp & Pick<App, "clock" | "deliveries">;

export type ShowAttendanceApp = MyAttendanceApp & Pick<App, "attendanceSummaries" | "people">;

export type AttendedSession = {
  eventId: string;
  title: string | null;
  startsAt: number | null;
  /** In the classroom's spelling. An unknown status never counts. */
  status: string;
  known: KnownStatus | null;
  /** An instructor's mark differs from the classroom's, or from a check-in. */
  corrected: boolean;
  /** What presence suggests in an unplanned class. */
  seen?: SeenPresence;
  /** When they checked in (ms), even if something else counts. */
  checkedInAt?: number;
  /** An instructor's note. Learners don't see the classroom's notes. */
  notes: string | null;
  /** Null if it doesn't count for the grade. */
  points: number | null;
};

export type LearnerAttendance = {
  /** Latest first; sessions without a time last. */
  sessions: readonly AttendedSession[];
  /** Null without grades, or if each session has its own column. */
  grade: (Grade & { maximum: number }) | null;
  /** Each session has its own column, and this isn't about a single one. */
  perSession: boolean;
  /** What the gradebook has; null if nothing was ever to be sent. */
  delivery:
    | (Pick<
        Delivery,
        "accepted" | "desired" | "unreleased" | "foreign" | "unconfirmed" | "reason" | "refusal"
      > & { state: ReturnType<typeof visibleState> })
    | null;
  /** Why new grades wait for an instructor; null if they don't. */
  hold: GradesHold | null;
};

/** Former members are in no section. @param columnKey The attendance column, or a single session's. */
export async function showAttendance(
  app: MyAttendanceApp,
  course: Course,
  member: Pick<Member, "personId" | "sectionIds" | "joinedAt">,
  columnKey: string,
): Promise<LearnerAttendance> {
  const { registrationId, id: courseId, policy } = course;
  const only = eventOfColumn(columnKey);
  const [all, known] = await Promise.all([
    factsOfPeople(app, course, [member.personId]),
    listSessions(app, course),
  ]);
  const sessionOf = byKey(known, ({ eventId }) => eventId);
  const records = all.filter(
    ({ eventId }) => (only === null || eventId === only) && sessionOf.get(eventId)?.cancelledHere !== true,
  );
  const sessionOfRecord = ({ eventId }: AttendanceRecord) =>
    sessionOf.get(eventId) ?? unknownSession(eventId);
  const sessions = records
    .flatMap((record) => attendedSession(policy, record, sessionOfRecord(record)))
    .sort(latestFirst);
  const counting = records.filter((record) => sessionOfRecord(record).counts);
  const grade = gradeIn(policy, only, counting, known, member);
  const key = { registrationId, courseId, columnKey, personId: member.personId };
  return {
    sessions,
    grade,
    perSession: policy.kind === "column-per-session" && only === null,
    delivery: grade === null ? null : deliveryIn(grade, await app.deliveries.find(key)),
    hold: holdOf(course, app.clock.now()),
  };
}

function attendedSession(policy: GradePolicy, record: AttendanceRecord, session: CourseSession) {
  const { eventId, history } = record;
  const current = currentAttendanceOf(record);
  if (current === null) return [];
  const isByInstructor = current.correction !== null && current.correction.by !== officeId;
  const known = asKnownStatus(current.status);
  const seen = presenceSeen(record);
  const checkedInAt = checkInOf(record);
  return [
    {
      eventId,
      title: session.title,
      startsAt: session.startsAt,
      status: current.status,
      known,
      corrected: isByInstructor && history.some(({ status }) => status !== current.status),
      notes: current.source === "instructor" ? current.notes : null,
      points: session.counts ? pointsOf(policy, known, countedMinutes(record)) : null,
      ...(seen === undefined ? {} : { seen }),
      ...(checkedInAt === undefined ? {} : { checkedInAt }),
    },
  ];
}

function pointsOf(policy: GradePolicy, known: KnownStatus | null, minutes: SessionMinutes | null) {
  if (policy.kind === "no-grades" || known === null || policy.credit[known] === null) return null;
  return gradeOfSession(policy, [{ status: known, ...(minutes === null ? {} : { minutes }) }]).score;
}

function gradeIn(
  policy: GradePolicy,
  only: string | null,
  records: readonly AttendanceRecord[],
  known: readonly CourseSession[],
  member: Pick<Member, "sectionIds" | "joinedAt">,
): LearnerAttendance["grade"] {
  if (policy.kind === "no-grades") return null;
  const counted = countedSessions(records);
  if (only !== null) return withMaximum(policy, gradeOfSession(policy, withStatus(counted)));
  if (policy.kind === "column-per-session") return null;
  const planned = plannedFor(
    known.filter(({ counts }) => counts),
    member,
    counted,
  );
  return withMaximum(policy, gradeTogether(policy, counted, planned));
}

function withMaximum({ points }: Grading, grade: Grade): Grade & { maximum: number } {
  return { ...grade, maximum: points };
}

/** A grade that differs from the delivered one is on its way. */
function deliveryIn(
  grade: { score: number | null; maximum: number },
  delivery: Delivery | null,
): LearnerAttendance["delivery"] {
  if (delivery === null) return null;
  if (delivery.state !== "delivered") return { ...delivery, state: visibleState(delivery.state) };
  const { accepted, unreleased = null } = delivery;
  if (unreleased !== null) return { ...delivery, state: "delivered" };
  const same = accepted?.score === grade.score && accepted.maximum === grade.maximum;
  return { ...delivery, state: same ? "delivered" : "waiting" };
}

function latestFirst(a: AttendedSession, b: AttendedSession): number {
  const [first, second] = [a.startsAt ?? Number.NEGATIVE_INFINITY, b.startsAt ?? Number.NEGATIVE_INFINITY];
  return second - first || compareText(a.eventId, b.eventId);
}

export type MySession = TimetableSession & {
  attended: AttendedSession | null;
  /** In the session's own column. */
  delivery: Pick<Delivery, "state" | "accepted" | "desired" | "unreleased"> | null;
};

export type MyAttendance = Awaited<ReturnType<typeof showMyAttendance>>;

/** Numbers of sessions by status. `other`: undocumented statuses. */
export type AttendanceCounts = Record<"PRESENT" | "LATE" | "ABSENT" | "EXCUSED" | "other", number>;

export type NotGraded = "testUser" | "instructor" | "guest" | "joined";

/** A learner's own sessions: those for them since they joined, and those with facts. Leaves out what only planners need. */
export async function showMyAttendance(app: MyAttendanceApp, course: Course, member: Member) {
  const key = keyOfCourse(course);
  const [timetable, attendance, deliveries] = await Promise.all([
    showSessions(app, course),
    showAttendance(app, course, member, attendanceColumn),
    app.deliveries.listAllOfPeople(key, [member.personId]),
  ]);
  const attended = byKey(attendance.sessions, ({ eventId }) => eventId);
  const columns = byKey(deliveries, ({ columnKey }) => eventOfColumn(columnKey) ?? "");
  const mine = (sessions: readonly TimetableSession[]) =>
    sessions.flatMap((session): MySession[] => {
      if (session.eventId === null) {
        return isMine(session, member) ? [{ ...session, attended: null, delivery: null }] : [];
      }
      const own = attended.get(session.eventId);
      if (own === undefined && !isMine(session, member)) return [];
      attended.delete(session.eventId);
      return [{ ...session, attended: own ?? null, delivery: columns.get(session.eventId) ?? null }];
    });
  const [live, next, past] = [mine(timetable.live), mine(timetable.next), mine(timetable.past)];
  const others = [...attended.values()].map((one): MySession => ({
    ...knownBy(one),
    attended: one,
    delivery: columns.get(one.eventId) ?? null,
  }));
  return {
    live,
    /** The next one first; sessions without a time last. */
    next,
    /** Latest first; sessions that we only know from attendance last. */
    past: [...past, ...others],
    attendance,
    counts: countsOf(attendance.sessions),
    notGraded: whyNotGraded(member),
  };
}

export function whyNotGraded(
  member: Pick<Member, "role" | "testUser" | "student" | "joinedTo">,
): NotGraded | null {
  if (isGraded(member)) return null;
  if (member.joinedTo != null) return "joined";
  if (member.testUser) return "testUser";
  return member.role === "instructor" ? "instructor" : "guest";
}

export function countsOf(sessions: readonly Pick<AttendedSession, "status">[]): AttendanceCounts {
  const counts: AttendanceCounts = { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, other: 0 };
  for (const { status } of sessions) counts[asKnownStatus(status) ?? "other"] += 1;
  return counts;
}

function isMine(session: TimetableSession, member: Member): boolean {
  const { state } = session;
  if (state === "failed" || state === "unknown" || isBeforeTheirs(session, member)) return false;
  return isForMember(session, member);
}

function knownBy({ eventId, title, startsAt }: AttendedSession): TimetableSession {
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
    keepsMarks: false,
    deleted: false,
    cancelledHere: false,
    change: null,
  };
}
