import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { askedForMs, maxStrangersClasses } from "./rules/limits.ts";
import type { UnplannedClass } from "./rules/records.ts";
import { strangersInSpace, type VisitsOfSpaceDeps } from "./visits-of-space.ts";

export type StrangersDeps = VisitsOfSpaceDeps & Pick<App, "unplannedClasses">;

/** A user of the classroom whom nobody knows. */
export type Stranger = { userId: string; classes: Pick<UnplannedClass, "id" | "startsAt">[] };

/** Who was seen in the course's latest unplanned classes, without those that were none; classes latest first. */
export async function strangersInClasses(deps: StrangersDeps, course: Course): Promise<Stranger[]> {
  const since = deps.clock.now() - askedForMs;
  const all = await deps.unplannedClasses.listOfCourse(course.id, since, maxStrangersClasses);
  const found = new Map<string, Stranger>();
  for (const { id, spaceId, startsAt, endsAt, state } of all) {
    if (state === "none") continue;
    for (const userId of await strangersInSpace(deps, course, spaceId, { from: startsAt, to: endsAt })) {
      const stranger = found.get(userId) ?? { userId, classes: [] };
      stranger.classes.push({ id, startsAt });
      found.set(userId, stranger);
    }
  }
  return [...found.values()];
}
