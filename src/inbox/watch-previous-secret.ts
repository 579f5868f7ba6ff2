import type { AccountId } from "../domain/account.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";

/** In the log; the metric counts always. */
const logIntervalMs = 3_600_000;

/** Webhooks still come with the previous secret: it can go once metric and log are silent. It is not logged. */
export function watchPreviousSecret(deps: {
  onUse: (environment: AccountId) => void;
  clock: Clock;
  logger: Logger;
}): (environment: AccountId, secret: "current" | "previous") => void {
  const saidAt = new Map<AccountId, number>();
  return (environment, secret) => {
    if (secret === "current") return;
    deps.onUse(environment);
    const now = deps.clock.now();
    if (now - (saidAt.get(environment) ?? -Infinity) < logIntervalMs) return;
    saidAt.set(environment, now);
    deps.logger.warn(
      { environment },
      "webhooks still come with the previous secret: set the current one in the classroom before taking the previous one away",
    );
  };
}
