import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { closed, listening } from "../support/stand-ins/local-server.ts";

const megabyte = 1024 * 1024;
/** What an institution's own server may answer. */
const replies: Readonly<Record<string, () => string>> = {
  "/deep": () => "[".repeat(2 * megabyte),
  "/wrapped": () => `${'{"data":'.repeat(200_000)}1${"}".repeat(200_000)}`,
  "/many": () =>
    JSON.stringify(Array.from({ length: 240_000 }, (_none, n) => ({ n }))).slice(0, 2 * megabyte),
  "/long": () => "[".repeat(16 * megabyte),
  "/short": () => '{"users":[]}',
};
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(replies[request.url ?? ""]?.() ?? "");
});
let url = "";
beforeAll(async () => {
  url = await listening(server);
});
afterAll(() => closed(server));

test("a dozen concurrent replies each from a classroom, an LMS and a provider kill no process with 64 MB of heap", async () => {
  const child = join(import.meta.dirname, "hostile-replies.child.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--max-old-space-size=64", child, url]);
  const said = stdout
    .trim()
    .split("\n")
    .map((line) => z.tuple([z.string(), z.string(), z.array(z.string())]).parse(JSON.parse(line)));
  const of = (path: string) =>
    said.filter(([of]) => of === path).map(([, , [first, ...others]]) => [first, others.length]);
  const unreadable = [
    expect.stringMatching(/status 200, (nested deeper than 32 levels|of more than 100000)/),
    0,
  ];
  for (const path of ["/deep", "/wrapped", "/many"])
    expect([path, ...of(path)]).toEqual([
      path,
      ["reply too costly, true", 0],
      unreadable,
      [expect.stringMatching(/^(nested deeper than 32 levels|of more than 100000 lists and objects)$/), 0],
    ]);
  expect(of("/long")).toEqual([
    ["reply too long, true", 0],
    [expect.stringContaining("longer than 2097152 bytes"), 0],
    [expect.stringContaining("longer than 2097152 bytes"), 0],
  ]);
  expect(of("/short").flat()).toEqual(Array.from({ length: 3 }, () => ["an answer", 0]).flat());
});
