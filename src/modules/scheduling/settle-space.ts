import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { giveToCourse, type KeepEventDeps } from "./keep-event.ts";

export type SettleSpaceDeps = Omit<KeepEventDeps, "wake" | "events"> & Pick<App, "events" | "onMatchable">;

/**
 * After a change of links, future sessions in the Space go to the course they belong to now, or to none. Begun ones
 * stay; those without a course get theirs when attendance arrives. Repeatable.
 * @param which "unassigned": only those without a course, for a first launch; one small read.
 */
export async function settleSpace(
  deps: SettleSpaceDeps,
  environment: Course["environment"],
  spaceId: string,
  which: "all" | "unassigned" = "all",
): Promise<void> {
  const now = deps.clock.now();
  const list = which === "all" ? deps.events.listInSpace : deps.events.listUnassignedInSpace;
  const events = await list(environment, spaceId, now);
  for (const event of events) await giveToCourse(deps, event);
  if (which === "all" || events.length > 0)
    await deps.onMatchable({ kind: "space", environment, id: spaceId });
}
