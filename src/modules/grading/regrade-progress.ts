import type { Course } from "../../domain/course.ts";
import type { RegradeStore } from "./store/regrade-store.ts";

export type RegradeProgress = {
  /** waiting: not begun · failed: to be retried. */
  state: "none" | "waiting" | "running" | "done" | "failed";
  /** 0 of 0 until known. */
  graded: number;
  total: number;
  /** Of the latest complete one (ms). */
  finishedAt: number | null;
};

export async function regradeProgress(
  deps: { regrades: Pick<RegradeStore, "find"> },
  course: Pick<Course, "id" | "registrationId">,
): Promise<RegradeProgress> {
  const regrade = await deps.regrades.find({ registrationId: course.registrationId, courseId: course.id });
  if (regrade === null) return { state: "none", graded: 0, total: 0, finishedAt: null };
  const { finishedAt } = regrade;
  const begun = regrade.underWay === regrade.wanted;
  const progress = begun ? { graded: regrade.graded, total: regrade.total ?? 0 } : { graded: 0, total: 0 };
  const state =
    regrade.done === regrade.wanted
      ? "done"
      : regrade.problem !== null
        ? "failed"
        : begun
          ? "running"
          : "waiting";
  return { state, ...progress, finishedAt };
}
