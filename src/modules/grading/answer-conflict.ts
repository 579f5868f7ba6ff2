import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type AnswerConflictDeps = Pick<App, "deliveries" | "wake" | "clock">;

/**
 * An instructor's answer about scores blocked by a teacher's grade: "send-ours" sends them over it, "leave-theirs" leaves
 * it for good.
 * @param deliveryIds Those of other courses, or not held, are ignored.
 * @returns how many there were
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
