import { statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { databaseFileName } from "./sqlite-file.ts";
import { maxScrubbedBytes } from "./limits.ts";

/** What the thread that scrubs is told. */
export type ScrubOrder = {
  path: string;
  /** Writes the whole file anew. */
  rebuild: boolean;
  /** What is written meanwhile is kept in memory and not in a file of its own. */
  inMemory: boolean;
};

/** SQLite's `user_version` of a file that keeps nothing from before deleted content was overwritten. */
export const scrubbedMark = 1;

/**
 * Leaves no byte of what was deleted in a database's files: writes the file anew and brings the write-ahead log into it, which is
 * then empty. `secure_delete` alone overwrites what is deleted where it lies, but not the copies that stay behind in a page when
 * SQLite moves rows to another one (seen: one to nine of thousands of rows). Works in a thread of its own, on a connection of its own:
 * reads go on meanwhile.
 * @param evenBig Whether a file is written anew whose writers would wait for more than some seconds.
 * @returns false when something is left to do: others were reading all the time, or the file is big.
 */
export async function scrubFile(folder: string, evenBig: boolean): Promise<boolean> {
  const path = join(folder, databaseFileName);
  const inMemory = statSync(path).size <= maxScrubbedBytes;
  const rebuild = inMemory || evenBig;
  return (await inThread({ path, rebuild, inMemory })) && rebuild;
}

function inThread(order: ScrubOrder): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./scrub-thread.ts", import.meta.url), { workerData: order });
    let clean = false;
    thread.on("message", (said: unknown) => {
      clean = said === true;
    });
    thread.on("error", reject);
    thread.on("exit", () => resolve(clean));
  });
}
