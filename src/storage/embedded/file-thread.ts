/** The thread of `scrubFile` and `checkFile`. Works on a database's file, on its own connection. */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../kernel/errors.ts";
import { type FileCheck, fileOrder, type ScrubOrder, scrubbedVersion } from "./file-threads.ts";
import { lockWaitMs, readersWaitMs, scrubAttempts, scrubRetryMs } from "./limits.ts";

const order = fileOrder.parse(workerData);
parentPort?.postMessage(order.act === "scrub" ? await scrub(order) : await check(order.path));

/** @returns true if nothing that was deleted is left. */
async function scrub({ path, rebuild, inMemory }: ScrubOrder): Promise<boolean> {
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
    return clean;
  } finally {
    database.close();
  }
}

async function check(path: string): Promise<FileCheck> {
  // Imported here because it takes half a CPU second to load mongoose, and erasures don't need it.
  const { damagedIn } = await import("./damage.ts");
  const problems: string[] = [];
  const damaged: FileCheck["damaged"] = [];
  /** A page that can't be read ends one check, not the others. */
  const noting = (one: () => void): void => {
    try {
      one();
    } catch (thrown) {
      problems.push(messageOf(thrown));
    }
  };
  const database = new DatabaseSync(path, { readOnly: true, timeout: lockWaitMs });
  try {
    noting(() => {
      // Checks everything except whether indexes agree with their tables, which takes several times as long.
      const answers = database
        .prepare("PRAGMA quick_check(5)")
        .all()
        .map(({ quick_check }) => String(quick_check));
      problems.push(...answers.filter((one) => one !== "ok"));
    });
    noting(() => {
      for (const { name } of database.prepare("SELECT name FROM engine_collections ORDER BY name").all()) {
        const collection = String(name);
        noting(() => {
          for (const row of damagedIn(database, `"c:${collection}"`)) damaged.push({ collection, ...row });
        });
      }
    });
  } finally {
    database.close();
  }
  return { problems: [...new Set(problems)], damaged };
}
