import { describe, expect, test } from "vitest";
import {
  isHere,
  presenceIn,
  type PresenceKind,
  presenceOf,
  type PresenceSign,
  seenIn,
  silenceMs,
} from "../../src/modules/presence/rules/presence.ts";

const minute = 60_000;
/** "10:02" of one day. */
const at = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return Date.UTC(2026, 9, 19, hours, minutes);
};
const sign = (clock: string, kind: PresenceKind, tab = "tab", room = "room"): PresenceSign => ({
  at: at(clock),
  kind,
  tab,
  room,
});
const clockOf = (time: number) => new Date(time).toISOString().slice(11, 16);
/** What the signs come to at a time of the day, in words. */
function told(signs: readonly PresenceSign[], now = "12:00", endedAt: string | null = null) {
  const presence = presenceOf(signs, { sessionEndedAt: endedAt === null ? null : at(endedAt), now: at(now) });
  const hidden = presence.hidden.reduce((sum, { from, to }) => sum + to - from, 0) / minute;
  return {
    stays: presence.stays.map(({ from, to, end }) => `${clockOf(from)}-${clockOf(to)} ${end}`),
    hidden,
    tabs: presence.tabs,
    here: isHere(presence),
  };
}

describe("somebody who comes and goes", () => {
  test("was in the Space in between", () => {
    expect(told([sign("10:02", "join"), sign("10:58", "leave")])).toEqual({
      stays: ["10:02-10:58 left"],
      hidden: 0,
      tabs: 1,
      here: false,
    });
  });

  test("and is told of twice and in any order, was there just the same", () => {
    const signs = [
      sign("10:02", "join"),
      sign("10:20", "hide"),
      sign("10:25", "unhide"),
      sign("10:58", "leave"),
    ];
    const straight = told(signs);
    expect(straight).toMatchObject({ stays: ["10:02-10:58 left"], hidden: 5 });
    expect(told([...signs, ...signs].toReversed())).toEqual(straight);
    expect(told([...signs.slice(2), ...signs.slice(0, 3)])).toEqual(straight);
  });

  test("comes back after a while: two stays; after a broken connection: one", () => {
    const away = [
      sign("10:00", "join", "a"),
      sign("10:20", "leave", "a"),
      sign("10:30", "join", "b"),
      sign("10:40", "leave", "b"),
    ];
    expect(told(away).stays).toEqual(["10:00-10:20 left", "10:30-10:40 left"]);
    expect(
      told(away.map((one) => (one.tab === "b" ? { ...one, at: one.at - 9 * minute } : one))).stays,
    ).toEqual(["10:00-10:31 left"]);
  });

  test("is in it now while nothing tells that they left", () => {
    expect(told([sign("10:02", "join")], "10:30")).toMatchObject({ stays: ["10:02-10:30 now"], here: true });
  });

  test("and is not told to have left, was there until the session ended at the latest", () => {
    expect(told([sign("10:02", "join")], "12:00", "10:58")).toMatchObject({
      stays: ["10:02-10:58 session-ended"],
      here: false,
    });
  });

  test("and is never heard of again, left nobody knows when", () => {
    const later = clockOf(at("10:02") + silenceMs + minute);
    expect(told([sign("10:02", "join")], later)).toMatchObject({
      stays: ["10:02-10:02 silence"],
      here: false,
    });
  });

  test("and closes the tab, which is hidden once more after it left, is gone", () => {
    expect(told([sign("10:02", "join"), sign("10:58", "leave"), sign("10:58", "hide")])).toMatchObject({
      stays: ["10:02-10:58 left"],
      here: false,
    });
    expect(
      told([sign("10:02", "join"), sign("10:58", "leave"), sign("11:10", "unhide")], "11:20"),
    ).toMatchObject({ stays: ["10:02-10:58 left"], here: false });
  });

  test("and whose coming was lost, was there from the first sign on", () => {
    expect(told([sign("10:10", "unhide"), sign("10:58", "leave")]).stays).toEqual(["10:10-10:58 left"]);
    expect(told([sign("10:58", "leave")]).stays).toEqual(["10:58-10:58 left"]);
    expect(told([sign("10:10", "hide")])).toMatchObject({ stays: [], here: false });
  });
});

