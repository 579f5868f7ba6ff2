import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Schema } from "mongoose";
import { expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { silent } from "./open-engine.ts";
import { folderForTest } from "../../support/folders.ts";

const program = join(import.meta.dirname, "claim-all.child.ts");
const total = 3_000;

type Claimer = { child: ChildProcessWithoutNullStreams; output: () => string };

function startClaimer(folder: string, owner: string): Claimer {
  const child = spawn(process.execPath, [program, folder, owner, String(total)]);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.pipe(process.stderr);
  return { child, output: () => output };
}

test("each of three thousand claims that two processes make on one folder is won exactly once", async () => {
  const folder = await folderForTest();
  const database = await openDatabase({ url: `file:${folder}`, logger: silent });
  const schema = new Schema({ _id: String, owner: String, wins: Number });
  const model = database.connection.model("Claim", schema.index({ owner: 1 }));
  await model.init();
  await model.insertMany(Array.from({ length: total }, (_, n) => ({ _id: String(n), owner: null, wins: 0 })));

  const claimers = [startClaimer(folder, "left"), startClaimer(folder, "right")];
  await vi.waitFor(() => expect(claimers.map((one) => one.output())).toEqual(["ready\n", "ready\n"]), {
    timeout: 20_000,
  });
  const ended = claimers.map(({ child }) => once(child, "exit"));
  for (const { child } of claimers) child.stdin.end("go\n");
  await Promise.all(ended);

  const won = claimers.map((one) => Number(/won (\d+)/.exec(one.output())?.[1]));
  expect((won[0] ?? 0) + (won[1] ?? 0)).toBe(total);
  expect(won[0]).toBeGreaterThan(0);
  expect(won[1]).toBeGreaterThan(0);
  expect(await model.countDocuments({ wins: 1 })).toBe(total);
  expect([
    await model.countDocuments({ owner: "left" }),
    await model.countDocuments({ owner: "right" }),
  ]).toEqual(won);
  await database.close();
}, 60_000);
