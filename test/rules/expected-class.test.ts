import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ExpectedClass,
  type ExpectedPerson,
  hasCome,
  insideSince,
  isBusy,
  isStillQuiet,
  latestBegins,
  likeliestFirst,
  loginNeededAt,
  nextCheckAt,
  planRetryAfter,
  rankOf,
  sessionEnd,
  usualEntry,
} from "../../src/modules/joining/rules/expected-class.ts";
import {
  loginUsableMs,
  maxLeadMs,
  preparationCallsPerSecond,
  readyLeadMs,
} from "../../src/modules/joining/rules/limits.ts";

const minuteMs = 60_000;
const ten = Date.UTC(2026, 8, 14, 10);

const coming = (id: string, minutes: number, calls: number, made = 0) => ({
  id,
  startsAt: ten + minutes * minuteMs,
  calls,
  made,
});
const minutesBefore = (begins: Map<string, number>, id: string) => (ten - (begins.get(id) ?? NaN)) / minuteMs;

describe("when a class begins to be authorized", () => {
  test.each([
    { size: 0, begins: 5 },
    { size: 40, begins: 5 + 20 / 60 },
    { size: 1_000, begins: 5 + 500 / 60 },
    { size: 4_200, begins: 40 },
    { size: 50_000, begins: 40 },
  ])("with $size calls: $begins minutes before the session", ({ size, begins }) => {
    expect(minutesBefore(latestBegins([coming("a", 0, size)]), "a")).toBeCloseTo(begins, 3);
  });

  test("two that start together share the calls, so both begin earlier", () => {
    const begins = latestBegins([coming("a", 0, 600), coming("b", 0, 600)]);
    expect(minutesBefore(begins, "a")).toBeCloseTo(15, 3);
    expect(minutesBefore(begins, "b")).toBeCloseTo(15, 3);
  });

  test("one that starts a little later makes the earlier one begin sooner, as far as needed", () => {
    const begins = latestBegins([coming("a", 0, 120), coming("b", 2, 1_200)]);
    // b: ready at 9:57, 600 s of calls, so from 9:47; a before that, 60 s.
    expect(minutesBefore(begins, "b")).toBeCloseTo(13, 3);
    expect(minutesBefore(begins, "a")).toBeCloseTo(14, 3);
  });

  test("logins fetched already are not counted again", () => {
    expect(minutesBefore(latestBegins([coming("a", 0, 1_200, 1_200)]), "a")).toBe(5);
  });

  const classes = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      startsAt: fc.integer({ min: 0, max: 24 }).map((quarter) => ten + quarter * 5 * minuteMs),
      calls: fc.integer({ min: 0, max: 3_000 }),
      made: fc.constant(0),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 12 },
  );

  test("no login expires before a quarter of an hour into its session", () => {
    fc.assert(
      fc.property(classes, (all) => {
        const begins = latestBegins(all);
        for (const { id, startsAt } of all) {
          const begin = begins.get(id) ?? -Infinity;
          expect(begin).toBeGreaterThanOrEqual(startsAt - maxLeadMs);
          expect(begin).toBeLessThanOrEqual(startsAt - readyLeadMs);
          expect(begin + loginUsableMs).toBeGreaterThanOrEqual(startsAt + 15 * minuteMs);
        }
      }),
    );
  });

  test("everybody is ready in time if forty minutes are enough, using no more calls than are left over", () => {
    fc.assert(
      fc.property(classes, (all) => {
        const begins = latestBegins(all);
        const feasible = all.every(({ id, startsAt }) => (begins.get(id) ?? 0) > startsAt - maxLeadMs);
        fc.pre(feasible);
        // The calls are made one after the other, earlier starts first, never before a class begins.
        let free = -Infinity;
        const queue = [...all].sort((a, b) => a.startsAt - b.startsAt);
        for (const one of queue) {
          free = Math.max(free, begins.get(one.id) ?? 0) + (one.calls / preparationCallsPerSecond) * 1_000;
          const rounding = all.length;
          expect(free).toBeLessThanOrEqual(one.startsAt - readyLeadMs + rounding);
        }
      }),
    );
  });
});