describe("several tabs", () => {
  test("are one person, who is there until the last one is closed", () => {
    const signs = [
      sign("10:00", "join", "a"),
      sign("10:10", "join", "b"),
      sign("10:20", "leave", "a"),
      sign("10:50", "leave", "b"),
    ];
    expect(told(signs)).toMatchObject({ stays: ["10:00-10:50 left"], tabs: 2 });
    expect(told(signs.slice(0, 3), "10:30")).toMatchObject({ here: true });
  });

  test("are hidden when all of them are", () => {
    const signs = [
      sign("10:00", "join", "a"),
      sign("10:00", "join", "b"),
      sign("10:10", "hide", "a"),
      sign("10:20", "hide", "b"),
      sign("10:30", "unhide", "a"),
      sign("10:40", "leave", "a"),
      sign("10:50", "leave", "b"),
    ];
    expect(told(signs)).toMatchObject({ stays: ["10:00-10:50 left"], hidden: 20 });
  });

  test("stay hidden until the end when nothing tells of their coming back", () => {
    expect(told([sign("10:00", "join"), sign("10:30", "hide"), sign("11:00", "leave")])).toMatchObject({
      hidden: 30,
    });
  });
});

describe("rooms of a Space", () => {
  test("are changed without leaving it, whichever of the two webhooks is told first", () => {
    const join = sign("10:20", "join", "tab", "breakout");
    const leave = sign("10:20", "leave", "tab", "main");
    const first = sign("10:00", "join", "tab", "main");
    const last = sign("10:50", "leave", "tab", "breakout");
    expect(told([first, join, leave, last]).stays).toEqual(["10:00-10:50 left"]);
    expect(told([first, leave, join, last]).stays).toEqual(["10:00-10:50 left"]);
  });

  test("are inside each other, or not named when the Space is left", () => {
    const inside = [
      sign("10:00", "join", "tab", "main"),
      sign("10:20", "join", "tab", "breakout"),
      sign("10:40", "leave", "tab", "breakout"),
    ];
    expect(told(inside, "10:45")).toMatchObject({ here: true });
    expect(told([...inside, sign("10:50", "leave", "tab", "main")]).stays).toEqual(["10:00-10:50 left"]);
    expect(told([...inside.slice(0, 2), sign("10:30", "leave", "tab", "")]).stays).toEqual([
      "10:00-10:30 left",
    ]);
  });
});

describe("what is shown beside the attendance of a session", () => {
  const lesson = { startsAt: at("10:00"), endsAt: at("11:00") };
  const shown = (...signs: PresenceSign[]) =>
    presenceIn([presenceOf(signs, { sessionEndedAt: null, now: at("15:00") })], lesson);

  test("is the time in the Space, with what was hidden of it", () => {
    expect(
      shown(sign("10:02", "join"), sign("10:20", "hide"), sign("10:25", "unhide"), sign("10:58", "leave")),
    ).toMatchObject({ minutes: 56, hiddenMinutes: 5, tabs: 1 });
  });

  test("is nothing of another session in the same Space", () => {
    expect(shown(sign("08:00", "join"), sign("09:00", "leave"))).toBeNull();
    expect(shown(sign("11:05", "join"), sign("12:00", "leave"))).toBeNull();
  });

  test("is cut where somebody stays on from the session before, and after this one", () => {
    expect(shown(sign("08:00", "join"), sign("13:00", "leave"))).toMatchObject({
      stays: [{ from: at("09:45"), to: at("11:30"), end: "left" }],
      minutes: 105,
    });
  });

  test("has no minutes where nobody knows when they left, and is told of no session in which nothing was heard", () => {
    const lost = presenceOf([sign("08:30", "join"), sign("08:40", "hide")], {
      sessionEndedAt: at("12:30"),
      now: at("15:00"),
    });
    expect(presenceIn([lost], { startsAt: at("08:30"), endsAt: at("09:30") })).toMatchObject({
      stays: [{ from: at("08:30"), to: at("12:30"), end: "session-ended" }],
      minutes: null,
    });
    expect(presenceIn([lost], lesson)).toBeNull();
    const heard = presenceOf([sign("08:30", "join"), sign("10:10", "hide")], {
      sessionEndedAt: at("12:30"),
      now: at("15:00"),
    });
    expect(presenceIn([heard], lesson)).toMatchObject({ minutes: null });
  });

  test("goes on while they are there, also after its end", () => {
    const still = presenceOf([sign("10:02", "join")], { sessionEndedAt: null, now: at("12:00") });
    expect(presenceIn([still], lesson)).toMatchObject({ stays: [{ end: "now" }], minutes: 88 });
  });

  test("comes from all their visits", () => {
    const one = presenceOf([sign("10:00", "join"), sign("10:10", "leave")], {
      sessionEndedAt: null,
      now: at("15:00"),
    });
    const other = presenceOf([sign("10:30", "join", "b"), sign("10:50", "leave", "b")], {
      sessionEndedAt: null,
      now: at("15:00"),
    });
    expect(presenceIn([other, one], lesson)).toMatchObject({ minutes: 30, tabs: 2 });
    expect(presenceIn([other, one], lesson)?.stays).toHaveLength(2);
  });
});

