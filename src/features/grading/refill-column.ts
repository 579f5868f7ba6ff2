import { eventOfColumn } from "../../domain/column.ts";
import type { Course } from "../../domain/course.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import { gradeMember, type GradeMemberDeps } from "./grade-member.ts";

/**
 * Fills a column with what is known already: a session's after an instructor asked for it, and any one when its
 * scores go to another place of the gradebook than before. Repeating it changes nothing but sends them once more.
 */
export async function refillColumn(
  deps: GradeMemberDeps & { people: PersonStore },
  course: Course,
  columnKey: string,
): Promise<void> {
  const { registrationId, id: courseId } = course;
  const eventId = eventOfColumn(columnKey);
  if (eventId !== null) {
    const records = await deps.attendance.listOfEvent(registrationId, courseId, eventId);
    const people = await deps.people.findMany(records.map((record) => record.personId));
    for (const person of people) await gradeMember(deps, course, person);
  }
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, deps.clock.now());
  deps.onScoreWanted();
}
