import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { giveToCourse, type KeepEventDeps } from "./keep-event.ts";

export type SettleSpaceDeps = Omit<KeepEventDeps, "wake" | "events"> & Pick<App, "events" | "onMatchable">;

/**
 * Links to a Space have changed: the sessions in it that are still to come go to the course whose they are now, or to none.
 * Ones that have begun stay where they are; one that is no course's goes to its course when attendance of it is told.
 * Repeating it changes nothing.
 * @param which "strays": those that are no course's only, when a link to the Space is opened; that costs one small read.
 */
export async function settleSpace(
  deps: SettleSpaceDeps,
  environment: Course["environment"],
  spaceId: string,
  which: "all" | "strays" = "all",
): Promise<void> {
  const now = deps.clock.now();
  const list = which === "all" ? deps.events.listInSpace : deps.events.listStraysInSpace;
  const events = await list(environment, spaceId, now);
  for (const event of events) await giveToCourse(deps, event);
  if (which === "all" || events.length > 0)
    await deps.onMatchable({ kind: "space", environment, id: spaceId });
}
