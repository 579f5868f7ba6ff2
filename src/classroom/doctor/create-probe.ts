import type { Clock } from "../../kernel/clock.ts";
import type { Budgets } from "../budgets.ts";
import type { Dialect, OperationDialect, RouteDialect } from "../dialect.ts";
import type { OpenExchange } from "../exchange.ts";
import type { TemplateValues } from "../fill-template.ts";
import type { SendOutcome } from "../send-once.ts";
import type { PageAsk } from "../page-ask.ts";
import { createSendRoute, type SendRoute } from "../send-route.ts";
import { maxProbePauseMs, probeAttempts } from "../limits.ts";

/** A probe's outcome, and how long the answer took (ms). */
export type Seen = SendOutcome & { ms: number };

/** Makes one request; 429 is waited out, everything else is returned. */
export type Probe = (
  route: RouteDialect,
  values: TemplateValues,
  how?: {
    budget?: OperationDialect["budget"];
    asOptions?: boolean;
    withoutKey?: boolean;
    page?: PageAsk;
    apiKey?: Dialect["apiKey"];
  },
) => Promise<Seen>;

/** Through the shared throttle, like an instructor's action. @param deps.signal Ends the run: "out of time". */
export function createProbe(deps: {
  environment: { baseUrl: string; apiKey: string };
  dialect: Dialect;
  budgets: Budgets;
  open: OpenExchange;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
}) {
  const { dialect, budgets, clock, signal } = deps;
  const usual = createSendRoute(deps);
  const limited = { times: 0, retryAfterMs: 0 };

  function senderFor(apiKey: Dialect["apiKey"] | undefined): SendRoute {
    return apiKey === undefined ? usual : createSendRoute({ ...deps, dialect: { ...dialect, apiKey } });
  }

  const probe: Probe = async (route, values, how = {}) => {
    const { budget = "general" } = how;
    const sendRoute = senderFor(how.apiKey);
    try {
      for (let tried = 1; ; tried += 1) {
        const permit = await budgets.acquire(budget, { priority: "instructor", signal });
        const began = clock.now();
        const outcome = await sendRoute(route, values, { ...how, permit, signal });
        const seen = { ...outcome, ms: clock.now() - began };
        if (seen.kind === "failure" || seen.status !== 429) return seen;
        limited.times += 1;
        limited.retryAfterMs = Math.max(limited.retryAfterMs, seen.retryAfterMs ?? 0);
        const pause = Math.max(seen.retryAfterMs ?? 1_000, 250);
        if (tried === probeAttempts || pause > maxProbePauseMs) return seen;
        budgets.refused(budget, pause);
      }
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      return { kind: "failure", reason: "out of time", neverSent: false, beyondBounds: false, ms: 0 };
    }
  };

  return { probe, limited };
}
