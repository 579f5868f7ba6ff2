import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Background } from "../../kernel/async.ts";
import { createWorker, type Worker } from "../../tasks/create-worker.ts";
import { admitNext, type AdmitNextDeps } from "./admit-next.ts";
import { maxParallelEntries, stopWaitMs } from "./rules/limits.ts";

export type QueueWorkerDeps = Omit<AdmitNextDeps, "ending"> & Pick<App, "background" | "logger">;

/** Lets people in, for one environment; on stop it finishes entries under way. */
export function queueWorker(deps: QueueWorkerDeps, environment: AccountId): Worker {
  const ending = new AbortController();
  const worker = createWorker(deps, {
    name: `waiting queue of ${environment}`,
    lanes: 1,
    step: admitStep({
      ...deps,
      admitNext: () => admitNext({ ...deps, ending: ending.signal }, environment),
    }),
  });
  return {
    ...worker,
    stop: async () => {
      const stopped = worker.stop();
      // A call under way is awaited, a pause that the classroom asked for is not.
      await Promise.race([Promise.all([stopped, deps.background.settle()]), deps.clock.sleep(stopWaitMs)]);
      ending.abort();
      await stopped;
    },
  };
}

/** Takes the first person out of the queue; ends when the next may be taken. */
function admitStep(deps: {
  admitNext: () => ReturnType<typeof admitNext>;
  background: Background;
}): () => Promise<boolean> {
  const inside = new Set<Promise<void>>();
  return async () => {
    if (inside.size >= maxParallelEntries) await Promise.race(inside);
    const admitted = await deps.admitNext();
    if (admitted === null) return false;
    const done = admitted.done.finally(() => inside.delete(done));
    inside.add(done);
    deps.background.run("let somebody in", () => done);
    await admitted.goOn;
    return true;
  };
}
