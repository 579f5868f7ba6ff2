import { expect, test, vi } from "vitest";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/start-world.ts";

test("the whole job works with the document's other spelling of paths and methods", async () => {
  const world = await startWorld({ spelling: "b" });
  try {
    const userId = await walkIn(world, "student7", "1");
    holdSession(world, "BIO101", userId, "LATE");
    await vi.waitFor(
      () => {
        expect(gradeOfLearner(world, "2", "student7")).toBe(80);
      },
      { timeout: 20_000 },
    );
  } finally {
    await world.close();
  }
}, 60_000);
