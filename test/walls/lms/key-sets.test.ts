import { exportJWK, generateKeyPair } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKeySets, type KeySets, type LaunchAlgorithm } from "../../../src/lms/key-sets.ts";
import { makeSigningKey, startPlatform, type TinyPlatform } from "../../support/stand-ins/signed-launch.ts";

describe("an LMS's keys", () => {
  let platform: TinyPlatform;
  let now: number;
  const open = () => createKeySets({ fetch, clock: { now: () => now, sleep: () => Promise.resolve() } });
  beforeEach(async () => {
    platform = await startPlatform();
    now = Date.now();
  });
  afterEach(() => platform.close());

  test("are fetched once in ten minutes, by all callers together", async () => {
    const keys = open();
    await Promise.all(Array.from({ length: 10 }, () => keys.keyFor(platform.jwksUrl, "platform-key-1")));
    now += 9 * 60_000;
    await keys.keyFor(platform.jwksUrl, "platform-key-1");
    expect(platform.jwks.fetches).toBe(1);
    now += 2 * 60_000;
    await keys.keyFor(platform.jwksUrl, "platform-key-1");
    expect(platform.jwks.fetches).toBe(2);
  });

  test("are found immediately if they were rotated right after they were fetched, however often", async () => {
    const keys = open();
    await keys.keyFor(platform.jwksUrl, "platform-key-1");
    for (const kid of ["platform-key-2", "platform-key-3"]) {
      platform.keys.unshift(await makeSigningKey(kid));
      expect((await keys.keyFor(platform.jwksUrl, kid)).jwk.kid).toBe(kid);
    }
    expect(platform.jwks.fetches).toBe(3);
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

  test("keep working for an hour while the LMS is down, without a request at every launch", async () => {
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

  test("of unknown kinds do no harm", async () => {
    platform.keys.push({ ...(await makeSigningKey("x")), jwk: { kty: "EC", kid: "ec", crv: "P-256" } });
    await open().keyFor(platform.jwksUrl, "platform-key-1");
    await expect(open().keyFor(platform.jwksUrl, "ec")).rejects.toMatchObject({ code: "token-key-unknown" });
  });
});

describe("how long an LMS's keys are cached", () => {
  /** A key set served without a network, with this Cache-Control header. */
  const serving = async (cacheControl: string) => {
    const key = await makeSigningKey("k");
    const state = { now: Date.now(), fetches: 0, down: false };
    const keys = createKeySets({
      clock: { now: () => state.now, sleep: () => Promise.resolve() },
      fetch: () => {
        state.fetches += 1;
        const headers = { "cache-control": cacheControl };
        const answer = () => Response.json({ keys: [key.jwk] }, { headers });
        return state.down ? Promise.reject(new Error("down")) : Promise.resolve(answer());
      },
    });
    return { state, ask: () => keys.keyFor("https://lms.test/jwks", "k") };
  };
  const minute = 60_000;
  test.each([
    ["max-age=3600", 59 * minute, 61 * minute],
    ["public, MAX-AGE=120, immutable", 1.9 * minute, 2.1 * minute],
    ["max-age=0, must-revalidate", 0.9 * minute, 1.1 * minute],
    ["no-store, no-cache, must-revalidate", 9 * minute, 11 * minute],
    ["s-maxage=5", 9 * minute, 11 * minute],
    ["max-age=99999999", 23.9 * 60 * minute, 24.1 * 60 * minute],
    ["max-age=soon", 9 * minute, 11 * minute],
  ])("%s is followed within limits", async (cacheControl, stillFresh, notAnyMore) => {
    const { state, ask } = await serving(cacheControl);
    const began = state.now;
    await ask();
    state.now = began + stillFresh;
    await ask();
    expect(state.fetches).toBe(1);
    state.now = began + notAnyMore;
    await ask();
    expect(state.fetches).toBe(2);
  });

  test("an answer without a usable key does not replace the keys that worked", async () => {
    const key = await makeSigningKey("k");
    const answers = [{ keys: [key.jwk] }, { keys: [] }, { keys: "none" }, null, { error: "maintenance" }];
    let now = Date.now();
    const keys = createKeySets({
      clock: { now: () => now, sleep: () => Promise.resolve() },
      fetch: () => Promise.resolve(Response.json(answers.shift())),
    });
    for (let left = answers.length; left > 0; left -= 1) {
      expect((await keys.keyFor("https://lms.test/jwks", "k")).jwk.kid).toBe("k");
      now += 11 * minute;
    }
    expect(answers).toEqual([]);
  });

  test("a withdrawn key stops working with the next set", async () => {
    const [old, next] = [await makeSigningKey("old"), await makeSigningKey("next")];
    let now = Date.now();
    let published = [old.jwk, next.jwk];
    const keys = createKeySets({
      clock: { now: () => now, sleep: () => Promise.resolve() },
      fetch: () => Promise.resolve(Response.json({ keys: published })),
    });
    await keys.keyFor("https://lms.test/jwks", "old");
    published = [next.jwk];
    now += 11 * minute;
    await keys.keyFor("https://lms.test/jwks", "next");
    await expect(keys.keyFor("https://lms.test/jwks", "old")).rejects.toMatchObject({
      code: "token-key-unknown",
    });
  });
});

describe("which published keys count", () => {
  const publish = (entries: unknown[], body: (keys: unknown[]) => unknown = (keys) => ({ keys })) =>
    createKeySets({
      clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
      fetch: () => Promise.resolve(Response.json(body(entries))),
    });
  const find = (keys: KeySets, algorithm?: LaunchAlgorithm) =>
    keys.keyFor("https://lms.test/jwks", "k", algorithm);
  const rsa = async (): Promise<Record<string, unknown>> => ({ ...(await makeSigningKey("k")).jwk });
  const good = async () => (await makeSigningKey("good")).jwk;

  const useless: [string, (key: Record<string, unknown>) => Record<string, unknown>][] = [
    ["a symmetric key", () => ({ kty: "oct", k: "c2VjcmV0", kid: "k", alg: "HS256" })],
    ["a key for encryption", (key) => ({ ...key, use: "enc" })],
    ["a key for signing only", (key) => ({ ...key, key_ops: ["sign"] })],
    ["a key without a name", ({ kid: _kid, ...key }) => key],
    ["a key whose name is a number", (key) => ({ ...key, kid: 1 })],
    ["a key whose private half is published", (key) => ({ ...key, d: "AQAB" })],
    ["a key without its number", ({ n: _n, ...key }) => key],
    ["a key of 65,536 bits", (key) => ({ ...key, n: "x".repeat(10_923) })],
    ["a key with an endless exponent", (key) => ({ ...key, e: "x".repeat(400) })],
    ["a key that is not base64url", (key) => ({ ...key, n: "+/=".repeat(150) })],
    ["a key of a kind nobody knows", () => ({ kty: "AKP", kid: "k", pub: "x" })],
  ];
  test.each(useless)("%s is left out, and the others work", async (_name, bend) => {
    const keys = publish([null, 7, [], bend(await rsa()), await good()]);
    await expect(find(keys)).rejects.toMatchObject({ code: "token-key-unknown" });
    expect((await keys.keyFor("https://lms.test/jwks", "good")).jwk).toMatchObject({ kid: "good" });
  });

  test("a point that is not on its curve verifies nothing", async () => {
    const keys = publish([{ kty: "EC", kid: "k", crv: "P-256", x: "AAAA", y: "AAAA" }]);
    await expect(find(keys, "ES256")).rejects.toMatchObject({ code: "token-algorithm" });
  });

  test("a key without alg and use counts for every algorithm of its type", async () => {
    const { alg: _alg, use: _use, ...key } = await rsa();
    const keys = publish([key]);
    for (const algorithm of ["RS256", "RS384", "RS512"] as const) {
      expect((await find(keys, algorithm)).jwk).toMatchObject({ kty: "RSA", alg: algorithm });
    }
    await expect(find(keys, "ES256")).rejects.toMatchObject({ code: "token-algorithm" });
  });

  test("an RSA and an EC key may share an id", async () => {
    const pair = await generateKeyPair("ES256", { extractable: true });
    const keys = publish([{ ...(await exportJWK(pair.publicKey)), kid: "k" }, await rsa()]);
    expect((await find(keys, "RS256")).jwk.kty).toBe("RSA");
    expect((await find(keys, "ES256")).jwk.kty).toBe("EC");
  });

  test("only a key's public numbers are kept", async () => {
    const { jwk } = await find(publish([{ ...(await rsa()), x5u: "https://evil.example", k: "secret" }]));
    expect(Object.keys(jwk).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
  });

  test("only the first thousand entries of an endless set count", async () => {
    const key = await rsa();
    const filler = Array.from({ length: 999 }, () => ({ kty: "oct" }));
    expect((await find(publish([...filler, key]))).jwk.kid).toBe("k");
    await expect(find(publish([...filler, await good(), key]))).rejects.toMatchObject({
      code: "token-key-unknown",
    });
  });

  test("a set of more than 256 kilobytes is not read to the end", async () => {
    const keys = publish([await rsa()], (list) => ({ keys: list, filler: "x".repeat(300_000) }));
    await expect(find(keys)).rejects.toMatchObject({ code: "platform-keys-unreachable" });
  });
});
