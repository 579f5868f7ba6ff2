import type { ClassroomClient } from "./classroom/client.ts";
import type { Config } from "./config.ts";
import type { EnvironmentName } from "./domain/registration.ts";
import { admitNext, type AdmitNextDeps } from "./modules/joining/admit-next.ts";
import type { EnterClassDeps } from "./modules/joining/enter-class.ts";
import { createLine } from "./modules/joining/watch-line.ts";
import { doorStep } from "./modules/joining/door-worker.ts";
import { createWorker, untilWoken } from "./tasks/create-worker.ts";
import type { Background } from "./kernel/background.ts";
import { createSealer } from "./kernel/sealer.ts";

/** The line at the door: who lets people in, and what the pages of those who wait need. */
export type Door = {
  /** What entering needs besides the stores. */
  entering: Pick<EnterClassDeps, "line" | "sealer" | "onPlaceWanted">;
  start: () => void;
  /** Ends the waiting pages' streams; their browsers come back when there is a tool again. */
  stopWatching: () => void;
  /** Lets in whoever is being let in, then stops. */
  stop: () => Promise<void>;
};

/** How long somebody who is being let in may keep a process from ending (ms). */
const endsWithin = 3_000;

/** One worker for each environment that is configured. */
export function buildDoor(
  deps: Omit<AdmitNextDeps, "line" | "sealer" | "ending"> & {
    config: Config;
    background: Background;
    classroomOf: (environment: EnvironmentName) => ClassroomClient;
  },
): Door {
  const { config } = deps;
  const ending = new AbortController();
  const line = createLine(deps);
  const sealer = createSealer(config.secretKey, config.secretKeyPrevious);
  const workers = Object.values(config.environments).map(({ name }) =>
    createWorker(deps, {
      name: `door of ${name}`,
      lanes: 1,
      idleMs: untilWoken,
      step: doorStep({
        ...deps,
        admitNext: () => admitNext({ ...deps, line, sealer, ending: ending.signal }, name),
      }),
    }),
  );
  return {
    entering: {
      line,
      sealer,
      onPlaceWanted: () => {
        for (const worker of workers) worker.wake();
      },
    },
    start: () => {
      for (const worker of workers) worker.start();
    },
    stopWatching: line.stop,
    stop: async () => {
      const stopped = Promise.all(workers.map((worker) => worker.stop()));
      // A call on its way is waited for, a pause that the classroom asked for is not.
      await Promise.race([Promise.all([stopped, deps.background.settle()]), deps.clock.sleep(endsWithin)]);
      ending.abort();
      await stopped;
    },
  };
}
