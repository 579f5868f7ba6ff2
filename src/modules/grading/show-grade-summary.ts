import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { ScoreCounts } from "./rules/score-state.ts";
import { oldestUnsent, type Unsent } from "./oldest-unsent.ts";

export type ShowGradeSummaryDeps = Pick<App, "deliveries" | "unsentAlarmAfter" | "clock">;

/** What the course's page says of its grades. */
export type GradeSummary = { counts: ScoreCounts; unsent: Unsent };

/** How a course's grades stand, in numbers. It costs a few counts, however many learners there are. */
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
