import type { App } from "../../app.ts";
import { isOfTheErased } from "./rules/erasure.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { everybodyWithUser, type WhoAttendedDeps } from "../attendance/who-attended.ts";

export type ErasedUsersDeps = WhoAttendedDeps & Pick<App, "tombstones" | "clock">;

/**
 * Which of some texts are users of the classroom of whom nothing may be kept: they were erased, and are nobody here now.
 * Costs nothing while nobody was erased.
 * @param texts Asked only when anybody was.
 * @param at When what is told of them happened (ms): what was before they were erased is never kept. Null: not told.
 */
export async function erasedUsers(
  deps: ErasedUsersDeps,
  environment: EnvironmentName,
  texts: () => readonly string[],
  at: number | null,
): Promise<string[]> {
  const erased: string[] = [];
  const marks = await deps.tombstones.buriedUsers(environment, texts, deps.clock.now());
  for (const { userId, registrationId, ...mark } of marks) {
    const people = await everybodyWithUser(deps, environment, userId);
    // Who is also somebody of another LMS was not erased there; where the course says which it is, attendance sees to it.
    if (people.some((one) => one.registrationId !== registrationId)) continue;
    if (isOfTheErased(mark, { known: people.length > 0, heldUntil: null, at })) erased.push(userId);
  }
  return erased;
}
