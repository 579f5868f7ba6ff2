import type { App } from "../../app.ts";

export type EnqueueRegradeDeps = Pick<App, "courses" | "regrades" | "wake" | "clock" | "ids">;

/** Has all scores of a course recomputed. Call it once the change is stored; the request is stored when it resolves. */
export async function enqueueRegrade(deps: EnqueueRegradeDeps, courseId: string): Promise<void> {
  const course = await deps.courses.find(courseId);
  if (course === null) return;
  const key = { registrationId: course.registrationId, courseId };
  await deps.regrades.want(key, deps.ids.id("rgr"), deps.clock.now());
  deps.wake("regrades");
}
