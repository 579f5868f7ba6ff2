import { existsSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listen } from "../../../sandbox/listen.ts";
import { readConfig } from "../../../src/config.ts";
import { runCommand } from "../../support/tool/run-cli.ts";
import { folderForTest } from "../../support/folders.ts";

let folder: string;
let file: string;
/** A classroom of which only the clock matters. */
let classroom: Server;
let address: string;
let date: string;

beforeEach(async () => {
  folder = await folderForTest();
  file = join(folder, ".env");
  date = new Date().toUTCString();
  classroom = createServer((_request, answer) => answer.setHeader("date", date).end());
  address = `http://127.0.0.1:${await listen(classroom)}`;
});
afterEach(() => {
  classroom.close();
});

const init = (options: readonly string[], input: readonly string[] = []) => {
  const places = ["--file", file, "--database", `file:${join(folder, "data")}`];
  return runCommand({}, ["init", ...places, "--port", "0", ...options], input);
};
const everything = () => [
  "--public-url",
  "https://classroom.example.edu",
  "--base-url",
  address,
  "--app-url",
  "https://app.example",
  "--api-key",
  "key-of-the-service",
];
const written = async () => parseEnv(await readFile(file, "utf8"));

describe("somebody who starts from nothing", () => {
  test("is asked again after a wrong answer, and gets a file that the tool accepts", async () => {
    const answers = ["classroom.example.edu", "https://classroom.example.edu", address];
    const { code, out, err } = await init(
      [],
      [...answers, "https://app.example", "key-of-the-service", "", ""],
    );
    expect(code).toBe(0);
    expect(err).toMatch(/Where will people reach the tool\?.*\nPUBLIC_URL must .*\nOnce more:\n/);
    expect(out).toMatch(/ok +port[\s\S]*ok +database +It opens\.\n +ok +time/);
    const variables = await written();
    expect(readConfig(variables)).toMatchObject({
      publicUrl: "https://classroom.example.edu",
      trustProxy: 1,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("is asked nothing if options answer everything, and gets new secrets each time", async () => {
    const { code, err } = await init(everything());
    expect([code, err]).toEqual([0, ""]);
    const first = await written();
    await rm(file);
    await init(everything());
    const second = await written();
    for (const name of ["SECRET_KEY", "CLASSROOM_WEBHOOK_SECRET", "ADMIN_PASSWORD", "METRICS_TOKEN"])
      expect(first[name], name).not.toBe(second[name]);
  });

  test.each<[string, () => string[], RegExp]>([
    ["an answer is missing", () => ["--public-url", "https://a.example"], /--base-url is missing/],
    ["a value is wrong", () => [...everything(), "--proxies", "true"], /TRUST_PROXY must not be true/],
    [
      "a line can't carry a value",
      () => [...everything(), "--api-key", "key#of-us"],
      /CLASSROOM_API_KEY would/,
    ],
  ])("gets no file if %s", async (_when, options, words) => {
    const { code, err } = await init(options());
    expect(code).toBe(2);
    expect(err).toMatch(words);
    expect(existsSync(file)).toBe(false);
  });
});

describe("an existing file", () => {
  const kept = "# ours\nSECRET_KEY=a-secret-key-of-at-least-thirty-two-bytes\nLOG_LEVEL=warn\n";

  test("stays unchanged unless a change is asked for", async () => {
    await writeFile(file, kept);
    const { code, err } = await init(everything());
    expect(code).toBe(2);
    expect(err).toMatch(/exists already.*--change/);
    expect(await readFile(file, "utf8")).toBe(kept);
  });

  test("keeps its comments, its secrets and everything that no option names", async () => {
    await init(everything());
    const before = await readFile(file, "utf8");
    await writeFile(file, `# ours\n${before}LOG_LEVEL=warn\n`, { mode: 0o644 });
    // A killed command left this file behind, readable for others.
    await writeFile(`${file}.new`, "", { mode: 0o644 });
    const { code } = await init(["--change", "--app-url", "https://other.example"]);
    expect(code).toBe(0);
    const changed = before.replace("https://app.example", "https://other.example");
    expect(await readFile(file, "utf8")).toBe(`# ours\n${changed}LOG_LEVEL=warn\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe("a check", () => {
  test("fails if the clock is off or the database does not open", async () => {
    date = new Date(Date.now() - 120_000).toUTCString();
    const { code, out } = await init([...everything(), "--database", "file:/dev/null/data"]);
    expect(code).toBe(1);
    expect(out).toMatch(/WRONG +database/);
    expect(out).toMatch(/WRONG +time +This machine's clock is 1[12]\d seconds off/);
  });

  test("gives a note if the port is taken or no server tells the time", async () => {
    const { port } = new URL(address);
    const { code, out } = await init([...everything(), "--base-url", "http://127.0.0.1:9", "--port", port]);
    expect(code).toBe(0);
    expect(out).toMatch(/note +port[\s\S]*note +time/);
  });
});
