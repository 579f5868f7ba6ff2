import type { Clock } from "../../kernel/clock.ts";
import type { BegunLaunch } from "./manners.ts";

/** Launches that people have begun and tools have not yet asked the id_token of. */
export type Launches = {
  begin: (launch: BegunLaunch) => void;
  /** Takes a launch out, so that its hint works once; null when there is none or its time is over. */
  take: (id: string) => BegunLaunch | null;
};

/** How many may wait; the oldest fall out. */
const limit = 50_000;

/**
 * No launches yet.
 * @param lifetimeMs How long a hint is good; null is as long as the session, as in Moodle.
 */
export function createLaunches(clock: Clock, lifetimeMs: number | null): Launches {
  const waiting = new Map<string, { launch: BegunLaunch; begunAt: number }>();
  return {
    begin: (launch) => {
      waiting.set(launch.id, { launch, begunAt: clock.now() });
      for (const id of waiting.keys()) {
        if (waiting.size <= limit) break;
        waiting.delete(id);
      }
    },
    take: (id) => {
      const found = waiting.get(id);
      waiting.delete(id);
      if (found === undefined) return null;
      const old = lifetimeMs !== null && clock.now() - found.begunAt > lifetimeMs;
      return old ? null : found.launch;
    },
  };
}
