import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { DemoWorldOptions } from "../../sandbox/demo-world.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { dialectOf } from "../support/stand-ins/dialects.ts";

/** A learner walks in, is marked, and the gradebook shows it. */
async function wholeJob(options: Partial<DemoWorldOptions>): Promise<void> {
  const world = await startWorld(options);
  try {
    const userId = await walkIn(world, "student7", "1");
    holdSession(world, "BIO101", userId, "LATE");
    await vi.waitFor(
      () => {
        expect(gradeOfLearner(world, "2", "student7")).toBe(80);
      },
      { timeout: 20_000 },
    );
    expect(world.classroom.callCounts()).toMatchObject({ refusedByLimit: 0 });
  } finally {
    await world.close();
  }
}

test("the whole job works with the document's other spelling of paths and methods", async () => {
  await wholeJob({ spelling: "b" });
}, 60_000);

test("the whole job works without a dialect file where the service takes unusual choices", async () => {
  await wholeJob({ spelling: "c" });
}, 60_000);

test("the whole job works with a dialect file where nobody can guess the service's choices", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-dialect-"));
  try {
    const file = join(folder, "dialect.json");
    await writeFile(file, JSON.stringify(dialectOf("d")));
    await wholeJob({ spelling: "d", variables: { CLASSROOM_DIALECT: file } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