describe("what is kept of a session from 10:00 to 10:50", () => {
  const session = { startsAt: at("10:00"), endsAt: at("10:50") };
  const all = [sign("09:55", "join"), sign("10:58", "leave")];
  test.each<[string, PresenceSign[], string | null, string]>([
    ["all of it", all, null, "50"],
    ["from when they came", [sign("10:08", "join"), sign("10:50", "leave")], null, "42"],
    [
      "in two tabs, once",
      [...all, sign("10:10", "join", "other"), sign("10:20", "leave", "other")],
      null,
      "50",
    ],
    [
      "in another tab of the browser, told apart",
      [...all, sign("10:10", "hide"), sign("10:20", "unhide")],
      null,
      "50, 10 hidden",
    ],
    [
      "hidden before it, which does not matter",
      [...all, sign("09:56", "hide"), sign("09:59", "unhide")],
      null,
      "50",
    ],
    ["only before it", [sign("09:00", "join"), sign("09:30", "leave")], null, "nothing"],
    ["no leaving was told", [sign("10:00", "join"), sign("10:10", "hide")], null, "10, left?"],
    ["only the end of the Space's session was told", [sign("10:05", "join")], "12:00", "45, left?"],
    [
      "no leaving was told, but they were heard of after it",
      [sign("10:05", "join"), sign("10:55", "hide"), sign("10:56", "unhide")],
      null,
      "45",
    ],
    [
      "one of two tabs may have stayed",
      [sign("09:58", "join"), sign("10:20", "join", "other"), sign("10:30", "leave", "other")],
      null,
      "30, left?",
    ],
    [
      "a tab whose joining was not told",
      [...all.slice(0, 1), sign("10:10", "leave"), sign("10:40", "leave", "other")],
      null,
      "10, came?",
    ],
    [
      "it left before it first joined, as far as told",
      [sign("10:10", "leave"), sign("10:20", "join"), sign("10:50", "leave")],
      null,
      "30, came?",
    ],
  ])("%s", (_what, signs, endedAt, expected) => {
    const presence = presenceOf(signs, {
      sessionEndedAt: endedAt === null ? null : at(endedAt),
      now: at("18:00"),
    });
    const seen = seenIn([presence], session);
    const words = [
      seen === null ? "nothing" : String(seen.ms / minute),
      ...(seen?.hiddenMs === undefined ? [] : [`${seen.hiddenMs / minute} hidden`]),
      ...(seen?.leftUnknown === true ? ["left?"] : []),
      ...(seen?.cameUnknown === true ? ["came?"] : []),
    ];
    expect(words.join(", ")).toBe(expected);
  });

  test("somebody with two users was there once", () => {
    const own = presenceOf(all, { sessionEndedAt: null, now: at("18:00") });
    expect(seenIn([own, own], session)?.ms).toBe(50 * minute);
  });
});
