import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { CourseTimetable } from "../scheduling/show-sessions.ts";

export type ListFirstStepsDeps = Pick<App, "members" | "columns">;

export const firstSteps = ["classroom", "sessions", "grading", "settings", "column", "learner"] as const;

export type FirstStep = { name: (typeof firstSteps)[number]; done: boolean };

/**
 * What a new course still needs, from what is so; "column" is left out of a course without grades. Whoever may not
 * see grades is asked about settings instead. @returns null when an
 * instructor has hidden the list, and when everything is done.
 */
export async function listFirstSteps(
  { members, columns }: ListFirstStepsDeps,
  course: Course,
  facts: {
    seesGrades: boolean;
    timetable: Pick<CourseTimetable, "live" | "next" | "past">;
  },
): Promise<FirstStep[] | null> {
  const { registrationId, id, setUp, policy, policyRevision, settingsRevision, spaceId } = course;
  if (setUp === "hidden") return null;
  const { seesGrades, timetable } = facts;
  const { live, next, past } = timetable;
  const [made, learner] = await Promise.all([
    columns.listOfCourse(registrationId, id),
    members.hasLearnerLaunch({ registrationId, courseId: id }),
  ]);
  const done = {
    classroom: spaceId !== null,
    sessions: live.length + next.length + past.length > 0,
    grading: setUp === "done" || policyRevision > 0,
    settings: setUp === "done" || settingsRevision > 0,
    column: made.some(({ lineItemUrl, missing = null }) => lineItemUrl !== null && missing === null),
    learner,
  };
  const applies = {
    classroom: true,
    sessions: true,
    grading: seesGrades,
    settings: !seesGrades,
    column: seesGrades && policy.kind !== "no-grades",
    learner: true,
  };
  const steps = firstSteps.filter((name) => applies[name]).map((name) => ({ name, done: done[name] }));
  return steps.every((step) => step.done) ? null : steps;
}
