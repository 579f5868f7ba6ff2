import type { Clock } from "../kernel/clock.ts";
import type { OperationDialect } from "./dialect.ts";
import type { Permit } from "./permits.ts";
import { margin, type Throttle } from "./throttle.ts";
import type { Priority } from "./waiting-line.ts";

/** The budgets calls are made from. */
export type Budgets = {
  /** Resolves when one call may be made now. */
  acquire: (
    budget: OperationDialect["budget"],
    options: { priority: Priority; signal?: AbortSignal | undefined },
  ) => Promise<Permit>;
  /** The service answered 429 and is to be left alone for so long: with calls of this budget only. */
  refused: (budget: OperationDialect["budget"], ms: number) => void;
};

/**
 * An analytics call needs the analytics throttle's permit and then the general one. From the first permit to the
 * answer the first gate is kept shut, for others let through there meanwhile could leave together with this call;
 * and the window counts from the answer, the latest moment at which the service may have seen it.
 * @param deps.analyticsWindowMs The window of the analytics throttle, which lets one call through in it.
 */
export function createBudgets(deps: {
  general: Throttle;
  /** null: analytics calls are like all others. */
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
        analytics.pause(analyticsWindowMs + margin);
        return {
          ...permit,
          answered: () => {
            if (answer.signal.aborted) return;
            answer.abort();
            analytics.pause(analyticsWindowMs + margin);
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
