import { asKnownStatus, type KnownStatus, standingOf } from "../../domain/attendance.ts";
import { eventOfColumn } from "../../domain/column.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { Delivery } from "../../domain/delivery.ts";
import { gradeOf, type GradePolicy } from "../../domain/grade-policy.ts";
import type { AttendanceRecord, AttendanceStore } from "../../storage/attendance-store.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { EventStore } from "../../storage/event-store.ts";

export type ShowAttendanceDeps = {
  attendance: AttendanceStore;
  events: EventStore;
  deliveries: DeliveryStore;
};

/** One session of a course as one person attended it. */
export type AttendedSession = {
  eventId: string;
  title: string | null;
  /** Milliseconds since the epoch; null when the classroom does not say. */
  startsAt: number | null;
  /** As the classroom wrote it; one that is not known never counts. */
  status: string;
  known: KnownStatus | null;
  /** Points it brings in the course's scale; null when it is left out of the grade. */
  points: number | null;
};

/** A person's attendance in a course and how the grade came about. */
export type ShownAttendance = {
  /** The latest session first; ones without a time come last. */
  sessions: readonly AttendedSession[];
  /** Null when the course gives no grades. */
  grade: { score: number | null; maximum: number; explanation: string; uncounted: readonly string[] } | null;
  /** What the gradebook has of it; null when nothing was ever to be sent. */
  delivery: Pick<Delivery, "state" | "accepted" | "lastError"> | null;
};

/**
 * What a learner's own page shows of their attendance, and what an instructor sees of one learner.
 * @param columnKey Whose grade and sessions: the attendance column, or the column of a single session.
 */
export async function showAttendance(
  deps: ShowAttendanceDeps,
  course: Course,
  person: Person,
  columnKey: string,
): Promise<ShownAttendance> {
  const { registrationId, id: courseId, policy } = course;
  const only = eventOfColumn(columnKey);
  const all = await deps.attendance.listOfPerson(registrationId, courseId, person.id);
  const records = all.filter(({ eventId }) => only === null || eventId === only);
  const events = await deps.events.findMany(
    course.environment,
    records.map(({ eventId }) => eventId),
  );
  const byId = new Map(events.map((event) => [event.eventId, event]));
  const sessions = records
    .flatMap((record) => attendedSession(policy, record, byId.get(record.eventId)))
    .sort(latestFirst);
  const key = { registrationId, courseId, columnKey, personId: person.id };
  const grade = gradeShown(policy, sessions);
  return {
    sessions,
    grade,
    delivery: grade === null ? null : deliveryShown(grade, await deps.deliveries.find(key)),
  };
}

function attendedSession(
  policy: GradePolicy,
  record: AttendanceRecord,
  event: ClassroomEvent | undefined,
): AttendedSession[] {
  const { eventId } = record;
  const standing = standingOf(record);
  if (standing === null) return [];
  const known = asKnownStatus(standing.status);
  const counted = policy.kind === "no-grades" || known === null ? null : policy.credit[known];
  return [
    {
      eventId,
      title: event?.title ?? null,
      startsAt: event?.startsAt ?? null,
      status: standing.status,
      known,
      points: counted === null ? null : gradeOf(policy, [standing.status]).score,
    },
  ];
}

function gradeShown(policy: GradePolicy, sessions: readonly AttendedSession[]): ShownAttendance["grade"] {
  if (policy.kind === "no-grades") return null;
  const statuses = sessions.map(({ status }) => status);
  return { ...gradeOf(policy, statuses), maximum: policy.points };
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
