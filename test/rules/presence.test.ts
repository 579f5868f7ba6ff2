import { describe, expect, test } from "vitest";
import { z } from "zod";
import { presenceBar } from "../../src/modules/presence/pages/presence-view.ts";
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
/** "10:02" on one day. */
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
const kinds = z.enum(["join", "leave", "hide", "unhide"]);
/** "10:02 join, 10:58 leave b": in one tab, unless another is named. */
const signs = (text: string): PresenceSign[] =>
  text.split(", ").map((one) => {
    const [clock = "", kind, tab] = one.split(" ");
    return sign(clock, kinds.parse(kind), tab);
  });
const clockOf = (time: number) => new Date(time).toISOString().slice(11, 16);
/** The presence that the signs give at a time of the day, in words. */
function told(of: readonly PresenceSign[], now = "12:00", endedAt: string | null = null) {
  const presence = presenceOf(of, { sessionEndedAt: endedAt === null ? null : at(endedAt), now: at(now) });
  const hidden = presence.hidden.reduce((sum, { from, to }) => sum + to - from, 0) / minute;
  return {
    stays: presence.stays.map(({ from, to, end }) => `${clockOf(from)}-${clockOf(to)} ${end}`),
    hidden,
    tabs: presence.tabs,
    here: isHere(presence),
  };
}

describe("somebody who joins a Space", () => {
  test("and leaves it was there in between", () => {
    expect(told(signs("10:02 join, 10:58 leave"))).toEqual({
      stays: ["10:02-10:58 left"],
      hidden: 0,
      tabs: 1,
      here: false,
    });
  });

  test("is counted the same if reports come twice or in any order", () => {
    const all = signs("10:02 join, 10:20 hide, 10:25 unhide, 10:58 leave");
    const straight = told(all);
    expect(straight).toMatchObject({ stays: ["10:02-10:58 left"], hidden: 5 });
    expect(told([...all, ...all].toReversed())).toEqual(straight);
    expect(told([...all.slice(2), ...all.slice(0, 3)])).toEqual(straight);
  });

  test("and comes back has two stays, or one after a broken connection", () => {
    const away = signs("10:00 join a, 10:20 leave a, 10:30 join b, 10:40 leave b");
    expect(told(away).stays).toEqual(["10:00-10:20 left", "10:30-10:40 left"]);
    expect(
      told(away.map((one) => (one.tab === "b" ? { ...one, at: one.at - 9 * minute } : one))).stays,
    ).toEqual(["10:00-10:31 left"]);
  });

  test("is there until something reports that they left", () => {
    expect(told(signs("10:02 join"), "10:30")).toMatchObject({ stays: ["10:02-10:30 now"], here: true });
  });

  test("and is not reported to have left was there until the session ended at the latest", () => {
    expect(told(signs("10:02 join"), "12:00", "10:58")).toMatchObject({
      stays: ["10:02-10:58 session-ended"],
      here: false,
    });
  });

  test("and is never heard of again left at an unknown time", () => {
    const later = clockOf(at("10:02") + silenceMs + minute);
    expect(told(signs("10:02 join"), later)).toMatchObject({ stays: ["10:02-10:02 silence"], here: false });
  });

  test("and closes the tab is gone, even if the tab reports being hidden after that", () => {
    expect(told(signs("10:02 join, 10:58 leave, 10:58 hide"))).toMatchObject({
      stays: ["10:02-10:58 left"],
      here: false,
    });
    expect(told(signs("10:02 join, 10:58 leave, 11:05 leave, 11:10 unhide"), "11:20")).toMatchObject({
      stays: ["10:02-10:58 left"],
      here: false,
    });
  });

  test("and whose arrival was lost was there from the first report on", () => {
    expect(told(signs("10:10 unhide, 10:58 leave")).stays).toEqual(["10:10-10:58 left"]);
    expect(told(signs("10:50 leave, 10:58 leave")).stays).toEqual(["10:50-10:50 left"]);
    expect(told(signs("10:10 hide"))).toMatchObject({ stays: [], here: false });
  });
});

