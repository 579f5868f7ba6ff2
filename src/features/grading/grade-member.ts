import { latestObservation } from "../../domain/attendance.ts";
import type { Course, Person } from "../../domain/course.ts";
import { gradeOf } from "../../domain/grade-policy.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { AttendanceStore } from "../../storage/attendance-store.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { MemberStore } from "../../storage/member-store.ts";
import { attendanceColumn } from "./attendance-column.ts";

export type GradeMemberDeps = {
  attendance: AttendanceStore;
  members: MemberStore;
  deliveries: DeliveryStore;
  /** Wakes the delivery worker. */
  onScoreWanted: () => void;
  clock: Clock;
  ids: Ids;
};

/**
 * Sets the score that a learner should have, from the facts known now. The change is announced before the facts
 * are read, so of two computations at the same time the one that saw more facts wins (promise 4 of the README).
 * Instructors and preview students are not graded.
 */
export async function gradeMember(deps: GradeMemberDeps, course: Course, person: Person): Promise<void> {
  const { policy } = course;
  if (policy.kind === "no-grades") return;
  const member = await deps.members.find(course.registrationId, course.id, person.id);
  if (member === null || member.role !== "learner" || member.testUser) return;

  const key = {
    registrationId: course.registrationId,
    courseId: course.id,
    columnKey: attendanceColumn,
    personId: person.id,
  };
  const revision = await deps.deliveries.announce(key, { id: deps.ids.id("dlv"), sub: person.sub });
  const records = await deps.attendance.listOfPerson(course.registrationId, course.id, person.id);
  const statuses = records.flatMap((record) => latestObservation(record.history)?.status ?? []);
  const grade = gradeOf(policy, statuses);
  await deps.deliveries.want(
    key,
    revision,
    { score: grade.score, maximum: policy.points, comment: policy.comment ? grade.explanation : null },
    deps.clock.now(),
  );
  deps.onScoreWanted();
}
