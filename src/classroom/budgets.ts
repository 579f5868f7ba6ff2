import type { Clock } from "../kernel/clock.ts";
import type { OperationDialect } from "./dialect.ts";
import type { Permit } from "./permits.ts";
import { type Throttle } from "./throttle.ts";
import type { Priority } from "./waiting-line.ts";
import { marginMs } from "./throttle-limits.ts";

export type Budgets = {
  /** Resolves when one call may be made. */
  acquire: (
    budget: OperationDialect["budget"],
    options: { priority: Priority; signal?: AbortSignal | undefined },
  ) => Promise<Permit>;
  /** The service answered 429: calls of this budget pause for `ms`. */
  refused: (budget: OperationDialect["budget"], ms: number) => void;
};

/**
 * An analytics call needs a permit of the analytics throttle, then of the general one. The first gate stays shut until
 * the answer, so that no other analytics call leaves with this one; the window counts from then, when at the latest the
 * service has seen it. @param deps.analyticsWindowMs One analytics call in this time.
 */
export function createBudgets(deps: {
  general: Throttle;
  /** null: analytics calls have no throttle of their own. */
  analytics: Throttle | null;
  analyticsWindowMs: number;
  clock: Clock;
}): Budgets {
  const { general, analytics, analyticsWindowMs, clock } = deps;

  async function keepShut(gate: Throttle, until: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(analyticsWindowMs / 2, until);
      gate.pause(analyticsWindowMs);
    }
  }

  return {
    acquire: async (budget, options) => {
      if (budget === "general" || analytics === null) return general.acquire(options);
      const slow = await analytics.acquire(options);
      await slow.begin();
      const answer = new AbortController();
      keepShut(analytics, answer.signal).catch(() => undefined);
      try {
        const permit = await general.acquire(options);
        analytics.pause(analyticsWindowMs + marginMs);
        return {
          ...permit,
          answered: () => {
            if (answer.signal.aborted) return;
            answer.abort();
            analytics.pause(analyticsWindowMs + marginMs);
            slow.answered();
            permit.answered();
          },
        };
      } catch (thrown) {
        answer.abort();
        throw thrown;
      }
    },
    refused: (budget, ms) => {
      if (budget === "general" || analytics === null) general.refused(ms);
      else analytics.pause(ms);
    },
  };
}
