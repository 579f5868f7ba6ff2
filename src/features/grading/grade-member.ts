import { standingOf } from "../../domain/attendance.ts";
import { attendanceColumn, eventOfColumn, statusesOfColumn } from "../../domain/column.ts";
import type { Course, Person } from "../../domain/course.ts";
import { gradeOf } from "../../domain/grade-policy.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { AttendanceStore } from "../../storage/attendance-store.ts";
import type { ColumnStore } from "../../storage/column-store.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { MemberStore } from "../../storage/member-store.ts";

export type GradeMemberDeps = {
  attendance: AttendanceStore;
  members: MemberStore;
  deliveries: DeliveryStore;
  columns: ColumnStore;
  /** Wakes the delivery worker. */
  onScoreWanted: () => void;
  clock: Clock;
  ids: Ids;
};

/**
 * Sets the scores that a learner should have, in the attendance column and in the columns of single sessions, from
 * the facts known now. The change is announced before the facts
 * are read, so of two computations at the same time the one that saw more facts wins (promise 4 of the README).
 * Instructors, preview students and who is not listed as a learner (mentors, guests) are not graded.
 */
export async function gradeMember(deps: GradeMemberDeps, course: Course, person: Person): Promise<void> {
  const { policy } = course;
  if (policy.kind === "no-grades") return;
  const member = await deps.members.find(course.registrationId, course.id, person.id);
  if (member === null || member.role !== "learner" || member.testUser || !member.student) return;

  const { registrationId, id: courseId } = course;
  const own = (await deps.columns.listOfCourse(registrationId, courseId)).map((column) => column.key);
  const columns = [attendanceColumn, ...own.filter((key) => eventOfColumn(key) !== null)];
  const announced = [];
  for (const columnKey of columns) {
    const key = { registrationId, courseId, columnKey, personId: person.id };
    const revision = await deps.deliveries.announce(key, { id: deps.ids.id("dlv"), sub: person.sub });
    announced.push({ key, revision });
  }
  const records = await deps.attendance.listOfPerson(registrationId, courseId, person.id);
  const statuses = records.flatMap((record) => {
    const standing = standingOf(record);
    return standing === null ? [] : [{ eventId: record.eventId, status: standing.status }];
  });
  for (const { key, revision } of announced) {
    const grade = gradeOf(policy, statusesOfColumn(key.columnKey, statuses));
    await deps.deliveries.want(
      key,
      revision,
      { score: grade.score, maximum: policy.points, comment: policy.comment ? grade.explanation : null },
      deps.clock.now(),
    );
  }
  deps.onScoreWanted();
}
