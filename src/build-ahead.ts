import type { Config } from "./config.ts";
import type { AuthorizeAheadDeps } from "./modules/joining/authorize-ahead.ts";
import type { ExpectClassesDeps } from "./modules/joining/expect-classes.ts";
import type { Backlog } from "./modules/operations/catch-up.ts";
import { aheadStep, expectingStep } from "./modules/joining/ahead-worker.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";
import { createSealer } from "./kernel/sealer.ts";
import type { LoginStore } from "./modules/joining/store/login-store.ts";
import type { PlaceStore } from "./modules/joining/store/place-store.ts";

/** Authorizing ahead: who looks ahead, who fetches, and what the rest of the tool needs of it. */
export type Ahead = {
  /** A session became known or changed. */
  look: () => void;
  /** Somebody has come to a door. */
  arrived: () => void;
  /** What is due, over the environments that are configured. */
  backlog: Required<Backlog>;
  /** The stores that entries go through, counting. */
  counting: { logins: LoginStore; places: PlaceStore };
  worker: Pick<Worker, "start" | "stop">;
};

/** How often the timetable is looked at (ms); a session that becomes known is looked at once. */
const looksEvery = 30_000;
/** How often it is looked whether a door is busy while people come (ms). */
const looksAtDoorsEvery = 5_000;

/** Two workers for each environment that is configured: one looks ahead, one fetches, with one call in the line. */
export function buildAhead(
  deps: Omit<AuthorizeAheadDeps & ExpectClassesDeps, "sealer" | "ending" | "logins" | "places"> & {
    config: Config;
    logins: LoginStore;
    places: PlaceStore;
    /** How people got in. */
    counter: { inc: (labels: { way: "ahead" | "line" }) => void };
  },
): Ahead {
  const { config, counter, logins, places } = deps;
  const ending = new AbortController();
  const sealer = createSealer(config.secretKey, config.secretKeyPrevious);
  const environments = Object.values(config.environments).map(({ name }) => name);
  const fetching = environments.map((name) =>
    createWorker(deps, {
      name: `ahead of ${name}`,
      lanes: 1,
      idleMs: untilWoken,
      step: aheadStep({ ...deps, sealer, ending: ending.signal }, name),
    }),
  );
  const looking = environments.map((name) =>
    createWorker(deps, {
      name: `timetable of ${name}`,
      lanes: 1,
      idleMs: looksEvery,
      step: expectingStep(deps, name),
    }),
  );
  const workers = [...looking, ...fetching];
  const countDue = (at: number) => deps.expectedClasses.countDue(environments, at);
  const look = () => {
    for (const worker of looking) worker.wake();
  };
  let doorsLookedAt = 0;
  return {
    look,
    arrived: () => {
      const now = deps.clock.now();
      if (now < doorsLookedAt + looksAtDoorsEvery && now >= doorsLookedAt) return;
      doorsLookedAt = now;
      look();
    },
    backlog: {
      countDue,
      countLeft: countDue,
      countSince: (since) => deps.expectedClasses.countSince(environments, since),
      wake: () => {
        for (const worker of fetching) worker.wake();
      },
    },
    counting: {
      logins: { ...logins, take: counted(logins.take, () => counter.inc({ way: "ahead" })) },
      places: { ...places, take: counted(places.take, () => counter.inc({ way: "line" })) },
    },
    worker: {
      start: () => {
        for (const worker of workers) worker.start();
      },
      stop: async () => {
        ending.abort();
        await Promise.all(workers.map((worker) => worker.stop()));
      },
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
