import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKeySets } from "../../../src/lms/key-sets.ts";
import { makeSigningKey, startPlatform, type TinyPlatform } from "../../support/signed-launch.ts";

describe("an LMS's keys", () => {
  let platform: TinyPlatform;
  let now: number;
  const open = () => createKeySets({ fetch, clock: { now: () => now, sleep: () => Promise.resolve() } });
  beforeEach(async () => {
    platform = await startPlatform();
    now = Date.now();
  });
  afterEach(() => platform.close());

  test("are fetched once for ten minutes, by all callers together", async () => {
    const keys = open();
    await Promise.all(Array.from({ length: 10 }, () => keys.keyFor(platform.jwksUrl, "platform-key-1")));
    now += 9 * 60_000;
    await keys.keyFor(platform.jwksUrl, "platform-key-1");
    expect(platform.jwks.fetches).toBe(1);
    now += 2 * 60_000;
    await keys.keyFor(platform.jwksUrl, "platform-key-1");
    expect(platform.jwks.fetches).toBe(2);
  });

  test("that were rotated are found at the first launch signed with the new one", async () => {
    const keys = open();
    await keys.keyFor(platform.jwksUrl, "platform-key-1");
    platform.keys.unshift(await makeSigningKey("platform-key-2"));
    now += 6_000;
    expect((await keys.keyFor(platform.jwksUrl, "platform-key-2")).jwk.kid).toBe("platform-key-2");
  });

  test("that nobody publishes cause one request every few seconds, however often they are named", async () => {
    const keys = open();
    for (let i = 0; i < 20; i += 1) {
      await expect(keys.keyFor(platform.jwksUrl, `made-up-${i}`)).rejects.toMatchObject({
        code: "token-key-unknown",
      });
    }
    expect(platform.jwks.fetches).toBe(1);
    now += 5_001;
    await expect(keys.keyFor(platform.jwksUrl, "made-up")).rejects.toMatchObject({
      code: "token-key-unknown",
    });
    expect(platform.jwks.fetches).toBe(2);
  });

  test("go on working for an hour while the LMS is down, and it is not asked at every launch", async () => {
    const keys = open();
    await keys.keyFor(platform.jwksUrl, "platform-key-1");
    platform.jwks.answer = "down";
    now += 11 * 60_000;
    for (let i = 0; i < 5; i += 1) await keys.keyFor(platform.jwksUrl, "platform-key-1");
    expect(platform.jwks.fetches).toBe(2);
    now += 50 * 60_000;
    await expect(keys.keyFor(platform.jwksUrl, "platform-key-1")).rejects.toMatchObject({
      code: "platform-keys-unreachable",
      temporary: true,
    });
  });

  test("of other kinds beside ours do no harm", async () => {
    platform.keys.push({ ...(await makeSigningKey("x")), jwk: { kty: "EC", kid: "ec", crv: "P-256" } });
    await open().keyFor(platform.jwksUrl, "platform-key-1");
    await expect(open().keyFor(platform.jwksUrl, "ec")).rejects.toMatchObject({ code: "token-key-unknown" });
  });
});
