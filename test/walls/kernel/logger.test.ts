import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createLogger, type Logger } from "../../../src/kernel/logger.ts";

/** What a logger writes while `act` uses it. */
function linesOf(level: string, act: (logger: Logger) => void): string[] {
  const lines: string[] = [];
  act(createLogger(level, { write: (line) => lines.push(line) }));
  return lines;
}

const secretNames = [
  ["authorization", "cookie", "id_token", "access_token", "client_assertion", "registration_token"],
  ["token", "secret", "password", "apiKey", "name", "givenName", "familyName", "email", "body"],
].flat();

describe("a log line", () => {
  test("is one line of JSON with level, time, facts and sentence, and nothing about its machine", () => {
    const before = Date.now();
    const lines = linesOf("info", (logger) => {
      logger.info({ course: "crs_1", text: "two\nlines" }, "a course was opened");
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]+\n$/);
    const line: unknown = JSON.parse(lines[0] ?? "");
    const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const facts = { course: "crs_1", text: "two\nlines" };
    expect(line).toEqual({ level: "info", ...facts, msg: "a course was opened", time });
    expect(Date.parse(/"time":"([^"]+)"/.exec(lines[0] ?? "")?.[1] ?? "")).toBeGreaterThanOrEqual(before);
  });

  test.each([
    ["silent", []],
    ["warn", ["error", "warn"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ])("is written at level %s only for %j", (level, expected) => {
    const lines = linesOf(level, (logger) => {
      logger.error({}, "error");
      logger.warn({}, "warn");
      logger.info({}, "info");
      logger.debug({}, "debug");
    });
    expect(lines.map((line) => /"msg":"(\w+)"/.exec(line)?.[1])).toEqual(expected);
  });
});

describe("a secret or a person's name in the facts", () => {
  test.each(secretNames)("is removed under %s, three levels deep", (key) => {
    const [line = ""] = linesOf("info", (logger) => {
      const struck = { [key]: "Hush-Hush" };
      logger.info({ ...struck, one: { ...struck, two: struck }, list: [struck] }, "looked at");
    });
    expect(line).not.toContain("Hush-Hush");
    expect(line.match(/\[redacted\]/g)).toHaveLength(4);
  });

  test("is removed from a child logger's standing facts", () => {
    const [line = ""] = linesOf("info", (logger) => {
      logger
        .child({ registration: "reg_1", secret: "Hush-Hush", call: { token: "Hush-Hush" } })
        .info({ apiKey: "Hush-Hush" }, "called");
    });
    expect(line).not.toContain("Hush-Hush");
    expect(line).toContain("reg_1");
  });

  test("is removed at any depth, and endless facts are cut", () => {
    const circle: Record<string, unknown> = { name: "Hush-Hush" };
    circle["round"] = [circle];
    const [line = ""] = linesOf("info", (logger) => {
      logger.info({ a: { b: { c: { d: { token: "Hush-Hush", kept: "kept" } } } }, circle }, "looked at");
    });
    expect(line).not.toContain("Hush-Hush");
    expect(JSON.parse(line)).toMatchObject({ a: { b: { c: { d: { kept: "kept" } } } }, msg: "looked at" });
  });

  test("leaves dates, absent values and errors unchanged", () => {
    const at = new Date("2026-11-22T10:00:00Z");
    const [line = ""] = linesOf("info", (logger) => {
      logger.info({ at, list: [at, null], none: null, name: undefined, thrown: new Error("x") }, "looked at");
    });
    const written = at.toISOString();
    expect(JSON.parse(line)).toEqual(
      expect.objectContaining({ at: written, list: [written, null], none: null, thrown: {} }),
    );
    expect(line).not.toContain("[redacted]");
  });

  test("leaves the logged object unchanged", () => {
    const facts = { token: "kept", deep: { secret: "kept" } };
    linesOf("info", (logger) => {
      logger.info(facts, "used");
    });
    expect(facts).toEqual({ token: "kept", deep: { secret: "kept" } });
  });
});

const loggerFile = fileURLToPath(new URL("../../../src/kernel/logger.ts", import.meta.url));
/** Logs 10 MB and ends as the tool does; says how much of it waited in memory (MiB). */
const muchLogged = `
  import { createLogger, lastLinesRead } from "${loggerFile}";
  const logger = createLogger("info");
  for (let line = 0; line < 10_000; line += 1) logger.info({ line }, "x".repeat(1_000));
  await new Promise(setImmediate);
  console.error(Math.round(process.stdout.writableLength / 1_048_576));
  await lastLinesRead();
  process.exit();
`;

describe("a process whose log", () => {
  test.each([
    ["nobody reads", "pipe", "4\n"],
    ["the disk has no room for", openSync("/dev/full", "w"), "0\n"],
  ] as const)("%s goes on, keeps little of it and ends", async (_how, log, waiting) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", muchLogged], {
      stdio: ["ignore", log, "pipe"],
    });
    if (child.stderr === null) throw new Error("no pipe");
    const [said, ended] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([said, ended]).toEqual([waiting, [0, null]]);
  });

  test("is read late says how many lines it left out", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", muchLogged]);
    await once(child.stderr, "data");
    const lines = (await text(child.stdout)).trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ level: "warn", lines: 10_001 - lines.length });
  });

  test("is read slowly gets its last line when it ends", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", muchLogged.replace("0_0", "_0")]);
    await once(child.stderr, "data");
    const [logged] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(logged.trim().split("\n").at(-1)).toContain('"line":999');
  });
});
