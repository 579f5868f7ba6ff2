import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { ScoreCounts } from "./rules/score-state.ts";
import { oldestUnsent, type Unsent } from "./oldest-unsent.ts";

export type ShowGradeSummaryDeps = Pick<App, "deliveries" | "unsentAlarmAfter" | "clock">;

export type GradeSummary = { counts: ScoreCounts; unsent: Unsent };

/** Costs a few counts in a course of any size. */
export async function showGradeSummary(
  deps: ShowGradeSummaryDeps,
  course: Pick<Course, "id" | "registrationId">,
): Promise<GradeSummary> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const [counts, unsent] = await Promise.all([
    deps.deliveries.countOfCourse(place),
    oldestUnsent(deps, course),
  ]);
  return { counts, unsent };
}