test.each([
  ["as reported", ten + 90 * minuteMs, 90],
  ["two hours when no end is reported", null, 120],
  ["two hours when the end is before the beginning", ten - minuteMs, 120],
  ["twelve hours at most", ten + 100 * 60 * minuteMs, 720],
])("a session's length is %s", (_what, endsAt, minutes) => {
  expect(sessionEnd({ startsAt: ten, endsAt })).toBe(ten + minutes * minuteMs);
});

test("a class that has not begun comes before one that has", () => {
  expect(rankOf({ startsAt: ten }, ten - 1)).toBeLessThan(rankOf({ startsAt: ten }, ten));
});

test("failures cause pauses from fifteen seconds to five minutes", () => {
  expect([1, 2, 3, 9, 1_000].map(planRetryAfter)).toEqual([15_000, 30_000, 60_000, 300_000, 300_000]);
});

test.each([
  ["every minute before it begins", ten - 30 * minuteMs, null, 1],
  ["every five minutes when everybody is inside", ten + 20 * minuteMs, null, 5],
  ["when a login expires, if that is earlier", ten + 20 * minuteMs, ten + 21 * minuteMs, 1],
])("a class with all its logins is checked again %s", (_when, now, refreshAt, minutes) => {
  expect(nextCheckAt({ startsAt: ten }, refreshAt, now)).toBe(now + minutes * minuteMs);
});

test.each([
  { arrived: 4, expected: 10, come: 4, busy: false, why: "four people are not enough" },
  { arrived: 5, expected: 40, come: 5, busy: true, why: "five of forty in two minutes" },
  { arrived: 5, expected: 51, come: 5, busy: false, why: "less than a tenth of the class" },
  { arrived: 20, expected: 40, come: 20, busy: true, why: "half of the class" },
  { arrived: 21, expected: 40, come: 21, busy: false, why: "most are inside already" },
  { arrived: 5, expected: 5, come: 5, busy: false, why: "everybody is inside already" },
  { arrived: 9, expected: 0, come: 0, busy: false, why: "nobody is expected" },
])("a class that many enter at once: $why: $busy", ({ busy, ...course }) =>
  expect(isBusy(course)).toBe(busy),
);

const session: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason"> = {
  id: "plan",
  startsAt: ten,
  endsAt: ten + 90 * minuteMs,
  reason: { kind: "session", eventId: "e", spaceId: "s" },
};
const busy = { ...session, reason: { kind: "busy-door" } } as const;
type Login = NonNullable<ExpectedPerson["login"]>;
const loginOf = (change: Partial<Login>): Login => ({
  plan: "plan",
  fetches: 1,
  usableUntil: ten + 45 * minuteMs,
  usedAt: null,
  ...change,
});

