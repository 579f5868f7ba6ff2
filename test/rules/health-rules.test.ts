import { describe, expect, test } from "vitest";
import { addressBlock, after, leftOf, waitFor } from "../../src/modules/operations/rules/console-access.ts";
import { areMissing } from "../../src/modules/operations/rules/health.ts";
import { remembered } from "../../src/kernel/async.ts";
import { watchedFetch, type WatchedRequest } from "../../src/kernel/outside-reply.ts";
import { kindOfCall } from "../../src/lms/outside-fetch.ts";
import { requestId } from "../../src/web/request-log.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 21, 12);

describe("webhooks are missed", () => {
  const ended = [now - 10 * hour, now - 9 * hour, now - 8 * hour];

  test("when three sessions have ended since the last one, longer ago than is tolerated", () => {
    expect(areMissing({ lastAt: now - 20 * hour, endedSince: ended }, 6 * hour, now)).toBe(true);
    expect(areMissing({ lastAt: null, endedSince: ended }, 6 * hour, now)).toBe(true);
  });

  test.each([
    ["during holidays, when nothing ended", { lastAt: now - 900 * hour, endedSince: [] }],
    ["after one session that perhaps nobody attended", { lastAt: null, endedSince: ended.slice(0, 1) }],
    ["when a webhook came after them", { lastAt: now - 7 * hour, endedSince: ended }],
    ["right after they ended", { lastAt: null, endedSince: ended.map((end) => end + 5 * hour) }],
  ])("not %s", (_when, signs) => expect(areMissing(signs, 6 * hour, now)).toBe(false));
});

describe("an address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
  ])("%s is counted as %s", (address, block) => expect(addressBlock(address)).toBe(block));
});

describe("an allowance", () => {
  const allowance = { max: 10, perSecond: 2 };

  test("is used up, and refills with time up to its maximum", () => {
    let bucket = after(undefined, allowance, 10, now);
    expect(leftOf(bucket, allowance, now)).toBe(0);
    expect(waitFor(0, allowance)).toBe(500);
    expect(leftOf(bucket, allowance, now + 1_000)).toBe(2);
    expect(leftOf(bucket, allowance, now + hour)).toBe(10);
    bucket = after(bucket, allowance, -3, now);
    expect(leftOf(bucket, allowance, now)).toBe(3);
    expect(leftOf(after(bucket, allowance, -99, now), allowance, now)).toBe(10);
  });

  test("gains nothing when the clock is set back and forth", () => {
    const bucket = after(undefined, allowance, 10, now);
    const back = after(bucket, allowance, 0, now - hour);
    expect(leftOf(back, allowance, now - hour)).toBe(0);
    expect(leftOf(back, allowance, now)).toBe(0);
  });
});

describe("a remembered reading", () => {
  test("serves everybody who asks at the same time, and lasts twenty times as long as it took", async () => {
    const time = { now: 0 };
    let reads = 0;
    const ask = remembered({ clock: { now: () => time.now } }, () => {
      reads += 1;
      time.now += 5;
      return Promise.resolve(reads);
    });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    time.now = 104;
    expect(await ask()).toBe(1);
    time.now = 105;
    expect(await ask()).toBe(2);
  });

  test("lasts no longer than its maximum, however long it took", async () => {
    const time = { now: 0 };
    let reads = 0;
    const ask = remembered({ clock: { now: () => time.now }, maxMs: 2_000 }, () => {
      reads += 1;
      time.now += 3_000;
      return Promise.resolve(reads);
    });
    expect(await ask()).toBe(1);
    time.now += 1_999;
    expect(await ask()).toBe(1);
    time.now += 1;
    expect(await ask()).toBe(2);
  });

  test("is repeated in time, however the clock is set", async () => {
    const time = { now: 0, elapsed: 0 };
    let reads = 0;
    const clock = { now: () => time.now, elapsed: () => time.elapsed };
    const ask = remembered({ clock, minMs: 1_000 }, () => {
      time.now += 3_600_000;
      return Promise.resolve((reads += 1));
    });
    expect(await ask()).toBe(1);
    time.elapsed = 1_000;
    time.now = -3_600_000;
    expect(await ask()).toBe(2);
  });

  test("is repeated after a failure", async () => {
    let reads = 0;
    const ask = remembered({ clock: { now: () => 0 }, minMs: 1_000 }, () => {
      reads += 1;
      return reads === 1 ? Promise.reject(new Error("away")) : Promise.resolve("here");
    });
    await expect(ask()).rejects.toThrow("away");
    expect(await ask()).toBe("here");
  });
});

describe("a watched request", () => {
  const watch = async (answer: () => Promise<Response>) => {
    const seen: WatchedRequest[] = [];
    const watched = watchedFetch({ fetch: answer, clock: { now: () => now } }, (one) => seen.push(one));
    await watched("https://lms.example/x", { method: "POST" }).catch(() => undefined);
    return seen;
  };

  test("reports the answer", async () => {
    expect(await watch(() => Promise.resolve(new Response("")))).toMatchObject([
      { status: 200, method: "POST", askedAt: now },
    ]);
  });

  test("reports that no answer came", async () => {
    expect(await watch(() => Promise.reject(new Error("no")))).toMatchObject([{ status: null }]);
  });

  test.each([
    ["score", { "content-type": "application/vnd.ims.lis.v1.score+json" }],
    ["roster", { accept: "application/vnd.ims.lti-nrps.v2.membershipcontainer+json" }],
    ["line-item", { accept: "application/vnd.ims.lis.v2.lineitemcontainer+json" }],
    ["token", { "content-type": "application/x-www-form-urlencoded", accept: "application/json" }],
    ["other", {}],
  ] as const)("is recognized as %s by its headers", (kind, headers) => {
    expect(kindOfCall(new Headers(headers))).toBe(kind);
  });
});

describe("the id of a request", () => {
  const make = () => "made";

  test("comes from a proxy", () => {
    for (const id of ["7b0c6f1e-4d7a-4c55-9a53-0d4a3f7e2b11", "01J9Z3K4.a_b-c", "12345678"])
      expect(requestId(id, make)).toBe(id);
  });

  test.each([
    undefined,
    "",
    "short",
    "a b c d e f g h",
    "with\nline-break",
    '"quoted-text"',
    "<script>alert</script>",
    "somebody@example.org",
    "x".repeat(65),
    "-starts-with-a-dash",
  ])("is newly made when the given one is %j", (given) => expect(requestId(given, make)).toBe("made"));
});
