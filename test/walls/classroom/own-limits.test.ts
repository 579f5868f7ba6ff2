import { expect, test } from "vitest";
import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { analyticsWindowMs, createThrottles } from "../../../src/classroom/budgets.ts";
import { noOwnLimits } from "../../../src/domain/account.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { publicLookup } from "../../../src/lms/outside-fetch.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { memoryThrottleStore } from "./memory-throttle-store.ts";
import { pacedClassroom } from "../../support/stand-ins/quick-classroom.ts";

test("an account's own limits may be slower than the service's, but not faster", () => {
  const { calls, perSeconds } = defaultDialect.analytics;
  const ofService = (perSeconds * 1_000) / calls;
  expect(analyticsWindowMs(defaultDialect)).toBe(ofService);
  expect(analyticsWindowMs(defaultDialect, { ...noOwnLimits, analyticsSeconds: 10 })).toBe(10_000);
  expect(analyticsWindowMs(defaultDialect, { ...noOwnLimits, analyticsSeconds: 0.1 })).toBe(ofService);
});

test("an account with one call a second waits a second for the next, and one without limits does not wait", async () => {
  const throttlesOf = createThrottles({ store: memoryThrottleStore(), clock: systemClock, ids: randomIds });
  const secondCallAfter = async (key: string, callsPerSecond: number | null) => {
    const { throttle } = throttlesOf(key, defaultDialect, { ...noOwnLimits, callsPerSecond });
    const times: number[] = [];
    for (let call = 0; call < 2; call += 1) {
      const permit = await throttle.acquire({ priority: "entry" });
      await permit.begin();
      times.push(performance.now());
      permit.left();
      permit.answered();
    }
    return (times[1] ?? 0) - (times[0] ?? 0);
  };
  expect(await secondCallAfter("slow", 1)).toBeGreaterThan(990);
  expect(await secondCallAfter("usual", null)).toBeLessThan(900);
  expect(await secondCallAfter("too-fast", 100)).toBeLessThan(900);
});

test("a changed limit makes another throttle of the same key, which sees the earlier one's calls", async () => {
  const throttlesOf = createThrottles({ store: memoryThrottleStore(), clock: systemClock, ids: randomIds });
  const before = throttlesOf("key", defaultDialect, noOwnLimits);
  expect(throttlesOf("key", defaultDialect, noOwnLimits)).toBe(before);
  const permit = await before.throttle.acquire({ priority: "entry" });
  await permit.begin();
  const began = performance.now();
  permit.left();
  permit.answered();
  const after = throttlesOf("key", defaultDialect, { ...noOwnLimits, callsPerSecond: 1 });
  const next = await after.throttle.acquire({ priority: "entry" });
  await next.begin();
  expect(performance.now() - began).toBeGreaterThan(990);
});

test("a name that leads into our own network is not called for an institution's account", async () => {
  const classroom = await pacedClassroom({ spelling: "a" });
  try {
    const { port } = new URL(classroom.apiUrl);
    const request = { method: "GET", url: `http://classroom.example:${port}/`, headers: {}, body: null };
    const inside = publicLookup((_name, _options, found) => {
      setImmediate(() => found(null, [{ address: "127.0.0.1", family: 4 }]));
    });
    const refused = createExchanges({ lookup: inside })(request);
    await expect(refused.ready).rejects.toThrow("not a public address");
    await expect(refused.answer).rejects.toThrow("not a public address");
    refused.end();
  } finally {
    await classroom.close();
  }
});
