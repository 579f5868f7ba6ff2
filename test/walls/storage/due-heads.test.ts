import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DueHeads, type DueQueue, dueHeadsOf, type Passed } from "../../../src/storage/due-heads.ts";
import { type Database, ensureIndexes } from "../../../src/storage/open-database.ts";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { eachEngine } from "./open-engine.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";

/** Work in memory, so that a test controls each step of writing and claiming it. */
type Letter = { id: number; scope: string; dueAt: number; leaseUntil: number };

describe.each(await eachEngine())("Heads of queues", (engine) => {
  let databases: Database[];
  let heads: DueHeads[];
  let letters: Letter[];
  /** Two processes with the same letters. */
  let left: DueQueue;
  let right: DueQueue;
  let looks: string[];
  let time = 0;

  beforeAll(async () => {
    databases = [await engine.open(), await engine.open()];
    heads = databases.map(({ connection }) => dueHeadsOf(connection, () => time));
    for (const { connection } of databases) await ensureIndexes(connection);
  });
  const forgetHeads = async () => {
    for (const { connection } of databases.slice(0, 1))
      await collectionsByModel(connection)("DueHead").deleteMany({});
  };
  beforeEach(async () => {
    await forgetHeads();
    letters = [];
    looks = [];
    time = 0;
    const [one, two] = heads.map((all) => all.queue("deliveries", firstDue));
    if (one === undefined || two === undefined) throw new Error("two processes");
    left = one;
    right = two;
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await engine.discard();
  });

  const firstDue: Parameters<DueHeads["queue"]>[1] = (scope, range) => {
    const within = ({ dueAt }: Letter) =>
      "$lte" in range ? dueAt <= range.$lte : dueAt > range.$gt && dueAt < range.$lt;
    const found = letters.filter((letter) => letter.scope === scope && within(letter));
    return Promise.resolve(found.sort((a, b) => a.dueAt - b.dueAt)[0] ?? null);
  };
  const put = (scope: string, dueAt: number) => {
    letters.push({ id: letters.length, scope, dueAt, leaseUntil: 0 });
    return Promise.resolve();
  };
  /** Removes a letter from its scope. */
  const take = (now: number) => (scope: string) => {
    looks.push(scope);
    const free = letters.filter((one) => one.scope === scope && one.dueAt <= now && one.leaseUntil <= now);
    const [first] = free.sort((a, b) => a.dueAt - b.dueAt);
    letters = letters.filter((one) => one !== first);
    return Promise.resolve(first ?? null);
  };
  const claim = (queue: DueQueue, now: number, pass?: (scope: string) => Passed) => {
    time = now;
    return queue.claim(now, { take: take(now), pass });
  };

  test("What one process announces is found by another, once", async () => {
    await left.announced("a", 100, () => put("a", 100));
    const found = await Promise.all([claim(left, 100), claim(right, 100), claim(right, 100)]);
    expect(found.filter((one) => one !== null)).toHaveLength(1);
  });

  test("Due work that may not be claimed yet wakes its workers a second later", async () => {
    const told: number[] = [];
    const resting = { take: () => Promise.resolve(null) };
    await left.announced("a", 100, () => put("a", 100));
    heads[0]?.listen((_kind, at) => told.push(at));
    expect(await left.claim(100, resting)).toBeNull();
    heads[0]?.listen(() => undefined);
    expect(told).toEqual([1_100]);
  });

  test("Nothing is due before its time", async () => {
    await left.announced("a", 5_000, () => put("a", 5_000));
    expect(await claim(right, 4_999)).toBeNull();
    expect((await claim(right, 5_000))?.scope).toBe("a");
  });

  test("A scope that is skipped costs no look inside, whatever waits there", async () => {
    for (const scope of ["busy", "told to wait", "free"]) await left.announced(scope, 1, () => put(scope, 1));
    const pass = (scope: string): Passed =>
      scope === "busy" ? "busy" : scope === "told to wait" ? { until: 9_000 } : null;
    expect((await claim(right, 10, pass))?.scope).toBe("free");
    expect(await claim(right, 10, pass)).toBeNull();
    expect(looks).toEqual(["free", "free"]);
    // A scope that asks to wait is looked at when its time comes.
    expect((await claim(right, 10))?.scope).toBe("busy");
    expect(await claim(right, 8_999)).toBeNull();
    expect((await claim(right, 9_000))?.scope).toBe("told to wait");
  });

  test.each([
    ["one after another", (n: number) => n],
    ["at the same moment", () => 60],
  ])(
    "More busy scopes than fit on one page, due %s, do not hide the one behind them",
    async (_when, dueAt) => {
      for (let n = 0; n < 50; n += 1)
        await left.announced(`busy ${n}`, dueAt(n), () => put(`busy ${n}`, dueAt(n)));
      await left.announced("free", 60, () => put("free", 60));
      const found = await claim(right, 100, (scope) => (scope === "free" ? null : "busy"));
      expect(found?.scope).toBe("free");
    },
  );

  test("Scopes take turns, however much waits in one of them", async () => {
    for (let n = 0; n < 20; n += 1) await left.announced("large", 0, () => put("large", n));
    await left.announced("small", 50, () => put("small", 50));
    const served = [];
    for (let now = 10_000; now < 15_000; now += 1_000) served.push((await claim(right, now))?.scope);
    expect(served.slice(0, 3)).toContain("small");
  });

  test("Claimed work is looked for again when the claim ends", async () => {
    await left.announced("a", 0, () => put("a", 0));
    letters = letters.map((one) => ({ ...one, leaseUntil: 10_000 }));
    expect(await claim(left, 100)).toBeNull();
    for (let now = 1_000; now < 10_000; now += 1_000) expect(await claim(right, now)).toBeNull();
    expect((await claim(right, 10_000))?.scope).toBe("a");
  });

  test("Work that gets due before such a claim ends is found at its time", async () => {
    await left.announced("a", 0, () => put("a", 0));
    letters = letters.map((one) => ({ ...one, leaseUntil: 60_000 }));
    await left.announced("a", 21_000, () => put("a", 21_000));
    for (const now of [0, 1_000, 15_000, 20_999]) expect(await claim(right, now)).toBeNull();
    expect((await claim(right, 21_000))?.dueAt).toBe(21_000);
  });

  test("Returned work is found at its time", async () => {
    await left.announced("a", 0, () => put("a", 0));
    expect((await claim(left, 0))?.scope).toBe("a");
    for (const now of [0, 1_000, 15_000, 40_000]) expect(await claim(right, now)).toBeNull();
    await put("a", 60_000);
    await left.givenBack("a", 60_000);
    expect(await claim(right, 59_999)).toBeNull();
    expect((await claim(right, 60_000))?.scope).toBe("a");
  });

  describe("Between the announcement and the work", () => {
    /** Announces, and writes only when told; the promise settles when both are done. */
    const slowly = (queue: DueQueue, scope: string) => {
      const writing = Promise.withResolvers<undefined>();
      const begun = Promise.withResolvers<undefined>();
      const done = queue.announced(scope, 0, async () => {
        begun.resolve(undefined);
        await writing.promise;
        await put(scope, 0);
      });
      return {
        begun: begun.promise,
        write: () => {
          writing.resolve(undefined);
          return done;
        },
      };
    };

    test.each([
      ["immediately", 0, 1_000],
      ["a few seconds later", 5_000, 15_000],
      ["as late as the store keeps trying", 14_000, 15_000],
    ])("another process has looked, and what is written %s is still found", async (_when, at, foundBy) => {
      const slow = slowly(left, "a");
      await slow.begun;
      let found: number | null = null;
      for (let now = 0; now <= 60_000 && found === null; now += 500) {
        if (now === at) {
          expect(await claim(right, now)).toBeNull();
          await slow.write();
        }
        if ((await claim(right, now)) !== null) found = now;
      }
      expect(found).not.toBeNull();
      expect(found).toBeLessThanOrEqual(foundBy);
    });

    test("the process is killed: after three looks, the scope is left alone", async () => {
      await slowly(left, "a").begun;
      for (let now = 0; now <= 300_000; now += 500) expect(await claim(right, now)).toBeNull();
      expect(looks).toHaveLength(3);
      expect(await heads[1]?.kindsDue(10_000_000)).toEqual(new Map());
    });

    test("another process looks, and what it stores does not hide the work", async () => {
      await left.announced("a", 0, () => put("a", 0));
      await claim(right, 0);
      for (const now of [0, 1_000, 15_000]) await claim(right, now);
      await left.announced("a", 20_000, () => put("a", 90_000));
      let between: Promise<void> | null = null;
      const none = await right.claim(20_000, {
        take: async () => {
          between ??= left.announced("a", 20_000, () => put("a", 20_000));
          await between;
          return null;
        },
      });
      expect(none).toBeNull();
      expect((await claim(right, 20_500))?.dueAt).toBe(20_000);
    });
  });

  const steps = ["announce", "announce", "write", "kill", "claim", "claim", "pass"] as const;
  const waits = [0, 0, 3_000, 40_000];
  const spans = [100, 1_000, 2_500, 9_000];
  test("Whatever two processes do in any order, killed anywhere, all written work is found", async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      await forgetHeads();
      letters = [];
      const queues = heads.map((all) => all.queue("deliveries", firstDue));
      const [, other = left] = queues;
      const random = seededRandom(seed);
      const pick = (many: number) => Math.floor(random() * many);
      const open: { write: () => void }[] = [];
      let now = 0;
      let taken = 0;
      let written = 0;
      for (let step = 0; step < 60; step += 1) {
        const queue = queues[pick(2)] ?? other;
        const what = steps[pick(steps.length)];
        if (what === "announce") {
          const scope = `scope ${pick(3)}`;
          const dueAt = now + (waits[pick(waits.length)] ?? 0);
          const begun = Promise.withResolvers<undefined>();
          const writing = Promise.withResolvers<boolean>();
          void queue.announced(scope, dueAt, async () => {
            begun.resolve(undefined);
            if (await writing.promise) await put(scope, dueAt);
            else await new Promise(() => undefined); // killed: nothing comes after
          });
          await begun.promise;
          open.push({
            write: () => {
              writing.resolve(true);
            },
          });
        }
        if (what === "write" || what === "kill" || what === "pass") {
          const next = open.splice(0, what === "pass" ? open.length : 1);
          for (const one of next) {
            if (what === "kill") continue;
            one.write();
            written += 1;
            await new Promise(setImmediate);
          }
        }
        if (what === "pass") time = now += spans[pick(spans.length)] ?? 0;
        if (what === "claim" && (await claim(queue, now)) !== null) taken += 1;
      }
      for (const one of open) {
        one.write();
        written += 1;
      }
      await new Promise(setImmediate);
      // Another process finds the rest.
      for (const until = now + 70_000; now <= until; now += 500)
        while ((await claim(other, now)) !== null) taken += 1;
      expect({ seed, taken, left: letters.length }).toEqual({ seed, taken: written, left: 0 });
    }
  }, 60_000);

  test("Which kinds are due needs one look, and a missing or late head is repaired", async () => {
    await put("a", 10);
    expect(await heads[1]?.kindsDue(1_000)).toEqual(new Map());
    expect(await left.repair(["a", "b"], 1_000)).toBe(1);
    expect(await left.repair(["a", "b"], 1_000)).toBe(0);
    expect(await heads[1]?.kindsDue(1_000)).toEqual(new Map([["deliveries", 10]]));
    expect((await claim(right, 1_000))?.scope).toBe("a");
  });

  test("One look reads a page of thousands of heads due at one moment, and every kind counts as due", async () => {
    heads[1]?.queue("people", firstDue);
    const scopes = Array.from({ length: 600 }, (_none, number) => `s${number}`);
    await Promise.all(scopes.map((scope) => left.announced(scope, 700, () => put(scope, 700))));
    expect(await heads[1]?.kindsDue(1_000)).toEqual(
      new Map([
        ["deliveries", 700],
        ["people", 700],
      ]),
    );
  });

  test("What this process creates, postpones and releases is announced with its time, and by the next check", async () => {
    const told: string[] = [];
    heads[0]?.listen((kind, at) => told.push(`${kind} ${at}`));
    await left.announced("a", 100, () => put("a", 100));
    await claim(left, 200);
    await claim(left, 200);
    await left.givenBack("a", 400);
    await claim(left, 500, () => ({ until: 900 }));
    heads[0]?.listen(() => undefined);
    expect(told).toEqual(["deliveries 100", "deliveries 1200", "deliveries 400", "deliveries 900"]);
  });
});
