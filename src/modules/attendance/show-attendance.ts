import type { App } from "../../app.ts";
import {
  asKnownStatus,
  type AttendanceStanding,
  type KnownStatus,
  standingOf,
} from "../../domain/attendance.ts";
import { eventOfColumn } from "../grading/rules/column.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Delivery } from "../grading/rules/delivery.ts";
import { type Grade, gradeOfSession, type Grading, type GradePolicy } from "../../domain/grade-policy.ts";
import { countedSessions, gradeTogether, plannedFor } from "./rules/learner-standing.ts";
import type { AttendanceRecord } from "./store/attendance-store.ts";
import { listSessions, type ListSessionsDeps } from "../scheduling/list-sessions.ts";

export type ShowAttendanceDeps = ListSessionsDeps & Pick<App, "attendance" | "deliveries">;

/** One session of a course as one person attended it. */
export type AttendedSession = {
  eventId: string;
  title: string | null;
  /** Milliseconds since the epoch; null when the classroom does not say. */
  startsAt: number | null;
  /** As the classroom wrote it; one that is not known never counts. */
  status: string;
  known: KnownStatus | null;
  source: AttendanceStanding["source"];
  /** What an instructor wrote for the learner to read; the classroom's own notes are not shown to learners. */
  notes: string | null;
  /** Points it brings in the course's scale; null when it is left out of the grade. */
  points: number | null;
};

/** A person's attendance in a course and how the grade came about. */
export type ShownAttendance = {
  /** The latest session first; ones without a time come last. */
  sessions: readonly AttendedSession[];
  /** Null when there is none: the course gives no grades, or each session has a column of its own. */
  grade: (Grade & { maximum: number }) | null;
  /** Each session is graded by itself, and this is not about a single one. */
  perSession: boolean;
  /** What the gradebook has of it; null when nothing was ever to be sent. */
  delivery: Pick<
    Delivery,
    "state" | "accepted" | "foreign" | "unconfirmed" | "lastError" | "reason" | "refusal"
  > | null;
};

/**
 * What a learner's own page shows of their attendance, and what an instructor sees of one learner.
 * @param who Whoever is no member any more is in no section.
 * @param columnKey Whose grade and sessions: the attendance column, or the column of a single session.
 */
export async function showAttendance(
  deps: ShowAttendanceDeps,
  course: Course,
  { personId, sectionIds }: Pick<Member, "personId" | "sectionIds">,
  columnKey: string,
): Promise<ShownAttendance> {
  const { registrationId, id: courseId, policy } = course;
  const only = eventOfColumn(columnKey);
  const [all, known] = await Promise.all([
    deps.attendance.listOfPerson(registrationId, courseId, personId),
    listSessions(deps, course),
  ]);
  const records = all.filter(({ eventId }) => only === null || eventId === only);
  const byId = new Map(known.map((session) => [session.eventId, session]));
  const sessionOfRecord = ({ eventId }: AttendanceRecord) => byId.get(eventId) ?? unknownSession(eventId);
  const sessions = records
    .flatMap((record) => attendedSession(policy, record, sessionOfRecord(record)))
    .sort(latestFirst);
  const counting = records.filter((record) => sessionOfRecord(record).counts);
  const grade = gradeShown(policy, only, counting, known, sectionIds);
  const key = { registrationId, courseId, columnKey, personId };
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
  const standing = standingOf(record);
  if (standing === null) return [];
  const known = asKnownStatus(standing.status);
  return [
    {
      eventId,
      title: session.title,
      startsAt: session.startsAt,
      status: standing.status,
      known,
      source: standing.source,
      notes: standing.source === "instructor" ? standing.notes : null,
      points: session.counts ? pointsOf(policy, known) : null,
    },
  ];
}

function pointsOf(policy: GradePolicy, known: KnownStatus | null): number | null {
  if (policy.kind === "no-grades" || known === null || policy.credit[known] === null) return null;
  return gradeOfSession(policy, [known]).score;
}

/** The very computation whose result goes to the gradebook. */
function gradeShown(
  policy: GradePolicy,
  only: string | null,
  records: readonly AttendanceRecord[],
  known: readonly CourseSession[],
  sectionIds: readonly string[],
): ShownAttendance["grade"] {
  if (policy.kind === "no-grades") return null;
  const counted = countedSessions(records);
  if (only !== null) {
    const statuses = counted.flatMap(({ status }) => (status === null ? [] : [status]));
    return withMaximum(policy, gradeOfSession(policy, statuses));
  }
  if (policy.kind === "column-per-session") return null;
  const planned = plannedFor(
    known.filter(({ counts }) => counts),
    sectionIds,
    counted,
  );
  return withMaximum(policy, gradeTogether(policy, counted, planned));
}

function withMaximum({ points }: Grading, grade: Grade): Grade & { maximum: number } {
  return { ...grade, maximum: points };
}

/** A grade that was computed just now and is not the one that was delivered is still on its way. */
function deliveryShown(
  grade: { score: number | null; maximum: number },
  delivery: Delivery | null,
): ShownAttendance["delivery"] {
  if (delivery?.state !== "delivered") return delivery;
  const { accepted } = delivery;
  const same = accepted?.score === grade.score && accepted.maximum === grade.maximum;
  return same ? delivery : { ...delivery, state: "waiting" };
}

function latestFirst(a: AttendedSession, b: AttendedSession): number {
  const [first, second] = [a.startsAt ?? Number.NEGATIVE_INFINITY, b.startsAt ?? Number.NEGATIVE_INFINITY];
  if (first !== second) return second > first ? 1 : -1;
  return a.eventId < b.eventId ? -1 : 1;
}
