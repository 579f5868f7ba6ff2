import { z } from "zod";
import type { App } from "../../app.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask } from "../../tasks/task-kind.ts";
import type { PresenceKey } from "./store/presence-store.ts";
import { breakMs, silenceMs } from "./rules/limits.ts";

const payload = z.object({ environment: z.string(), spaceId: z.string() });

const facts = z.object({
  /** The time of a sign that came long after it was given (ms); null for none. */
  since: z.number().nullable().default(null),
});

/** What the people who were in a Space may have been there for, one task for each (account, Space). */
export const spaceVisits = defineTask({
  name: "space-visits",
  order: "person-first-in-scope",
  payload,
  facts,
  identityOf: ({ environment, spaceId }) => ({
    ...{ key: `${environment}:${spaceId}`, scope: environment },
    ...{ registrationId: null, courseId: null },
  }),
  retry: retryPolicies["space-visits"],
  whileRunning: "again",
});

export type VisitWishDeps = Pick<App, "tasks" | "clock">;

type Space = Pick<PresenceKey, "environment" | "spaceId">;

/** Clocks of several machines differ by less (ms). */
const marginMs = 5_000;
/** Signs that were held up come together: time for the others (ms). */
const quietMs = 10_000;
/** Signs are late from here on (ms): a look reads this far back by itself. */
export const lookBackMs = 24 * 3_600_000;
/** Spaces remembered in a process. */
const maxRemembered = 10_000;

export type VisitWishes = ReturnType<typeof createVisitWishes>;

/**
 * Wants a look at a Space after signs of presence were stored. Many signs cost one write: a look that is planned already
 * sees them all, and plans the next one itself while people are there.
 */
export function createVisitWishes({ tasks, clock }: VisitWishDeps) {
  const planned = new Map<string, number>();
  return {
    /**
     * @param leaves Whether somebody left; else the look is for those of whom nothing more is heard.
     * @param firstAt When the first of the signs was given (ms), and `lastAt` the last.
     */
    want: async (
      space: Space,
      { leaves, firstAt, lastAt }: { leaves: boolean; firstAt: number; lastAt: number },
    ): Promise<void> => {
      const { environment, spaceId } = space;
      const now = clock.now();
      const dueAt = Math.max(now, lastAt + (leaves ? breakMs : silenceMs)) + quietMs;
      const isLate = now - firstAt > lookBackMs;
      const key = JSON.stringify([environment, spaceId]);
      const known = planned.get(key) ?? 0;
      if (!isLate && known > now + marginMs && known <= dueAt) return;
      const late = isLate ? { facts: { since: firstAt } } : {};
      await tasks.enqueue(spaceVisits, { environment, spaceId }, { now, dueAt, ...late });
      if (planned.size >= maxRemembered) planned.clear();
      planned.set(key, dueAt);
    },
  };
}

/** Of a moment (ms) something is known by now: a session ended, or who a visitor was. */
export async function wantLookAt({ tasks, clock }: VisitWishDeps, space: Space, at: number): Promise<void> {
  const { environment, spaceId } = space;
  const now = clock.now();
  const dueAt = Math.max(now, at + breakMs) + quietMs;
  const late = now - at > lookBackMs ? { facts: { since: at } } : {};
  await tasks.enqueue(spaceVisits, { environment, spaceId }, { now, dueAt, ...late });
}
