import type { Metrics } from "../../kernel/metrics.ts";
import type { LoginStore } from "./store/login-store.ts";
import type { QueuePositionStore } from "./store/queue-position-store.ts";

/** Wraps the stores, to count entries by the way in. */
export function countEntries(
  { logins, queuePositions }: { logins: LoginStore; queuePositions: QueuePositionStore },
  metrics: Metrics,
): { logins: LoginStore; queuePositions: QueuePositionStore } {
  const entries = metrics.counter(
    "entries_total",
    "People let in, with a login authorized ahead or through the line",
    ["way"],
  );
  return {
    logins: { ...logins, take: counted(logins.take, () => entries.inc({ way: "ahead" })) },
    queuePositions: {
      ...queuePositions,
      take: counted(queuePositions.take, () => entries.inc({ way: "line" })),
    },
  };
}

function counted<Given extends unknown[], Taken>(
  take: (...given: Given) => Promise<Taken | null>,
  onTaken: () => void,
): (...given: Given) => Promise<Taken | null> {
  return async (...given) => {
    const taken = await take(...given);
    if (taken !== null) onTaken();
    return taken;
  };
}
