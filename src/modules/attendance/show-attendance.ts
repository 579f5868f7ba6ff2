import type { App } from "../../app.ts";
import {
  asKnownStatus,
  checkInOf,
  countedMinutes,
  type CurrentAttendance,
  type KnownStatus,
  currentAttendanceOf,
  presenceSeen,
  type SeenPresence,
  type SessionMinutes,
} from "../../domain/attendance.ts";
import { eventOfColumn } from "../grading/rules/column.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Delivery } from "../grading/rules/delivery.ts";
import { shownState } from "../grading/rules/score-state.ts";
import { type Grade, gradeOfSession, type Grading, type GradePolicy } from "../../domain/grade-policy.ts";
import { countedSessions, gradeTogether, plannedFor, withStatus } from "./rules/attendance-summary.ts";
import type { AttendanceRecord } from "./store/attendance-store.ts";
import { listSessions, type ListSessionsDeps } from "../scheduling/list-sessions.ts";

export type ShowAttendanceDeps = ListSessionsDeps & Pick<App, "attendance" | "deliveries">;

export type AttendedSession = {
  eventId: string;
  title: string | null;
  /** Milliseconds since the epoch; null when unknown. */
  startsAt: number | null;
  /** As the classroom wrote it; an unknown one never counts. */
  status: string;
  known: KnownStatus | null;
  source: CurrentAttendance["source"];
  /** What presence said of a class that nobody planned. */
  seen?: SeenPresence;
  /** When they checked in (ms), whatever holds above it. */
  checkedInAt?: number;
  /** An instructor's; learners do not see the classroom's. */
  notes: string | null;
  /** Null when left out of the grade. */
  points: number | null;
};

export type ShownAttendance = {
  /** Latest first; those without a time last. */
  sessions: readonly AttendedSession[];
  /** Null without grades, or when each session has its own column. */
  grade: (Grade & { maximum: number }) | null;
  /** Each session has its own column, and this is not about a single one. */
  perSession: boolean;
  /** What the gradebook has; null when nothing was ever to be sent. */
  delivery:
    | (Pick<Delivery, "accepted" | "foreign" | "unconfirmed" | "lastError" | "reason" | "refusal"> & {
        state: ReturnType<typeof shownState>;
      })
    | null;
};

/** Former members are in no section. @param columnKey The attendance column, or a single session's. */
export async function showAttendance(
  deps: ShowAttendanceDeps,
  course: Course,
  member: Pick<Member, "personId" | "sectionIds" | "joinedAt">,
  columnKey: string,
): Promise<ShownAttendance> {
  const { registrationId, id: courseId, policy } = course;
  const only = eventOfColumn(columnKey);
  const [all, known] = await Promise.all([
    deps.attendance.listOfPerson(registrationId, courseId, member.personId),
    listSessions(deps, course),
  ]);
  const records = all.filter(({ eventId }) => only === null || eventId === only);
  const byId = new Map(known.map((session) => [session.eventId, session]));
  const sessionOfRecord = ({ eventId }: AttendanceRecord) => byId.get(eventId) ?? unknownSession(eventId);
  const sessions = records
    .flatMap((record) => attendedSession(policy, record, sessionOfRecord(record)))
    .sort(latestFirst);
  const counting = records.filter((record) => sessionOfRecord(record).counts);
  const grade = gradeShown(policy, only, counting, known, member);
  const key = { registrationId, courseId, columnKey, personId: member.personId };
  return {
    sessions,
    grade,
    perSession: policy.kind === "column-per-session" && only === null,
    delivery: grade === null ? null : deliveryShown(grade, await deps.deliveries.find(key)),
  };
}

function attendedSession(
  policy: GradePolicy,
  record: AttendanceRecord,
  session: CourseSession,
): AttendedSession[] {
  const { eventId } = record;
  const current = currentAttendanceOf(record);
  if (current === null) return [];
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
      source: current.source,
      notes: current.source === "instructor" ? current.notes : null,
      points: session.counts ? pointsOf(policy, known, countedMinutes(record)) : null,
      ...(seen === undefined ? {} : { seen }),
      ...(checkedInAt === undefined ? {} : { checkedInAt }),
    },
  ];
}

function pointsOf(
  policy: GradePolicy,
  known: KnownStatus | null,
  minutes: SessionMinutes | null,
): number | null {
  if (policy.kind === "no-grades" || known === null || policy.credit[known] === null) return null;
  return gradeOfSession(policy, [{ status: known, ...(minutes === null ? {} : { minutes }) }]).score;
}

function gradeShown(
  policy: GradePolicy,
  only: string | null,
  records: readonly AttendanceRecord[],
  known: readonly CourseSession[],
  member: Pick<Member, "sectionIds" | "joinedAt">,
): ShownAttendance["grade"] {
  if (policy.kind === "no-grades") return null;
  const counted = countedSessions(records);
  if (only !== null) {
    return withMaximum(policy, gradeOfSession(policy, withStatus(counted)));
  }
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

/** A grade other than the delivered one is on its way. */
function deliveryShown(
  grade: { score: number | null; maximum: number },
  delivery: Delivery | null,
): ShownAttendance["delivery"] {
  if (delivery === null) return null;
  if (delivery.state !== "delivered") return { ...delivery, state: shownState(delivery.state) };
  const { accepted } = delivery;
  const same = accepted?.score === grade.score && accepted.maximum === grade.maximum;
  return { ...delivery, state: same ? "delivered" : "waiting" };
}

function latestFirst(a: AttendedSession, b: AttendedSession): number {
  const [first, second] = [a.startsAt ?? Number.NEGATIVE_INFINITY, b.startsAt ?? Number.NEGATIVE_INFINITY];
  if (first !== second) return second > first ? 1 : -1;
  return a.eventId < b.eventId ? -1 : 1;
}
