import { describe, expect, test } from "vitest";
import { figureLimits, sessionFigures } from "../../src/classroom/read-sessions.ts";
import { figureName, unitOf, valueText } from "../../src/modules/analytics/pages/analytics-routes.ts";
import { sessionNear } from "../../src/modules/analytics/rules/session-figures.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { createTranslator } from "../../src/web/translate.ts";

const moments = ["at", "timestamp"];
const read = (entry: unknown, known: readonly string[] = []) =>
  sessionFigures(entry, moments, new Set(known));
const nothing = { figures: [], series: [], cut: false };

describe("what a classroom reports about a session, in any shape", () => {
  test.each([
    ["a number", { score: 4 }, [{ path: "score", value: 4 }]],
    [
      "figures within objects",
      { network: { rtt: { average: 81.5 } }, recorded: true },
      [
        { path: "network.rtt.average", value: 81.5 },
        { path: "recorded", value: true },
      ],
    ],
    ["the length of an unknown list", { polls: [{ question: "?" }] }, [{ path: "polls", value: 1 }]],
    ["an empty list", { polls: [] }, [{ path: "polls", value: 0 }]],
  ])("stores %s", (_what, entry, figures) => expect(read(entry)).toEqual({ ...nothing, figures }));

  test.each([[null], ["text"], [7], [{ a: null, b: "", c: "  ", d: Number.NaN }], [{}]])(
    "stores nothing of %j",
    (entry) => expect(read(entry)).toEqual(nothing),
  );

  test("leaves out the ids of the session and its Space", () => {
    expect(read({ sessionId: "s-1", spaceId: "p-1", rating: 5 }, ["s-1", "p-1"]).figures).toEqual([
      { path: "rating", value: 5 },
    ]);
  });

  test("stores only the length of a list of people", () => {
    const people = [{ userId: "u1", minutes: 42 }, { userId: "u2" }];
    expect(read({ people })).toEqual({ ...nothing, figures: [{ path: "people", value: 2 }] });
  });

  test.each([
    ["by timestamps", "2026-11-27T10:05:00Z", "2026-11-27T10:00:00Z", Date.UTC(2026, 10, 27, 10)],
    ["by seconds since the beginning", 300, 0, 0],
  ])("stores how numbers changed %s, earliest first", (_when, later, first, began) => {
    const after = { timestamp: later, present: 9, mood: "good" };
    const { series } = read({ timeline: [after, { timestamp: first, present: 4 }] });
    const points = [
      { at: began, value: 4 },
      { at: began + 300_000, value: 9 },
    ];
    expect(series).toEqual([{ path: "timeline.present", points }]);
  });

  test("stores no more than fits, and says so", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_none, n) => [`f${String(n)}`, n]));
    const figures = read(many);
    expect([figures.figures.length, figures.cut]).toEqual([figureLimits.figures, true]);
    const deep = read(JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`));
    expect(deep).toEqual({ ...nothing, cut: true });
    const long = Array.from({ length: 5_000 }, (_none, n) => ({
      at: 1_700_000_000_000 + n * 1_000,
      value: n,
    }));
    const [way] = read({ long }).series;
    expect(way?.points.length).toBeLessThanOrEqual(figureLimits.points + 1);
    expect(way?.points.at(-1)?.value, "the end is kept").toBe(4_999);
    const names = (n: number) => Array.from({ length: 50 }, (_none, at) => [`${n} ${at}`, at] as const);
    const busy = long.slice(0, 500).map(({ at }, n) => ({ at, ...Object.fromEntries(names(n)) }));
    expect(read({ busy })).toMatchObject({ cut: true, series: { length: figureLimits.series } });
  }, 15_000);
});

describe("a figure on a page", () => {
  test.each([
    ["score", "Score", ""],
    ["network.averageRttMs", "Network: Average rtt ms", "\u00a0ms"],
    ["network.packet_loss.up", "Network: Packet loss: Up", ""],
    ["device-health", "Device health", ""],
  ])("%s", (path, name, unit) => expect([figureName(path), unitOf(path)]).toEqual([name, unit]));

  test.each([
    [0.125, "0,13"],
    [true, "ja"],
    ["wifi", "wifi"],
    ["2026-13-45T99:00:00Z", "2026-13-45T99:00:00Z"],
    ["2026-11-27T10:00:00Z", expect.stringContaining("11:00")],
  ])("shows %j in the reader's form", (value, text) => {
    const t = createTranslator()("de");
    const words = { t, times: courseTimes({ timeZone: "Europe/Berlin" }, t.locale) };
    expect(valueText(words, value)).toEqual(text);
  });
});

describe("a session in the classroom belongs to the course's session", () => {
  const hour = 3_600_000;
  const session = (id: string, startsAt: number | null, endsAt: number | null, cancelled = false) => ({
    id,
    startsAt,
    endsAt,
    cancelled,
  });
  const all = [
    session("morning", 10 * hour, 11 * hour),
    session("off", 11 * hour, 12 * hour, true),
    session("noon", 11 * hour, 12 * hour),
    session("some day", null, null),
  ];
  test.each([
    ["that it overlaps most", 10.1 * hour, 11.2 * hour, "morning"],
    ["of the hour before its end, if no beginning is reported", null, 11.9 * hour, "noon"],
    ["or to none, if none took place", 15 * hour, 16 * hour, undefined],
  ])("%s", (_which, startedAt, endedAt, expected) => {
    expect(sessionNear({ startedAt, endedAt }, all)?.id).toBe(expected);
  });
});
