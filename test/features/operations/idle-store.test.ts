import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startTool } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { EmbeddedCollection } from "../../../src/storage/embedded/embedded-collection.ts";
import { passingClock } from "../../support/passing-clock.ts";

const calls = [
  ...["find", "findOne", "countDocuments", "updateOne", "updateMany", "findOneAndUpdate", "bulkWrite"],
  ...["insertOne", "deleteOne", "deleteMany"],
] as const;

/** Operations of one engine call are counted where it takes them; the same models make the same calls on a MongoDB. */
test("An instance with nothing to do asks its store less than twice a second", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spaces-idle-"));
  const classroom = {
    BASE_URL: "https://classroom.test",
    APP_URL: "https://classroom.test",
    API_KEY: "key-of-a-test",
  };
  const environment = (name: string) =>
    Object.entries({ ...classroom, WEBHOOK_SECRET: `a-secret-for-webhooks-${name}` }).map(
      ([key, value]): [string, string] => [`CLASSROOM_${name}${key}`, value],
    );
  const config = readConfig({
    PUBLIC_URL: "https://tool.test",
    PORT: "0",
    SECRET_KEY: "a secret key of at least thirty-two bytes",
    DATABASE_URL: `file:${folder}`,
    ...Object.fromEntries([...environment(""), ...environment("STAGING_")]),
  });
  let asked = 0;
  const counted = calls.map((name) => {
    const real: unknown = Reflect.get(EmbeddedCollection.prototype, name);
    if (typeof real !== "function") throw new Error(`the engine has no ${name}`);
    Reflect.set(EmbeddedCollection.prototype, name, function (this: EmbeddedCollection, ...given: unknown[]) {
      asked += 1;
      const answer: unknown = Reflect.apply(real, this, given);
      return answer;
    });
    return () => Reflect.set(EmbeddedCollection.prototype, name, real);
  });
  const { clock, pass } = passingClock();
  /** Until nobody has asked anything for some turns of the event loop. */
  const settled = async () => {
    for (let quiet = 0, seen = asked; quiet < 12; quiet += 1) {
      await new Promise(setImmediate);
      if (asked !== seen) [quiet, seen] = [0, asked];
    }
  };
  const tool = await startTool(config, { logger: createLogger("silent"), clock });
  try {
    await pass(60_000, settled);
    await vi.waitFor(settled);
    asked = 0;
    // Jobs by the clock come on top, about forty operations a minute; they go by the machine's own clock.
    await pass(10 * 60_000, settled);
    expect(asked).toBeGreaterThan(400);
    expect((asked + 10 * 40) / 600).toBeLessThan(2);
  } finally {
    for (const restore of counted) restore();
    await tool.stop();
    await rm(folder, { recursive: true });
  }
}, 60_000);
