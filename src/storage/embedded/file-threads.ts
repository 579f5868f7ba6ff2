import { statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { maxScrubbedBytes } from "./limits.ts";
import { databaseFileName } from "./sqlite-file.ts";

const scrubOrder = z.object({
  act: z.literal("scrub"),
  path: z.string(),
  /** Rewrites the whole file. */
  rebuild: z.boolean(),
  /** Writes go to memory, not into a file. */
  inMemory: z.boolean(),
});
export type ScrubOrder = z.infer<typeof scrubOrder>;

/** What the thread is to do. */
export const fileOrder = z.union([scrubOrder, z.object({ act: z.literal("check"), path: z.string() })]);

/** `user_version` of a file without content deleted before overwriting began. */
export const scrubbedVersion = 1;

/**
 * Leaves no byte of what was deleted: rewrites the file and brings the write-ahead log into it. `secure_delete` alone
 * misses copies that stay in a page when SQLite moves rows (seen: one to nine of thousands of rows). Works in a thread
 * and on its own connection: reads continue.
 * @param evenBig Whether a file is rewritten whose writers would wait for more than some seconds.
 * @returns false when something is left: others were reading all the time, or the file is big.
 */
export async function scrubFile(folder: string, evenBig: boolean): Promise<boolean> {
  const path = join(folder, databaseFileName);
  const inMemory = statSync(path).size <= maxScrubbedBytes;
  const rebuild = inMemory || evenBig;
  return (await inThread({ act: "scrub", path, rebuild, inMemory })) === true && rebuild;
}

/** @returns what the thread said last */
function inThread(order: z.infer<typeof fileOrder>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./file-thread.ts", import.meta.url), { workerData: order });
    let reported: unknown;
    thread.on("message", (message: unknown) => {
      reported = message;
    });
    thread.on("error", reject);
    thread.on("exit", () => resolve(reported));
  });
}

const fileCheck = z.object({
  /** In SQLite's words. */
  problems: z.array(z.string()),
  damaged: z.array(z.object({ collection: z.string(), seq: z.number(), id: z.string() })),
});

/** What is wrong with a database's file, and the rows in it that are no longer documents. */
export type FileCheck = z.infer<typeof fileCheck>;

/** Reads the whole file in a separate thread and connection, while the tool keeps working. */
export async function checkFile(folder: string): Promise<FileCheck> {
  return fileCheck.parse(await inThread({ act: "check", path: join(folder, databaseFileName) }));
}