describe("when a login is fetched in advance", () => {
  const never = { queuedAt: null, login: null };
  test.each<[string, Pick<ExpectedPerson, "queuedAt" | "login">, number | null]>([
    ["immediately for somebody without a login", never, 0],
    ["not for somebody who came through the line", { ...never, queuedAt: ten - 14 * minuteMs }, null],
    ["for somebody who came long before", { ...never, queuedAt: ten - 16 * minuteMs }, 0],
    ["not for somebody who used their login", { ...never, login: loginOf({ usedAt: ten }) }, null],
    ["for somebody who looked in early", { ...never, login: loginOf({ usedAt: ten - 20 * minuteMs }) }, 0],
    ["not for a third time", { ...never, login: loginOf({ usedAt: ten - 20 * minuteMs, fetches: 2 }) }, null],
    ["for somebody whose login expires, when it does", { ...never, login: loginOf({}) }, ten + 44 * minuteMs],
    [
      "not for somebody whose login outlives the session",
      { ...never, login: loginOf({ usableUntil: ten + 91 * minuteMs }) },
      null,
    ],
    [
      "for somebody with a login of another session, when it expires",
      { ...never, login: loginOf({ plan: "other", fetches: 2 }) },
      ten + 44 * minuteMs,
    ],
    ["for somebody after one failure", { ...never, login: loginOf({ usableUntil: 0 }) }, 0],
    [
      "not for somebody after two failures",
      { ...never, login: loginOf({ usableUntil: 0, fetches: 2 }) },
      null,
    ],
  ])("%s", (_who, person, at) => expect(loginNeededAt(person, session)).toBe(at));

  test("at most once for everybody in a class that many enter at once", () => {
    expect(loginNeededAt({ queuedAt: null, login: loginOf({ usableUntil: 0 }) }, busy)).toBeNull();
  });

  test("never for somebody who has come, and never after the end", () => {
    const moment = fc.integer({ min: ten - 90 * minuteMs, max: ten + 120 * minuteMs });
    const person = fc.record({
      queuedAt: fc.option(moment),
      login: fc.option(
        fc.record({
          plan: fc.constantFrom("plan", "other"),
          fetches: fc.integer({ min: 0, max: 3 }),
          usableUntil: moment,
          usedAt: fc.option(moment),
        }),
      ),
    });
    fc.assert(
      fc.property(person, fc.constantFrom(session, busy), (one, plan) => {
        const at = loginNeededAt(one, plan);
        if (hasCome(one, plan)) expect(at).toBeNull();
        if (at === null) return;
        expect(at).toBeLessThan(plan.endsAt);
        if (one.login?.plan === plan.id) expect(one.login.fetches).toBeLessThan(2);
        expect(Math.max(one.queuedAt ?? 0, one.login?.usedAt ?? 0)).toBeLessThan(insideSince(plan));
      }),
    );
  });
});

describe("the order in which logins are fetched", () => {
  const member = (personId: string, role: "instructor" | "learner", lastLaunchAt: number | null) => ({
    personId,
    role,
    lastLaunchAt,
  });

  test("hosts come first, then the last here, then people who never came", () => {
    const all = [
      member("never", "learner", null),
      member("long ago", "learner", 1),
      member("new host", "instructor", null),
      member("yesterday", "learner", 9),
      member("host", "instructor", 5),
    ];
    expect(likeliestFirst(all).map(({ personId }) => personId)).toEqual([
      "host",
      "new host",
      "yesterday",
      "long ago",
      "never",
    ]);
  });

  test("people who never came are expected by the way the last host came, on a computer", () => {
    const entry = (locale: string) => ({ courseLinkId: `link ${locale}`, locale, mobile: true });
    const learner = { ...member("a", "learner", 9), lastEntry: entry("de") };
    const host = { ...member("b", "instructor", 1), lastEntry: entry("fr") };
    const silent = { ...member("c", "instructor", 5), lastEntry: null };
    expect(usualEntry([learner, host, silent])).toEqual({ ...entry("fr"), mobile: false });
    expect(usualEntry([learner, silent])).toEqual({ ...entry("de"), mobile: false });
    expect(usualEntry([silent])).toEqual({ courseLinkId: null, locale: null, mobile: false });
  });
});

describe("a course that was not busy", () => {
  const known = { at: 1_000_000, arrived: 100 };

  test.each([
    ["a moment later, with nobody more", 100, 5_000, true],
    ["with a few more", 109, 5_000, true],
    ["with a tenth more", 110, 5_000, false],
    ["after half a minute", 100, 30_000, false],
    ["after the clock was set back", 100, -30_000, false],
  ])("is left alone %s: %d people after %d ms: %s", (_when, arrived, ms, quiet) => {
    expect(isStillQuiet(known, arrived, known.at + ms)).toBe(quiet);
  });

  test("is checked when nobody has checked it yet", () => expect(isStillQuiet(undefined, 5, 0)).toBe(false));
});
