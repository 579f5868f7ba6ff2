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
  /** Writes go to memory and not into a temporary file. */
  inMemory: z.boolean(),
});
export type ScrubOrder = z.infer<typeof scrubOrder>;

/** The work for the thread. */
export const fileOrder = z.union([scrubOrder, z.object({ act: z.literal("check"), path: z.string() })]);

/** The `user_version` of a file that has no content deleted before we started to overwrite it. */
export const scrubbedVersion = 1;

/**
 * Removes every byte of deleted content: rewrites the file and moves the write-ahead log into it. `secure_delete` alone misses copies that
 * stay in a page when SQLite moves rows (we saw one to nine of thousands of rows). Works in a thread and on its own connection, so reads
 * continue. @param evenBig Whether to rewrite a file whose writers would wait for more than some seconds.
 * @returns false if something is left, because others were reading all the time, or the file is big.
 */
export async function scrubFile(folder: string, evenBig: boolean): Promise<boolean> {
  const path = join(folder, databaseFileName);
  const inMemory = statSync(path).size <= maxScrubbedBytes;
  const rebuild = inMemory || evenBig;
  return (await inThread({ act: "scrub", path, rebuild, inMemory })) === true && rebuild;
}

/** @returns the last message from the thread */
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

/** What is wrong with a database's file, and its rows that are no longer documents. */
export type FileCheck = z.infer<typeof fileCheck>;

/** Reads the whole file in a separate thread and connection, while the tool continues to work. */
export async function checkFile(folder: string): Promise<FileCheck> {
  return fileCheck.parse(await inThread({ act: "check", path: join(folder, databaseFileName) }));
}
