import { readNextRecordings, type ReadRecordingsDeps } from "./modules/recordings/read-recordings.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";

/** The worker that reads the classroom's lists of recordings: one at a time, in the background of everything else. */
export function buildRecordings(deps: Omit<ReadRecordingsDeps, "ending">): { worker: Worker } {
  const ending = new AbortController();
  const worker = createWorker(deps, {
    name: "recordings",
    lanes: 1,
    idleMs: untilWoken,
    step: () => readNextRecordings({ ...deps, ending: ending.signal }),
  });
  return {
    worker: {
      ...worker,
      stop: () => {
        ending.abort();
        return worker.stop();
      },
    },
  };
}
