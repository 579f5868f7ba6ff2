import { describe, expect, test } from "vitest";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { createLmsStores } from "../../support/builders/lms-stores.ts";
import { startPlatform, registered, startTool } from "../../support/stand-ins/signed-launch.ts";

const hour = 3_600_000;

function world() {
  const clock = { time: 1_000_000, now: () => clock.time, sleep: () => Promise.resolve() };
  const stores = createLmsStores();
  const sealer = createSealer("a secret key of at least thirty-two bytes");
  const open = () => createToolKeys({ toolKeys: stores.toolKeys, sealer, clock, ids: randomIds });
  return { clock, stores, open };
}

describe("our keys", () => {
  test("two instances that need the first key at the same moment get the same one", async () => {
    const { open } = world();
    const [one, two] = [open(), open()];
    const kids = await Promise.all(
      [one, one, two, two].map(async (keys) => (await keys.signingKey("reg_1")).kid),
    );
    expect(new Set(kids).size).toBe(1);
    expect(await one.publicKeys()).toHaveLength(1);
  });

  test("an instance whose clock is a minute behind signs with another one's first key", async () => {
    const { clock, open } = world();
    const first = await open().signingKey("reg_1");
    clock.time -= 60_000;
    expect((await open().signingKey("reg_1")).kid).toBe(first.kid);
    expect(await open().publicKeys()).toHaveLength(1);
  });

  test("over a rotation, the next key is published before it signs, and the old one a day longer", async () => {
    const { clock, open } = world();
    const keys = open();
    const start = clock.time;
    const first = (await keys.signingKey("reg_1")).kid;
    const { kid: next, usedFrom } = await keys.rotate("reg_1");
    expect(usedFrom).toBe(start + hour);
    const timeline: [name: string, after: number, published: string[], signs: string][] = [
      ["at once", 0, [first, next], first],
      ["just before its hour", hour - 1, [first, next], first],
      ["from its hour on", hour, [first, next], next],
      ["just before a day after that", 25 * hour - 1, [first, next], next],
      ["a day after that", 25 * hour, [next], next],
      ["a year later", 365 * 24 * hour, [next], next],
    ];
    for (const [name, after, published, signs] of timeline) {
      clock.time = start + after;
      const shown = (await keys.publicKeys()).map(({ kid }) => kid);
      expect(shown.sort(), name).toEqual([...published].sort());
      expect((await keys.signingKey("reg_1")).kid, name).toBe(signs);
    }
  });

  test("a second rotation while the next key waits returns the same key", async () => {
    const { clock, open } = world();
    const keys = open();
    await keys.signingKey("reg_1");
    const next = await keys.rotate("reg_1");
    clock.time += hour - 1;
    expect(await keys.rotate("reg_1")).toEqual(next);
    expect(await keys.publicKeys()).toHaveLength(2);
    clock.time += 1;
    expect((await keys.rotate("reg_1")).kid).not.toBe(next.kid);
    expect(await keys.publicKeys()).toHaveLength(3);
  });

  test("two processes that rotate at the same moment make one key", async () => {
    const { clock, open } = world();
    const [one, two] = [open(), open()];
    const first = (await one.signingKey("reg_1")).kid;
    const made = await Promise.all([one.rotate("reg_1"), two.rotate("reg_1")]);
    expect(new Set(made.map(({ kid }) => kid)).size).toBe(1);
    expect((await one.publicKeys()).map(({ kid }) => kid).sort()).toEqual([first, made[0].kid].sort());
    clock.time += 25 * hour;
    expect((await two.publicKeys()).map(({ kid }) => kid)).toEqual([made[0].kid]);
  });

  test("a rotation that was interrupted before the old key was withdrawn is completed by the next try", async () => {
    const { clock, stores, open } = world();
    const keys = open();
    await keys.signingKey("reg_1");
    const { retire } = stores.toolKeys;
    stores.toolKeys.retire = () => Promise.reject(new Error("killed"));
    await expect(keys.rotate("reg_1")).rejects.toThrow("killed");
    stores.toolKeys.retire = retire;
    const { kid } = await keys.rotate("reg_1");
    clock.time += 25 * hour;
    expect((await keys.publicKeys()).map((key) => key.kid)).toEqual([kid]);
  });

  test("a leaked key leaves the key set immediately, even before it is used", async () => {
    const { open } = world();
    const keys = open();
    await keys.signingKey("reg_1");
    await keys.signingKey("reg_2");
    await keys.rotate("reg_1");
    const { kid } = await keys.replaceNow("reg_1");
    expect((await keys.signingKey("reg_1")).kid).toBe(kid);
    expect((await keys.list("reg_1")).filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
    expect(await keys.publicKeys()).toHaveLength(2); // this one, and the other LMS's
  });

  test("no key signs for more than 30 days, and each is published from a day before until a day after", async () => {
    const { clock, open } = world();
    const keys = open();
    const firstSeen = new Map<string, number>();
    const lastSigned = new Map<string, number>();
    const signedFrom = new Map<string, number>();
    const first = (await keys.signingKey("reg_1")).kid;
    // Hour by hour, as LMSs call, with one renewal a day, like the job.
    for (const start = clock.time; clock.time < start + 100 * 24 * hour; clock.time += hour) {
      if ((clock.time - start) % (24 * hour) === 0) await keys.renew("reg_1");
      const published = (await keys.publicKeys()).map(({ kid }) => kid);
      for (const kid of published) firstSeen.set(kid, firstSeen.get(kid) ?? clock.time);
      const { kid } = await keys.signingKey("reg_1");
      expect(published).toContain(kid);
      signedFrom.set(kid, signedFrom.get(kid) ?? clock.time);
      lastSigned.set(kid, clock.time);
      for (const [one, at] of lastSigned) if (clock.time - at < 24 * hour) expect(published).toContain(one);
    }
    expect(signedFrom.size).toBeGreaterThanOrEqual(4);
    for (const [kid, from] of signedFrom) {
      expect((lastSigned.get(kid) ?? 0) - from).toBeLessThan(30 * 24 * hour);
      if (kid !== first) expect(from - (firstSeen.get(kid) ?? from)).toBeGreaterThanOrEqual(24 * hour);
    }
  });

  test("keys that began to sign on the same day are renewed on different days", async () => {
    const { clock, open } = world();
    const keys = open();
    const ids = Array.from({ length: 40 }, (_, n) => `reg_${n}`);
    await Promise.all(ids.map((id) => keys.signingKey(id)));
    const perDay = [];
    for (let day = 0; day < 30; day += 1) {
      clock.time += 24 * hour;
      perDay.push(
        (await Promise.all(ids.map((id) => keys.renew(id)))).filter((next) => next !== null).length,
      );
    }
    expect(perDay.reduce((sum, one) => sum + one)).toBe(40);
    expect(perDay.filter((one) => one > 0).length).toBeGreaterThanOrEqual(4);
    expect(perDay.slice(0, 23)).toEqual(Array(23).fill(0));
  });

  test("three processes renew a key once, and an interrupted renewal is completed by the next", async () => {
    const { clock, stores, open } = world();
    const first = (await open().signingKey("reg_1")).kid;
    clock.time += 30 * 24 * hour;
    const { retire } = stores.toolKeys;
    stores.toolKeys.retire = () => Promise.reject(new Error("killed"));
    await expect(open().renew("reg_1")).rejects.toThrow("killed");
    stores.toolKeys.retire = retire;
    await Promise.all([open(), open(), open()].map((keys) => keys.renew("reg_1")));
    const [next, before, ...more] = await open().list("reg_1");
    expect([before?.kid, more]).toEqual([first, []]);
    expect(before?.retiredAt).toBe((next?.usedFrom ?? 0) + 24 * hour);
    expect(await open().renew("reg_1"), "nothing is due").toBeNull();
    expect(await open().renew("reg_of_nobody"), "an LMS that was never called").toBeNull();
  });

  test("only withdrawn keys are deleted, a week later", async () => {
    const { clock, open } = world();
    const keys = open();
    await keys.signingKey("reg_1");
    const { kid } = await keys.rotate("reg_1");
    clock.time += 25 * hour + 7 * 24 * hour - 1;
    expect(await keys.sweep()).toBe(0);
    clock.time += 1;
    expect(await keys.sweep()).toBe(1);
    expect((await keys.list("reg_1")).map((key) => key.kid)).toEqual([kid]);
    expect(await keys.sweep()).toBe(0);
    const { kid: later } = await keys.rotate("reg_1");
    expect(later).not.toBe(kid);
  });

  test("a new SECRET_KEY opens what the previous one sealed, which nobody needs after resealing", async () => {
    const [old, current] = [
      "the old secret key of at least 32 bytes",
      "the new secret key of at least 32 bytes",
    ];
    const { clock, stores } = world();
    const openWith = (key: string, previous?: string) =>
      createToolKeys({
        toolKeys: stores.toolKeys,
        sealer: createSealer(key, previous),
        clock,
        ids: randomIds,
      });
    const { kid } = await openWith(old).signingKey("reg_1");
    await expect(openWith(current).signingKey("reg_1")).rejects.toMatchObject({
      code: "sealed-with-unknown-key",
    });
    expect((await openWith(current, old).signingKey("reg_1")).kid).toBe(kid);

    expect(await openWith(current).reseal()).toEqual({ resealed: 0, unreadable: [kid] });
    expect(await openWith(current, old).reseal()).toEqual({ resealed: 1, unreadable: [] });
    expect((await openWith(current).signingKey("reg_1")).kid).toBe(kid);
    await expect(openWith(old).signingKey("reg_1")).rejects.toMatchObject({
      code: "sealed-with-unknown-key",
    });
  });

  test("a sealed key moved to another key's record does not open", async () => {
    const { stores, open } = world();
    await open().signingKey("reg_1");
    await open().signingKey("reg_2");
    const [one, two] = await stores.toolKeys.list();
    if (one === undefined || two === undefined) throw new Error("two keys were made");
    await stores.toolKeys.reseal(one.kid, one.sealedPrivateKey, two.sealedPrivateKey);
    await expect(open().signingKey(one.registrationId)).rejects.toMatchObject({
      code: "sealed-with-unknown-key",
    });
  });

  test("private halves are sealed in the store and never published", async () => {
    const { stores, open } = world();
    await open().signingKey("reg_1");
    expect(JSON.stringify(await stores.toolKeys.list())).not.toMatch(/PRIVATE KEY|"d"|\\"d\\"/);
    expect(Object.keys((await open().publicKeys())[0] ?? {}).sort()).toEqual([
      "alg",
      "e",
      "kid",
      "kty",
      "n",
      "use",
    ]);
  });

  test("the key set is served with its lifetime", async () => {
    const tool = await startTool();
    const platform = await startPlatform();
    await registered(tool, platform);
    const response = await fetch(`${tool.url}/lti/keys`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toMatch(/max-age=\d+/);
    expect(await response.json()).toEqual({ keys: [] });
    tool.stores.toolKeys.list = () => Promise.reject(new Error("away"));
    expect((await fetch(`${tool.url}/lti/keys`)).status).toBe(500);
    await platform.close();
    await tool.close();
  });
});
