import type { App } from "../../app.ts";
import type { AttendanceMark } from "./rules/attendance-mark.ts";
import type { Course } from "../../domain/course.ts";
import { gradeMembers, type GradeMemberDeps } from "../grading/grade-member.ts";

export type GradeMarkedDeps = GradeMemberDeps & Pick<App, "attendance" | "people">;

const batchSize = 200;

export async function gradeMarked(
  deps: GradeMarkedDeps,
  course: Course,
  mark: AttendanceMark,
): Promise<void> {
  const marked = await markedBy(deps, course, mark);
  for (let from = 0; from < marked.length; from += batchSize) {
    await gradeMembers(deps, course, await deps.people.findMany(marked.slice(from, from + batchSize)));
  }
}

async function markedBy(deps: GradeMarkedDeps, course: Course, mark: AttendanceMark): Promise<string[]> {
  if (mark.everybody === null) return mark.rows.map(({ personId }) => personId);
  const records = await deps.attendance.listOfEvent(course.registrationId, course.id, mark.eventId);
  return records
    .filter(({ corrections: [newest] }) => newest?.by === mark.by.personId && newest.at >= mark.at)
    .map(({ personId }) => personId);
}
