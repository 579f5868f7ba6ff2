import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Schema } from "mongoose";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { silent } from "./open-engine.ts";

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
  const folder = await mkdtemp(join(tmpdir(), "spaces-kill-"));
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
  await rm(folder, { recursive: true });
}, 60_000);
