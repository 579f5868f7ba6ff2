import type { Course } from "../../domain/course.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";

export type Unsent = {
  /** Since when the longest waiting one waits (ms). */
  since: number | null;
  tooLong: boolean;
  waiting: number;
  /** Blocked by a teacher's grade, undecided. */
  held: number;
};

export async function oldestUnsent(
  deps: { deliveries: Pick<DeliveryStore, "unsentOfCourse">; unsentAlarmAfter: number; clock: Clock },
  course: Pick<Course, "id" | "registrationId">,
): Promise<Unsent> {
  const { registrationId, id: courseId } = course;
  const { oldest, waiting, held } = await deps.deliveries.unsentOfCourse({ registrationId, courseId });
  const tooLong = oldest !== null && deps.clock.now() - oldest > deps.unsentAlarmAfter;
  return { since: oldest, tooLong, waiting, held };
}
