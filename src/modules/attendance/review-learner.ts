import type { App } from "../../app.ts";
import { attendanceColumn } from "../grading/rules/column.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { placeInCourse } from "../../domain/person-place.ts";
import { refusal } from "../../kernel/refusal.ts";
import { showAttendance, type ShowAttendanceDeps, type ShownAttendance } from "./show-attendance.ts";

export type ReviewLearnerDeps = ShowAttendanceDeps &
  Pick<App, "people" | "members" | "columns" | "registrations">;

/** What a viewer may see; `learner` is null when that person has not been in the course. */
export type LearnerReview = {
  learner: { person: Person; member: Member; attendance: ShownAttendance } | null;
};

/**
 * Of a submission review. Instructors see everybody of their course, mentors whom the LMS names as theirs, learners
 * themselves.
 * @param asked The LMS's id of the learner, and the column; null when unknown.
 * @throws NamedError "review-of-somebody-else"
 */
export async function reviewLearner(
  deps: ReviewLearnerDeps,
  course: Course,
  viewer: { sub: string; role: Member["role"]; mentorOf: readonly string[] },
  asked: { sub: string; lineItemUrl: string | null },
): Promise<LearnerReview> {
  if (viewer.role !== "instructor" && ![viewer.sub, ...viewer.mentorOf].includes(asked.sub)) {
    throw refusal("review-of-somebody-else", { status: 403 });
  }
  const { registrationId } = course;
  const place = placeInCourse(await deps.registrations.find(registrationId), course);
  const person = await deps.people.findBySub({ ...place, sub: asked.sub });
  const member = person && (await deps.members.find(registrationId, course.id, person.id));
  if (person === null || member === null) return { learner: null };
  const columns = await deps.columns.listOfCourse(registrationId, course.id);
  const column = columns.find(({ lineItemUrl }) => lineItemUrl !== null && lineItemUrl === asked.lineItemUrl);
  const attendance = await showAttendance(deps, course, member, column?.key ?? attendanceColumn);
  return { learner: { person, member, attendance } };
}
