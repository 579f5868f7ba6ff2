import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { enqueueRegrade, type EnqueueRegradeDeps } from "./enqueue-regrade.ts";

export type RegradeAfterChangesDeps = EnqueueRegradeDeps & Pick<App, "owedGrading">;

/** When nobody has paid by then, others do (ms): longer than a roster takes to be taken over. */
const patience = 60_000;

/**
 * One regrade after many changes that are stored one by one, such as those of a roster.
 * @returns `owe`, to be called before each change that scores follow from, and `pay`, after the last one.
 */
export function regradeAfterChanges(
  deps: RegradeAfterChangesDeps,
  course: Pick<Course, "id" | "registrationId">,
): { owe: () => Promise<void>; pay: () => Promise<void> } {
  let id: string | null = null;
  return {
    owe: async () => {
      const dueAt = deps.clock.now() + patience;
      if (id !== null) {
        await deps.owedGrading.postpone(id, dueAt);
        return;
      }
      id = deps.ids.id("owe");
      const { registrationId, id: courseId } = course;
      await deps.owedGrading.note({
        id,
        registrationId,
        courseId,
        personIds: null,
        dueAt,
      });
    },
    pay: async () => {
      if (id === null) return;
      await enqueueRegrade(deps, course.id);
      await deps.owedGrading.paid(id);
    },
  };
}
