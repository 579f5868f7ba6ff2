import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { secretNames } from "../../src/config-secret-files.ts";
import { problemsOf } from "../../src/cli/init.ts";
import { readConfig } from "../../src/config.ts";
import { runCli, runCommand } from "../support/tool/run-cli.ts";
import { folderForAll } from "../support/folders.ts";

const folder = await folderForAll();

/** A value for each secret, all different. */
const values: Readonly<Record<string, string>> = {
  SECRET_KEY: "2bK7-of-thirty-two-bytes-at-the-very-least",
  SECRET_KEY_PREVIOUS: "9wQ4-of-thirty-two-bytes-at-the-very-least",
  ADMIN_PASSWORD: "blackbirds sing at dawn",
  METRICS_TOKEN: "3b9d1c7e5f2a4680",
  OIDC_CLIENT_SECRET: "secret-of-the-console-at-its-provider",
  DATABASE_URL: "mongodb://tool:Pa55-of-the-tool@mongo.example/spaces",
  SMTP_URL: "smtps://tool:Pa55-of-mail@mail.example",
  CLASSROOM_API_KEY: "api-key-of-production",
  CLASSROOM_WEBHOOK_SECRET: "production-secret-now",
  CLASSROOM_WEBHOOK_SECRET_PREVIOUS: "production-secret-then",
  CLASSROOM_STAGING_API_KEY: "api-key-of-staging",
  CLASSROOM_STAGING_WEBHOOK_SECRET: "staging-secret-now",
  CLASSROOM_STAGING_WEBHOOK_SECRET_PREVIOUS: "staging-secret-then",
};
const openly = {
  MAIL_FROM: "classroom@university.example",
  PUBLIC_URL: "https://tool.example",
  CLASSROOM_BASE_URL: "https://api.example",
  CLASSROOM_APP_URL: "https://app.example",
  CLASSROOM_STAGING_BASE_URL: "https://api.staging.example",
  CLASSROOM_STAGING_APP_URL: "https://app.staging.example",
};

async function fileWith(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** The environment with every secret in its own file, except those given in another way. */
async function inFiles(ending: string, instead: Readonly<Record<string, string>> = {}) {
  const files = await Promise.all(
    Object.entries(values)
      .filter(([name]) => instead[name] === undefined && instead[`${name}_FILE`] === undefined)
      .map(async ([name, value]) => [`${name}_FILE`, await fileWith(name, value + ending)] as const),
  );
  return { ...openly, ...Object.fromEntries(files), ...instead };
}

describe("Secrets in files", () => {
  test("exist for every variable that is a secret", () => {
    expect([...secretNames].sort()).toEqual(Object.keys(values).sort());
  });

  test.each([
    ["no line break", ""],
    ["a line break", "\n"],
    ["a line break of Windows", "\r\n"],
  ])("with %s at the end are read like variables", async (_what, ending) => {
    expect(readConfig(await inFiles(ending))).toEqual(readConfig({ ...openly, ...values }));
  });

  test("are found through links, as Kubernetes mounts them", async () => {
    await mkdir(join(folder, "..data"), { recursive: true });
    const path = await fileWith("..data/key", values.SECRET_KEY ?? "");
    await symlink(path, join(folder, "linked"));
    const config = readConfig(await inFiles("", { SECRET_KEY_FILE: join(folder, "linked") }));
    expect(config.secretKey).toBe(values.SECRET_KEY);
  });

  test("are also read by an operator's command", async () => {
    const { DATABASE_URL: _mongo, ...others } = values;
    const url = await fileWith("database-url", `file:${join(folder, "database")}\n`);
    const key = await fileWith("key", `${values.SECRET_KEY ?? ""}\n`);
    const { SECRET_KEY: _key, ...rest } = others;
    const variables = { ...openly, ...rest, DATABASE_URL_FILE: url, SECRET_KEY_FILE: key };
    expect((await runCommand(variables, ["prepare"])).code).toBe(0);
    expect(await runCli(variables, ["platform", "list"])).toEqual([]);
    const refused = await runCommand({ ...variables, SECRET_KEY: "another" }, ["platform", "list"]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("SECRET_KEY_FILE and SECRET_KEY are both set");
  });
});

describe("The tool does not start", () => {
  test.each(Object.keys(values))("when both %s and its file are set", async (name) => {
    const path = await fileWith("both", values[name] ?? "");
    const problems = problemsOf({ ...openly, ...values, [`${name}_FILE`]: path });
    expect(problems).toEqual([
      `${name}_FILE and ${name} are both set; keep one of them (an empty ${name}= counts as not set)`,
    ]);
    expect(problemsOf({ ...openly, ...values, [name]: "", [`${name}_FILE`]: path })).toEqual([]);
  });

  test.each<[string, () => Promise<string>, string]>([
    [
      "is not there",
      () => Promise.resolve(join(folder, "Hush-nowhere")),
      "cannot be read: there is no such file",
    ],
    ["is a folder", () => Promise.resolve(folder), "is not a file"],
    ["is empty", () => fileWith("Hush-empty", ""), "is empty"],
    ["is only a line break", () => fileWith("Hush-break", "\r\n"), "is empty"],
    ["is too large", () => fileWith("Hush-large", "Hush".repeat(5_000)), "is larger than 16 kB"],
    [
      "is not a text",
      () => fileWith("Hush-bytes", Uint8Array.of(72, 117, 255, 254)),
      "is not a text file (UTF-8)",
    ],
    [
      "is a pipe without a writer",
      () => {
        const path = join(folder, "Hush-pipe");
        execFileSync("mkfifo", [path]);
        return Promise.resolve(path);
      },
      "is not a file",
    ],
  ])("with a file that %s, and names only the variable", async (_what, make, words) => {
    const path = await make();
    for (const name of ["SECRET_KEY", "CLASSROOM_STAGING_API_KEY"])
      expect(problemsOf(await inFiles("", { [`${name}_FILE`]: path }))).toEqual([`${name}_FILE ${words}`]);
  });

  test.each([
    ["SECRET_KEY", "a".repeat(40), /has too few different characters; make one with/],
    ["SECRET_KEY", "short", /must be at least 32 random bytes/],
    ["CLASSROOM_WEBHOOK_SECRET", "webhook-secret-123", /is a placeholder that others know/],
    ["CLASSROOM_API_KEY", "two\nlines-of-key", /must be ASCII without spaces or line breaks/],
    ["DATABASE_URL", "postgres://Hush", /must be file:<folder> or mongodb/],
  ])("with a %s in a file, as with a variable", async (name, value, words) => {
    const path = await fileWith("weak", `${value}\n`);
    const [problem = "", ...others] = problemsOf(await inFiles("", { [`${name}_FILE`]: path }));
    expect(others).toEqual([]);
    expect(problem).toMatch(words);
    expect(problem.startsWith(`${name} (from ${name}_FILE) `)).toBe(true);
    expect(problem).not.toContain(value);
  });
});
