import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { enqueueRegrade, type EnqueueRegradeDeps } from "./enqueue-regrade.ts";

export type RegradeAfterChangesDeps = EnqueueRegradeDeps & Pick<App, "pendingRegrades">;

/** Milliseconds; longer than a roster takes to be taken over. */
const waitMs = 60_000;

/** One regrade after many changes. @returns `before`, to call before each change; `after`, to call after the last. */
export function regradeAfterChanges(
  deps: RegradeAfterChangesDeps,
  course: Pick<Course, "id" | "registrationId">,
): { before: () => Promise<void>; after: () => Promise<void> } {
  let id: string | null = null;
  return {
    before: async () => {
      const dueAt = deps.clock.now() + waitMs;
      if (id !== null) {
        await deps.pendingRegrades.postpone(id, dueAt);
        return;
      }
      id = deps.ids.id("prg");
      const { registrationId, id: courseId } = course;
      await deps.pendingRegrades.note({
        id,
        registrationId,
        courseId,
        personIds: null,
        dueAt,
      });
    },
    after: async () => {
      if (id === null) return;
      await enqueueRegrade(deps, course.id);
      await deps.pendingRegrades.remove(id);
    },
  };
}
