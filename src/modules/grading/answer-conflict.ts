import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type AnswerConflictDeps = Pick<App, "deliveries" | "wake" | "clock">;

/** Sends ours over teachers' grades, or leaves those for good. Ignores ids not held here. @returns how many there were */
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
