/** The thread of `scrubFile`; ends with `true` when nothing that was deleted is left. */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type ScrubOrder, scrubbedVersion } from "./file-threads.ts";
import { lockWaitMs, readersWaitMs, scrubAttempts, scrubRetryMs } from "./limits.ts";

const given: unknown = workerData;
if (!isOrder(given)) throw new Error("the thread that scrubs was not told what to do");
const { path, rebuild, inMemory } = given;

const database = new DatabaseSync(path, { timeout: lockWaitMs });
try {
  database.exec(`PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;`);
  database.exec(`PRAGMA temp_store=${inMemory ? "MEMORY" : "FILE"}`);
  if (rebuild) database.exec(`VACUUM; PRAGMA user_version=${String(scrubbedVersion)}`);
  database.exec(`PRAGMA busy_timeout=${String(readersWaitMs)}`);
  let clean = false;
  for (let left = scrubAttempts; !clean && left > 0; left -= 1) {
    clean = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
    if (!clean) await pause(scrubRetryMs);
  }
  parentPort?.postMessage(clean);
} finally {
  database.close();
}

function isOrder(order: unknown): order is ScrubOrder {
  return (
    typeof order === "object" &&
    order !== null &&
    "path" in order &&
    typeof order.path === "string" &&
    "rebuild" in order &&
    typeof order.rebuild === "boolean" &&
    "inMemory" in order &&
    typeof order.inMemory === "boolean"
  );
}
