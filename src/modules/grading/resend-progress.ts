import type { Course } from "../../domain/course.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";
import type { ResendStore } from "./store/resend-store.ts";

export type ResendProgress = {
  state: "running" | "done";
  done: number;
  total: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
};

/** Null when never requested. Scores refused again count as done. */
export async function resendProgress(
  deps: { resends: Pick<ResendStore, "find">; deliveries: Pick<DeliveryStore, "countAgain"> },
  course: Pick<Course, "id" | "registrationId">,
): Promise<ResendProgress | null> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const resend = await deps.resends.find(place);
  if (resend === null) return null;
  const left = await deps.deliveries.countAgain(place);
  const total = Math.max(resend.total ?? 0, left);
  return { state: left > 0 ? "running" : "done", done: total - left, total, startedAt: resend.startedAt };
}
