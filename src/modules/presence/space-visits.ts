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

/** A wish that is not written yet: whoever comes until then shares it. */
type NextWish = { dueAt: number; written: Promise<void> };

/**
 * Wants a look at a Space after signs of presence were stored. Many signs cost one write: a look that is planned already
 * sees them all, and plans the next one itself while people are there. Where that look may have begun, those that come side by side share a write.
 */
export function createVisitWishes({ tasks, clock }: VisitWishDeps) {
  const planned = new Map<string, number>();
  const next = new Map<string, NextWish>();
  const last = new Map<string, Promise<void>>();
  const remember = (key: string, dueAt: number) => {
    if (planned.size >= maxRemembered) planned.clear();
    planned.set(key, dueAt);
  };

  /** One write of a Space at a time, so that it begins after the signs of all who share it. */
  const share = (space: Space, key: string, dueAt: number): Promise<void> => {
    const known = next.get(key);
    if (known !== undefined) {
      known.dueAt = Math.min(known.dueAt, dueAt);
      return known.written;
    }
    const write = async () => {
      await last.get(key)?.catch(() => undefined);
      next.delete(key);
      // An earlier look that has not been taken yet stays: what comes after it needs one of its own.
      remember(key, await tasks.enqueue(spaceVisits, space, { now: clock.now(), dueAt: wish.dueAt }));
    };
    const wish = { dueAt, written: Promise.resolve() };
    next.set(key, wish);
    wish.written = write().finally(() => {
      if (last.get(key) === wish.written) last.delete(key);
    });
    last.set(key, wish.written);
    return wish.written;
  };

  return {
    /**
     * @param leaves Whether somebody left; else the look is for those of whom nothing more is heard.
     * @param firstAt When the first of the signs was given (ms), and `lastAt` the last.
     */
    want: async (
      { environment, spaceId }: Space,
      { leaves, firstAt, lastAt }: { leaves: boolean; firstAt: number; lastAt: number },
    ): Promise<void> => {
      const space = { environment, spaceId };
      const now = clock.now();
      const dueAt = Math.max(now, lastAt + (leaves ? breakMs : silenceMs)) + quietMs;
      const key = JSON.stringify([environment, spaceId]);
      if (now - firstAt > lookBackMs) {
        remember(key, await tasks.enqueue(spaceVisits, space, { now, dueAt, facts: { since: firstAt } }));
        return;
      }
      const known = planned.get(key) ?? 0;
      if (known <= now + marginMs || known > dueAt) await share(space, key, dueAt);
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
