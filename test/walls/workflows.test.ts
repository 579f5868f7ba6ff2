import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { folderForTest } from "../support/folders.ts";

// Nothing here runs these files: what they name must exist, and what can be run is run.
const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = z
  .object({ version: z.string(), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

const step = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
});
const job = z.object({
  "timeout-minutes": z.number().optional(),
  uses: z.string().optional(),
  steps: z.array(step).default([]),
  strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
});
const workflow = z.object({
  permissions: z.strictObject({ contents: z.literal("read") }),
  jobs: z.record(z.string(), job),
});

const names = globSync("*.yml", { cwd: join(root, ".github/workflows") }).sort();
const workflows = names.map((name) => {
  const text = read(`.github/workflows/${name}`);
  return { name, text, jobs: workflow.parse(parse(text)).jobs };
});
const jobs = workflows.flatMap((one) => Object.entries(one.jobs).map(([job, parts]) => ({ job, ...parts })));
const steps = jobs.flatMap((one) => one.steps);
const jobOf = (name: string) => jobs.find(({ job: own }) => own === name);

describe("workflows", () => {
  test("test, publish and scan", () => {
    expect(names).toEqual(["release.yml", "scan.yml", "test.yml"]);
    expect(jobs.map(({ job: name }) => name).sort()).toEqual([
      "code",
      "gate",
      "image",
      "mongodb",
      "packages",
      "publish",
      "test",
    ]);
  });

  test("pin actions by their commit, not by a name that may move", () => {
    for (const { text } of workflows)
      for (const [line] of text.matchAll(/uses: .*/g))
        expect(line).toMatch(/^uses: (\.\/\.github\/workflows\/\w+\.yml|[\w/-]+@[0-9a-f]{40} # v[\d.]+)$/);
    for (const { uses = "" } of jobs) if (uses !== "") expect(existsSync(join(root, uses)), uses).toBe(true);
  });

  test("put nothing from outside into a command's text, and limit the time of each job", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    for (const { job: name, uses, "timeout-minutes": minutes } of jobs)
      expect(uses !== undefined || minutes !== undefined, name).toBe(true);
  });

  test("run only commands and paths that exist", () => {
    const ran = steps.map(({ run = "" }) => run).join("\n");
    for (const [, script = ""] of ran.matchAll(/npm run (\S+)/g))
      expect(manifest.scripts).toHaveProperty([script]);
    const paths = [...ran.matchAll(/(?:test\/[\w/-]+|\.ci\/\w+)/g)].map(([path]) => path);
    expect(paths).toContain(".ci/run");
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("name no repository or registry of their own", () => {
    for (const { text } of workflows) {
      expect(text).not.toMatch(/https?:\/\//);
      expect(text.replaceAll(/uses: .*/g, "")).not.toMatch(/\b[\w-]+\.(io|com|org|dev)\b/);
    }
  });

  test("use the database of compose.yaml, and the release before it", () => {
    const image = /image: mongo:(\d+)/.exec(read("compose.yaml"))?.[1];
    expect(jobOf("mongodb")?.strategy?.matrix["version"]).toEqual([String(Number(image) - 1), image]);
  });

  test("release what is in the changelog, and nothing under another version's tag", async () => {
    const script = steps.find(({ name }) => name?.includes("changelog"))?.run ?? "";
    const folder = await folderForTest();
    const release = (tag: string) =>
      execFileSync("bash", ["-e", "-c", script], {
        cwd: folder,
        env: { ...process.env, TAG: tag },
        stdio: "pipe",
      });
    for (const file of ["package.json", "CHANGELOG.md"]) copyFileSync(join(root, file), join(folder, file));
    release(`v${manifest.version}`);
    const notes = readFileSync(join(folder, "notes.md"), "utf8");
    expect(notes.trim()).toMatch(/^### /);
    expect(notes).not.toMatch(/^## /m);
    expect(() => release("v0.0.1")).toThrow();
  });
});
