import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type AnswerConflictDeps = Pick<App, "deliveries" | "wake" | "clock">;

/**
 * What an instructor says about scores that a teacher's grade holds back: "send ours" sends them over it, "leave theirs"
 * leaves it for good, whatever attendance makes of the score later.
 * @param deliveryIds Those of another course, and those that are not held, are left alone.
 * @returns how many it was about
 */
export async function answerConflict(
  deps: AnswerConflictDeps,
  course: Pick<Course, "id" | "registrationId">,
  deliveryIds: readonly string[],
  answer: "send-ours" | "leave-theirs",
): Promise<number> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const now = deps.clock.now();
  if (answer === "leave-theirs") return deps.deliveries.leave(place, deliveryIds, now);
  const count = await deps.deliveries.overrule(place, deliveryIds, now);
  if (count > 0) deps.wake("deliveries");
  return count;
}
