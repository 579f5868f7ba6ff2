import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { recomputedForMs, silenceMs } from "../presence/rules/limits.ts";
import { wantLookAt } from "../presence/space-visits.ts";
import { overlaps } from "./rules/compare-classes.ts";
import { maxListed, maxVisitsOfUser } from "./rules/limits.ts";
import { wantSettling } from "./answer-class.ts";

export type LookAgainDeps = Pick<App, "presences" | "unplannedClasses" | "tasks" | "wake" | "clock">;

/**
 * A user of the classroom is somebody else for an LMS by now, or nobody. Has the classes compared again in which they were:
 * each is one task, however many users are matched meanwhile.
 */
export async function lookAgainFor(
  deps: LookAgainDeps,
  { registrationId, environment, userId }: { registrationId: string; environment: AccountId; userId: string },
): Promise<void> {
  const now = deps.clock.now();
  const from = now - recomputedForMs;
  const visits = await deps.presences.listOfUser(environment, userId, from, maxVisitsOfUser);
  for (const [spaceId, own] of Map.groupBy(visits, (one) => one.spaceId)) {
    const times = own.map(({ firstAt, lastAt, open, endedAt }) => ({
      startsAt: firstAt,
      endsAt: endedAt ?? (open ? lastAt + silenceMs : lastAt),
    }));
    const kept = await deps.unplannedClasses.listOfSpace(environment, spaceId, { from, to: now });
    const visited = kept.filter(
      (one) => one.registrationId === registrationId && times.some((time) => overlaps(one, time)),
    );
    for (const { id, courseId, state } of visited)
      if (state === "class") await wantSettling(deps, { id, registrationId, courseId });
    const since = Math.min(...own.map(({ firstAt }) => firstAt));
    await wantLookAt(deps, { environment, spaceId }, since);
    const asked = visited.filter(({ state }) => state === "waiting").map(({ startsAt }) => startsAt);
    if (asked.length > 0) await wantLookAt(deps, { environment, spaceId }, Math.min(...asked));
  }
}

/** A course's timetable has changed: what was found in its Spaces is compared with it. */
export async function lookAtTimetable(
  deps: Pick<LookAgainDeps, "unplannedClasses" | "tasks" | "clock">,
  { id }: { id: string },
): Promise<void> {
  const kept = await deps.unplannedClasses.listOfCourse(id, deps.clock.now() - recomputedForMs, maxListed);
  const known = kept.filter(({ state }) => state !== "none");
  for (const own of Map.groupBy(known, ({ environment, spaceId }) => `${environment} ${spaceId}`).values()) {
    const [first] = own;
    const at = Math.min(...own.map(({ startsAt }) => startsAt));
    if (first !== undefined) await wantLookAt(deps, first, at);
  }
}
