import type { Course } from "../../domain/course.ts";
import type { RegradeStore } from "./store/regrade-store.ts";

/** How far the computing anew of a course's scores has come. */
export type RegradeProgress = {
  /** none: nobody has wished for one yet · waiting: it has not begun · running · done · failed: tried again later. */
  state: "none" | "waiting" | "running" | "done" | "failed";
  /** So many learners are done, of so many (0 of 0 until it is known). */
  graded: number;
  total: number;
  /** When the latest complete one ended (ms); null when there was none. */
  finishedAt: number | null;
};

/** For pages that show progress after a change of the policy or of sessions. */
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
