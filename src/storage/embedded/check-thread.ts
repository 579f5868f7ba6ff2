/** The thread of `checkFile`. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../kernel/errors.ts";
import type { FileCheck } from "./file-threads.ts";
import { damagedIn } from "./damage.ts";
import { lockWaitMs } from "./limits.ts";

const problems: string[] = [];
const damaged: FileCheck["damaged"] = [];

const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: lockWaitMs });
try {
  noting(() => {
    // All of the file but whether indexes agree with their tables, which takes several times as long.
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
const found: FileCheck = { problems: [...new Set(problems)], damaged };
parentPort?.postMessage(found);

/** A page that cannot be read ends one check, not the others. */
function noting(check: () => void): void {
  try {
    check();
  } catch (thrown) {
    problems.push(messageOf(thrown));
  }
}
