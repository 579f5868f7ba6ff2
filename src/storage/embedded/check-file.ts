import { join } from "node:path";
import { z } from "zod";
import { inThread } from "./scrub-file.ts";
import { databaseFileName } from "./sqlite-file.ts";

const fileCheck = z.object({
  /** In SQLite's words. */
  problems: z.array(z.string()),
  damaged: z.array(z.object({ collection: z.string(), seq: z.number(), id: z.string() })),
});

/** What is wrong with a database's file, and the rows in it that are no documents any more. */
export type FileCheck = z.infer<typeof fileCheck>;

/** Reads the whole file in a separate thread and connection, while the tool keeps working. */
export async function checkFile(folder: string): Promise<FileCheck> {
  const program = new URL("./check-thread.ts", import.meta.url);
  return fileCheck.parse(await inThread(program, join(folder, databaseFileName)));
}
