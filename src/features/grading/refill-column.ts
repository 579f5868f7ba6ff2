import { eventOfColumn } from "../../domain/column.ts";
import type { Course } from "../../domain/course.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AttendanceStore } from "../../storage/attendance-store.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import { gradeMembers, type GradeMemberDeps } from "./grade-member.ts";

export type RefillColumnDeps = GradeMemberDeps & {
  attendance: Pick<AttendanceStore, "listOfEvent">;
  deliveries: Pick<DeliveryStore, "retryColumn">;
  people: Pick<PersonStore, "findMany">;
  /** Wakes the delivery worker. */
  onScoreWanted: () => void;
  clock: Clock;
};

/**
 * Fills a column with what is known already: a session's after an instructor asked for it, and any one when its
 * scores go to another place of the gradebook than before. Repeating it changes nothing but sends them once more; what
 * a teacher gave in the meantime is found and left alone.
 */
export async function refillColumn(deps: RefillColumnDeps, course: Course, columnKey: string): Promise<void> {
  const { registrationId, id: courseId } = course;
  const eventId = eventOfColumn(columnKey);
  if (eventId !== null) {
    const records = await deps.attendance.listOfEvent(registrationId, courseId, eventId);
    await gradeMembers(deps, course, await deps.people.findMany(records.map((record) => record.personId)));
  }
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, deps.clock.now());
  deps.onScoreWanted();
}
