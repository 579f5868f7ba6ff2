import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, open, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { Schema } from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Logger } from "../../../src/kernel/logger.ts";
import { backUp } from "../../../src/storage/embedded/back-up.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { patience } from "../../support/patience.ts";
import { silent } from "./open-engine.ts";
import { folderForTest } from "../../support/folders.ts";

const program = join(import.meta.dirname, "write-until-killed.child.ts");

/** Lets a process write until it has acknowledged `enough` writes, kills it, and returns all it acknowledged. */
async function writeAndKill(folder: string, prefix: string, enough: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, folder, prefix], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    if (lines.length >= enough) child.kill("SIGKILL");
  });
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
  return lines;
}

test("a process that is killed three times while it writes loses no acknowledged write", async () => {
  const folder = await folderForTest();
  const acknowledged: string[] = [];
  for (const prefix of ["first", "second", "third"]) {
    acknowledged.push(...(await writeAndKill(folder, prefix, 3_000)));
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(9_000);

  const database = await openDatabase({ url: `file:${folder}`, logger: silent });
  const model = database.connection.model(
    "Write",
    new Schema({ _id: String, changed: Boolean, fill: String }),
  );
  const inserted = new Set<string>();
  const changed = new Set<string>();
  for (const row of await model.find().lean()) {
    expect(row.fill).toHaveLength(200);
    inserted.add(`+${row._id}`);
    if (row.changed === true) changed.add(`~${row._id}`);
  }
  const lost = acknowledged.filter((line) => !inserted.has(line) && !changed.has(line));
  expect(lost).toEqual([]);
  await database.close();
}, 60_000);

describe("a start on a folder whose process was killed", () => {
  /** What a killed process leaves after writing, with commits in its log. */
  async function killed(): Promise<{ folder: string; log: string }> {
    const parent = await folderForTest();
    const [alive, folder] = [join(parent, "alive"), join(parent, "killed")];
    const database = await openDatabase({ url: `file:${alive}`, logger: silent });
    const rows = database.connection.collection("rows");
    const notedFrames = async () => {
      const noted: unknown = JSON.parse(await readFile(join(alive, "spaces.sqlite.log"), "utf8"));
      return z.object({ frames: z.number() }).parse(noted).frames;
    };
    await vi.waitFor(async () => {
      await rows.insertOne({ fill: "x".repeat(2_000) });
      expect(await notedFrames()).toBeGreaterThan(30);
    }, patience);
    await cp(alive, folder, { recursive: true });
    await database.close();
    return { folder, log: join(folder, "spaces.sqlite-wal") };
  }

  /** What opening and closing the folder reports about its log. */
  async function said(folder: string): Promise<unknown[]> {
    const lines: unknown[] = [];
    const logger: Logger = { ...silent, error: (facts) => lines.push(facts) };
    const database = await openDatabase({ url: `file:${folder}`, logger });
    await database.connection.collection("more").insertOne({ n: 1 });
    await database.close();
    return lines;
  }

  test("reports nothing if the log is whole", async () => {
    const { folder } = await killed();
    expect(await said(folder)).toEqual([]);
    expect(await said(folder)).toEqual([]);
  });

  test.each([
    ["deleted", "missing", (log: string) => rm(log)],
    ["emptied", "missing", (log: string) => truncate(log, 0)],
    ["cut", "cut", (log: string) => truncate(log, 40_000)],
    ["overwritten", "cut", (log: string) => overwriteAt(log, 40_000)],
  ])("reports once that the log was %s", async (_what, loss, damage) => {
    const { folder, log } = await killed();
    await damage(log);
    expect(await said(folder)).toEqual([{ folder, log: loss }]);
    expect(await said(folder)).toEqual([]);
  });

  test("reports this even after a backup, but nothing after a backup of a whole log", async () => {
    const { folder } = await killed();
    await backUp(folder, join(folder, "whole.sqlite"), 0);
    expect(await said(folder)).toEqual([]);
    const again = await killed();
    await truncate(again.log, 40_000);
    await backUp(again.folder, join(again.folder, "cut.sqlite"), 0);
    expect(await said(again.folder)).toHaveLength(1);
  });
});

async function overwriteAt(file: string, at: number): Promise<void> {
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(64, 7), 0, 64, at);
  await handle.close();
}
