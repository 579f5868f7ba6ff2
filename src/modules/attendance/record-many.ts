import type { Course, Person } from "../../domain/course.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { gradeMembers } from "../grading/grade-member.ts";
import { recordObservation, type RecordAttendanceDeps, type SeenAttendance } from "./record-attendance.ts";

/** Facts first, then each score once; only then is their source done. */
export async function recordMany(deps: RecordAttendanceDeps, seen: readonly SeenAttendance[]): Promise<void> {
  const courses = new Map<string, { course: Course; people: Map<string, Person> }>();
  for (const [at, one] of seen.entries()) {
    const recorded = await recordObservation(deps, one);
    if (at % 20 === 19) await letOthersRun();
    if (recorded.kind !== "recorded") continue;
    const { course, person } = recorded;
    const known = courses.get(course.id) ?? { course, people: new Map<string, Person>() };
    known.people.set(person.id, person);
    courses.set(course.id, known);
  }
  for (const { course, people } of courses.values()) {
    await gradeMembers(deps, course, [...people.values()]);
  }
}
