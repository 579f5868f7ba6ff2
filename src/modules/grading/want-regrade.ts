import type { Wake } from "../../tasks/wake.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import type { RegradeStore } from "./store/regrade-store.ts";

export type WantRegradeDeps = {
  courses: Pick<CourseStore, "find">;
  regrades: Pick<RegradeStore, "want">;
  wake: Wake;
  clock: Clock;
  ids: Ids;
};

/**
 * Has all scores of a course computed anew after a change that concerns many: of the policy, of planned sessions, of
 * sections. Call it when the change is stored; when this resolves, the wish is stored too and survives everything.
 */
export async function wantRegrade(deps: WantRegradeDeps, courseId: string): Promise<void> {
  const course = await deps.courses.find(courseId);
  if (course === null) return;
  const key = { registrationId: course.registrationId, courseId };
  await deps.regrades.want(key, deps.ids.id("rgr"), deps.clock.now());
  deps.wake("regrades");
}
