import { expect, test } from "vitest";
import { inLanes } from "../../src/kernel/async.ts";

test("so many run at the same time, and the results come in the list's order", async () => {
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

test("an empty list is done immediately", async () => {
  expect(await inLanes(3, [], () => Promise.reject(new Error("never called")))).toEqual([]);
});

test("after a failure no more work begins", async () => {
  const begun: number[] = [];
  const work = (one: number) => {
    begun.push(one);
    return one === 1 ? Promise.reject(new Error("broken")) : Promise.resolve(one);
  };
  await expect(inLanes(1, [0, 1, 2, 3], work)).rejects.toThrow("broken");
  expect(begun).toEqual([0, 1]);
});
