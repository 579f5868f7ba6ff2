import type { App } from "../../app.ts";
import { gradeTogether } from "../attendance/rules/attendance-summary.ts";
import type { Course } from "../../domain/course.ts";
import type { Grade } from "../../domain/grade-policy.ts";
import { gradingBasis, type GradingBasisDeps, learnerBasis } from "./grading-basis.ts";

export type WorkedGradesDeps = GradingBasisDeps & Pick<App, "attendanceSummaries" | "members">;

/** How some learners' grades are worked out, by person id; empty where a course has no grade of all sessions. */
export async function workedGrades(
  deps: WorkedGradesDeps,
  course: Pick<Course, "id" | "registrationId" | "policy">,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, Grade>> {
  const { policy } = course;
  if (policy.kind !== "one-column" || personIds.length === 0) return new Map();
  const key = { registrationId: course.registrationId, courseId: course.id };
  const [basis, summaries, members] = await Promise.all([
    gradingBasis(deps, course, [policy]),
    deps.attendanceSummaries.findMany(key, personIds),
    deps.members.findMany(key, personIds),
  ]);
  const sectionsOf = new Map(members.map(({ personId, sectionIds }) => [personId, sectionIds]));
  return new Map(
    summaries.map((summary) => {
      const sectionIds = sectionsOf.get(summary.personId) ?? [];
      const { counted, planned } = learnerBasis(basis, summary, { sectionIds });
      return [summary.personId, gradeTogether(policy, counted, planned)];
    }),
  );
}