describe("several tabs", () => {
  test("count as one person, who is there until the last tab is closed", () => {
    const all = signs("10:00 join a, 10:10 join b, 10:20 leave a, 10:50 leave b");
    expect(told(all)).toMatchObject({ stays: ["10:00-10:50 left"], tabs: 2 });
    expect(told(all.slice(0, 3), "10:30")).toMatchObject({ here: true });
  });

  test("end with the session when one was closed and the other never reported again", () => {
    const all = signs("10:00 join a, 10:10 join b, 10:58 leave a");
    expect(told(all, "12:00", "10:58").stays).toEqual(["10:00-10:58 session-ended"]);
  });

  test("are hidden while all of them are", () => {
    const all = signs(
      "10:00 join a, 10:00 join b, 10:10 hide a, 10:20 hide b, 10:30 unhide a, 10:40 leave a, 10:50 leave b",
    );
    expect(told(all)).toMatchObject({ stays: ["10:00-10:50 left"], hidden: 20 });
  });

  test("stay hidden until the end if nothing reports their return", () => {
    expect(told(signs("10:00 join, 10:30 hide, 11:00 leave"))).toMatchObject({ hidden: 30 });
  });
});

describe("rooms of a Space", () => {
  test("are changed without leaving the Space, in either order of the two webhooks", () => {
    const join = sign("10:20", "join", "tab", "breakout");
    const leave = sign("10:20", "leave", "tab", "main");
    const first = sign("10:00", "join", "tab", "main");
    const last = sign("10:50", "leave", "tab", "breakout");
    expect(told([first, join, leave, last]).stays).toEqual(["10:00-10:50 left"]);
    expect(told([first, leave, join, last]).stays).toEqual(["10:00-10:50 left"]);
  });

  test("can be nested, or unnamed when somebody leaves the Space", () => {
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

describe("the presence shown beside a session's attendance", () => {
  const lesson = { startsAt: at("10:00"), endsAt: at("11:00") };
  const shown = (text: string) =>
    presenceIn([presenceOf(signs(text), { sessionEndedAt: null, now: at("15:00") })], lesson);

  test("is the time in the Space, with the hidden part", () => {
    expect(shown("10:02 join, 10:20 hide, 10:25 unhide, 10:58 leave")).toMatchObject({
      minutes: 56,
      hiddenMinutes: 5,
      tabs: 1,
    });
  });

  test("excludes other sessions in the same Space", () => {
    expect(shown("08:00 join, 09:00 leave")).toBeNull();
    expect(shown("11:05 join, 12:00 leave")).toBeNull();
  });

  test("is cut at both ends for somebody who stays before and after the session", () => {
    expect(shown("08:00 join, 13:00 leave")).toMatchObject({
      stays: [{ from: at("09:45"), to: at("11:30"), end: "left" }],
      minutes: 105,
    });
  });

  test("has no minutes if the end is unknown, and does not exist without reports", () => {
    const lost = presenceOf(signs("08:30 join, 08:40 hide"), {
      sessionEndedAt: at("12:30"),
      now: at("15:00"),
    });
    expect(presenceIn([lost], { startsAt: at("08:30"), endsAt: at("09:30") })).toMatchObject({
      stays: [{ from: at("08:30"), to: at("12:30"), end: "session-ended" }],
      minutes: null,
    });
    expect(presenceIn([lost], lesson)).toBeNull();
    const heard = presenceOf(signs("08:30 join, 10:10 hide"), {
      sessionEndedAt: at("12:30"),
      now: at("15:00"),
    });
    expect(presenceIn([heard], lesson)).toMatchObject({ minutes: null });
  });

  test("continues while they are there, even after the session's end", () => {
    const still = presenceOf(signs("10:02 join"), { sessionEndedAt: null, now: at("12:00") });
    expect(presenceIn([still], lesson)).toMatchObject({ stays: [{ end: "now" }], minutes: 88 });
  });

  test("adds up all their visits", () => {
    const one = presenceOf(signs("10:00 join, 10:10 leave"), { sessionEndedAt: null, now: at("15:00") });
    const other = presenceOf(signs("10:30 join b, 10:50 leave b"), {
      sessionEndedAt: null,
      now: at("15:00"),
    });
    expect(presenceIn([other, one], lesson)).toMatchObject({ minutes: 30, tabs: 2 });
    expect(presenceIn([other, one], lesson)?.stays).toHaveLength(2);
  });
});

describe("the presence stored for a session from 10:00 to 10:50", () => {
  const session = { startsAt: at("10:00"), endsAt: at("10:50") };
  const all = signs("09:55 join, 10:58 leave");
  test.each<[string, PresenceSign[], string | null, string]>([
    ["the whole session", all, null, "50"],
    ["from when they came", signs("10:08 join, 10:50 leave"), null, "42"],
    ["two tabs count once", [...all, ...signs("10:10 join other, 10:20 leave other")], null, "50"],
    [
      "time in another tab of the browser, listed apart",
      [...all, ...signs("10:10 hide, 10:20 unhide")],
      null,
      "50, 10 hidden",
    ],
    ["time hidden before the session", [...all, ...signs("09:56 hide, 09:59 unhide")], null, "50"],
    ["only before it", signs("09:00 join, 09:30 leave"), null, "nothing"],
    ["a tab that was hidden before it joined", signs("10:00 hide, 10:05 join, 10:50 leave"), null, "45"],
    ["no report of leaving", signs("10:00 join, 10:10 hide"), null, "10, left?"],
    ["only the end of the Space's session was reported", signs("10:05 join"), "12:00", "45, left?"],
    [
      "no report of leaving, but a report after the session",
      signs("10:05 join, 10:55 hide, 10:56 unhide"),
      null,
      "45",
    ],
    [
      "one of two tabs may have stayed",
      signs("09:58 join, 10:20 join other, 10:30 leave other"),
      null,
      "30, left?",
    ],
    [
      "a tab that never reported joining",
      [...all.slice(0, 1), ...signs("10:10 leave, 10:40 leave other")],
      null,
      "10, came?",
    ],
    [
      "a tab that reported leaving before joining",
      signs("10:10 leave, 10:20 join, 10:50 leave"),
      null,
      "30, came?",
    ],
  ])("%s", (_what, of, endedAt, expected) => {
    const presence = presenceOf(of, {
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

  test("somebody with two users is counted once", () => {
    const own = presenceOf(all, { sessionEndedAt: null, now: at("18:00") });
    expect(seenIn([own, own], session)?.ms).toBe(50 * minute);
  });
});

describe("the bar of a person's stays", () => {
  const session = { startsAt: at("10:00"), endsAt: at("11:00") };
  test.each([
    ["begins when they came", ["10:15-10:45"], 25, "25+50"],
    ["has each stay", ["10:00-10:30", "10:36-11:00"], 0, "0+50 60+40"],
    ["stays within the session", ["09:50-11:20"], 0, "0+100"],
    ["is visible after a moment's stay", ["10:30-10:30"], 50, "50+1"],
  ])("%s", (_what, stays, cameAt, expected) => {
    const times = stays.map((one) => {
      const [from = "", to = ""] = one.split("-");
      return { from: at(from), to: at(to) };
    });
    const bar = presenceBar(times, session, true);
    const spans = bar?.spans.map(({ from, size }) => `${from}+${size}`).join(" ");
    expect([bar?.cameAt, spans]).toEqual([cameAt, expected]);
  });

  test.each([
    ["somebody who was not there", [], session],
    [
      "a session without length",
      [{ from: at("10:00"), to: at("10:30") }],
      { ...session, endsAt: session.startsAt },
    ],
  ])("is missing for %s", (_what, stays, times) => {
    expect(presenceBar(stays, times, true)).toBeNull();
  });
});
