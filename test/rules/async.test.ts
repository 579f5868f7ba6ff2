import { expect, test } from "vitest";
import { createBackground, inLanes } from "../../src/kernel/async.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { makeOnce } from "../../src/kernel/with-claim.ts";

test("as many calls run at the same time as there are lanes, and results keep the list's order", async () => {
  const running = new Set<number>();
  let most = 0;
  const results = await inLanes(3, [5, 1, 4, 2, 3], async (one) => {
    running.add(one);
    most = Math.max(most, running.size);
    for (let turn = 0; turn < one; turn += 1) await Promise.resolve();
    running.delete(one);
    return one * 10;
  });
  expect(most).toBe(3);
  expect(results).toEqual([50, 10, 40, 20, 30]);
});

test("an empty list is done without a call", async () => {
  expect(await inLanes(3, [], () => Promise.reject(new Error("never called")))).toEqual([]);
});

test("starts no more work after a failure", async () => {
  const begun: number[] = [];
  const work = (one: number) => {
    begun.push(one);
    return one === 1 ? Promise.reject(new Error("broken")) : Promise.resolve(one);
  };
  await expect(inLanes(1, [0, 1, 2, 3], work)).rejects.toThrow("broken");
  expect(begun).toEqual([0, 1]);
});

test("finishes background work that other background work started, and logs a failure", async () => {
  const lines: string[] = [];
  const background = createBackground(createLogger("warn", { write: (line) => lines.push(line) }));
  const done: string[] = [];
  background.run("first", async () => {
    await Promise.resolve();
    background.run("second", async () => {
      await new Promise(setImmediate);
      done.push("second");
    });
    background.run("broken", () => {
      throw new Error("before any promise");
    });
    done.push("first");
  });
  await background.settle();
  expect(done).toEqual(["first", "second"]);
  expect(lines.join("")).toContain("before any promise");
});

test("a failed maker throws its own error, also when its claim cannot be released", async () => {
  const making = makeOnce(
    { clock: systemClock, ids: randomIds },
    {
      read: () => Promise.resolve(null),
      claim: () => Promise.resolve(true),
      extend: () => Promise.resolve(true),
      make: () => Promise.reject(new Error("the classroom refuses the name")),
      keep: () => Promise.resolve(true),
      release: () => Promise.reject(new Error("the database is away")),
    },
  );
  await expect(making).rejects.toThrow("the classroom refuses the name");
});
