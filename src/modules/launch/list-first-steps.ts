import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { GradeSummary } from "../grading/show-grade-summary.ts";
import type { CourseTimetable } from "../scheduling/show-sessions.ts";

export type ListFirstStepsDeps = Pick<App, "members" | "columns">;

export const firstSteps = ["classroom", "sessions", "grading", "column", "learner"] as const;

export type FirstStep = { name: (typeof firstSteps)[number]; done: boolean };

/**
 * What a new course still needs, from what is so; "column" is left out of a course without grades. @returns null when an
 * instructor has hidden the list, and when everything is done.
 */
export async function listFirstSteps(
  { members, columns }: ListFirstStepsDeps,
  course: Course,
  facts: {
    timetable: Pick<CourseTimetable, "live" | "next" | "past">;
    grades: Pick<GradeSummary, "counts">;
  },
): Promise<FirstStep[] | null> {
  const { registrationId, id, setUp, policy, policyRevision, spaceId } = course;
  if (setUp === "hidden") return null;
  const { live, next, past } = facts.timetable;
  const [made, learner] = await Promise.all([
    columns.listOfCourse(registrationId, id),
    members.hasLearnerLaunch({ registrationId, courseId: id }),
  ]);
  const done = {
    classroom: spaceId !== null,
    sessions: live.length + next.length + past.length > 0,
    grading: setUp === "done" || policyRevision > 0,
    column: made.some(({ lineItemUrl, missing = null }) => lineItemUrl !== null && missing === null),
    learner,
  };
  const steps = firstSteps
    .filter((name) => name !== "column" || policy.kind !== "no-grades")
    .map((name) => ({ name, done: done[name] }));
  return steps.every((step) => step.done) ? null : steps;
}
