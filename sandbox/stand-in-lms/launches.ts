// From: measured (the hint lives with the session); authorize redirect of Canvas (five minutes, once).
import type { Clock } from "../../src/kernel/clock.ts";
import type { BegunLaunch } from "./manners.ts";

/** Begun launches without an id_token. */
export type Launches = {
  begin: (launch: BegunLaunch) => void;
  /** Once for each hint; null when unknown or expired. */
  take: (id: string) => BegunLaunch | null;
};

/** Most waiting launches; the oldest are dropped. */
const limit = 50_000;

/** @param lifetimeMs Of a hint; null is as long as the session, as in Moodle. */
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
