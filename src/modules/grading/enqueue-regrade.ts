import type { App } from "../../app.ts";

export type EnqueueRegradeDeps = Pick<App, "courses" | "regrades" | "wake" | "clock" | "ids">;

/**
 * Has all scores of a course computed anew after a change that concerns many: of the policy, of planned sessions, of
 * sections. Call it when the change is stored; when this resolves, the wish is stored too and survives everything.
 */
export async function enqueueRegrade(deps: EnqueueRegradeDeps, courseId: string): Promise<void> {
  const course = await deps.courses.find(courseId);
  if (course === null) return;
  const key = { registrationId: course.registrationId, courseId };
  await deps.regrades.want(key, deps.ids.id("rgr"), deps.clock.now());
  deps.wake("regrades");
}
