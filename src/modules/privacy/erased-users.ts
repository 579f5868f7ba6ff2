import type { App } from "../../app.ts";
import { isOfTheErased } from "./rules/erasure.ts";
import type { AccountId } from "../../domain/account.ts";
import { everybodyWithUser, type WhoAttendedDeps } from "../attendance/record-attendance.ts";

export type ErasedUsersDeps = WhoAttendedDeps & Pick<App, "tombstones" | "clock">;

/**
 * Texts that are users erased and nobody here now, of whom nothing may be kept. Cheap while nobody was erased.
 * @param texts Called only when anybody was.
 * @param at When the reported thing happened (ms), or null: what was before the erasure is never kept.
 */
export async function erasedUsers(
  deps: ErasedUsersDeps,
  environment: AccountId,
  texts: () => readonly string[],
  at: number | null,
): Promise<string[]> {
  const erased: string[] = [];
  const marks = await deps.tombstones.erasedUsers(environment, texts, deps.clock.now());
  for (const { userId, registrationId, ...mark } of marks) {
    const people = await everybodyWithUser(deps, environment, userId);
    // A person of another LMS was not erased there; attendance checks it where the course says which LMS it is.
    if (people.some((one) => one.registrationId !== registrationId)) continue;
    if (isOfTheErased(mark, { known: people.length > 0, heldUntil: null, at })) erased.push(userId);
  }
  return erased;
}
