import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { courseRightsOf } from "../../src/domain/course-rights.ts";
import {
  entryStateAt,
  type EntryWindowEvent,
  type EntryFacts,
  type EntryWindow,
  minutesFrom,
  alwaysOpen,
} from "../../src/domain/entry.ts";

const minute = 60_000;
const at = (clock: string) => Date.parse(`2026-11-23T${clock}:00Z`);
const around: EntryWindow = { ...alwaysOpen, opens: "around-sessions" };
const lesson = (from: string, to: string | null, cancelled = false): EntryWindowEvent => ({
  startsAt: at(from),
  endsAt: to === null ? null : at(to),
  cancelled,
});

function stands(facts: Partial<EntryFacts>) {
  return entryStateAt({
    entryWindow: around,
    role: "learner",
    staysOut: false,
    sectionIds: null,
    events: [],
    oneSession: false,
    now: at("10:00"),
    ...facts,
  });
}

/** "open" or "closed", why, and until or from when. */
function inShort(facts: Partial<EntryFacts>): string {
  const state = stands(facts);
  const time = state.state === "open" ? state.until : state.because === "early" ? state.opensAt : null;
  const said = time === null ? "" : ` ${new Date(time).toISOString().slice(11, 16)}`;
  return `${state.state}: ${state.because}${said}`;
}

describe("an entry window around sessions", () => {
  const one = [lesson("11:00", "12:00")];
  test.each([
    ["10:44", "closed: early 10:45"],
    ["10:45", "open: session 12:15"],
    ["11:30", "open: session 12:15"],
    ["12:14", "open: session 12:15"],
    ["12:15", "open: no-session"],
  ])("around a session from 11:00 to 12:00, at %s: %s", (clock, expected) => {
    expect(inShort({ events: one, now: at(clock) })).toBe(expected);
  });

  test("does not open a millisecond early", () => {
    const opensAt = at("10:45");
    expect(stands({ events: one, now: opensAt - 1 })).toEqual({ state: "closed", because: "early", opensAt });
    expect(stands({ events: one, now: opensAt }).state).toBe("open");
    expect(stands({ events: one, now: at("12:15") - 1 })).toMatchObject({ because: "session" });
  });

  test("never keeps out staff, but guests if the course says so", () => {
    expect(stands({ staysOut: true, events: [] })).toEqual({ state: "closed", because: "guests" });
    expect(stands({ staysOut: true, role: "instructor" })).toMatchObject({ because: "host" });
  });

  test.each<[string, readonly EntryWindowEvent[], string]>([
    ["no session is known", [], "open: no-session"],
    ["all known sessions are over", [lesson("07:00", "08:00")], "open: no-session"],
    ["the only session was cancelled", [lesson("11:00", "12:00", true)], "open: no-session"],
    [
      "a cancelled session comes before another",
      [lesson("10:00", "11:00", true), lesson("13:00", "14:00")],
      "closed: early 12:45",
    ],
    [
      "one session is over and another is coming",
      [lesson("13:00", "14:00"), lesson("07:00", "08:00")],
      "closed: early 12:45",
    ],
    [
      "two sessions are coming, the later one listed first",
      [lesson("15:00", "16:00"), lesson("11:00", "12:00")],
      "closed: early 10:45",
    ],
    ["two sessions overlap", [lesson("09:00", "10:30"), lesson("09:30", "11:30")], "open: session 11:45"],
    [
      "the entry windows of two sessions touch",
      [lesson("09:00", "09:45"), lesson("10:15", "11:00")],
      "open: session 11:15",
    ],
    ["a session has no time", [{ startsAt: null, endsAt: null, cancelled: false }], "open: session-untimed"],
    [
      "a session without a time precedes another",
      [{ startsAt: null, endsAt: null, cancelled: false }, lesson("13:00", "14:00")],
      "open: session-untimed",
    ],
    [
      "a cancelled session without a time precedes another",
      [{ startsAt: null, endsAt: null, cancelled: true }, lesson("13:00", "14:00")],
      "closed: early 12:45",
    ],
    ["a session has begun and its end is unknown", [lesson("09:00", null)], "open: session 09:15"],
    ["a session without an end is coming", [lesson("11:00", null)], "closed: early 10:45"],
    ["a session ends before it begins", [lesson("10:10", "09:00")], "open: session 10:25"],
  ])("when %s", (_what, events, expected) => expect(inShort({ events })).toBe(expected));

  test("counts a session without an end for a day", () => {
    const events = [lesson("09:00", null)];
    const dayLater = at("09:15") + 24 * 60 * minute;
    expect(stands({ events, now: dayLater - 1 })).toMatchObject({ because: "session" });
    expect(stands({ events, now: dayLater })).toMatchObject({ because: "no-session" });
  });

  test("without minutes around it opens and closes with the session itself", () => {
    const entryWindow = { ...around, minutesBefore: 0, minutesAfter: 0 };
    const events = [lesson("10:00", "11:00")];
    expect(stands({ entryWindow, events, now: at("10:00") - 1 }).state).toBe("closed");
    expect(stands({ entryWindow, events, now: at("10:00") }).state).toBe("open");
    expect(stands({ entryWindow, events, now: at("11:00") })).toMatchObject({ because: "no-session" });
  });

  test("gives no opening time for a session without length and without minutes around it", () => {
    const entryWindow = { ...around, minutesBefore: 0, minutesAfter: 0 };
    const events = [lesson("10:00", "10:00"), lesson("11:00", "12:00")];
    expect(stands({ entryWindow, events, now: at("09:00") })).toMatchObject({ opensAt: at("11:00") });
  });

  test("is never closed during a session, and opens when it said it would", () => {
    const time = fc.integer({ min: 0, max: 10_000 });
    const event = fc.record({ startsAt: time, endsAt: fc.option(time), cancelled: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        time,
        fc.nat(1_440),
        fc.nat(1_440),
        (minutes, nowMinute, minutesBefore, minutesAfter) => {
          const events = minutes.map(({ startsAt, endsAt, cancelled }) => ({
            startsAt: startsAt * minute,
            endsAt: endsAt === null ? null : endsAt * minute,
            cancelled,
          }));
          const entryWindow = { ...around, minutesBefore, minutesAfter };
          const now = nowMinute * minute;
          const state = stands({ entryWindow, events, now });
          const on = events.some(
            ({ startsAt, endsAt, cancelled }) =>
              !cancelled && startsAt <= now && endsAt !== null && now < endsAt,
          );
          if (on) expect(state.state).toBe("open");
          if (state.state === "closed" && state.because === "early") {
            expect(state.opensAt).toBeGreaterThan(now);
            expect(stands({ entryWindow, events, now: state.opensAt }).state).toBe("open");
            expect(stands({ entryWindow, events, now: state.opensAt - 1 }).state).toBe("closed");
          }
        },
      ),
    );
  });
});

describe("a link for one session", () => {
  const only = { oneSession: true };
  test.each<[string, readonly EntryWindowEvent[], string]>([
    ["is coming", [lesson("11:00", "12:00")], "closed: early 10:45"],
    ["is on", [lesson("09:30", "10:30")], "open: session 10:45"],
    ["is over", [lesson("08:00", "09:00")], "closed: over"],
    ["was cancelled", [lesson("11:00", "12:00", true)], "closed: cancelled"],
    ["was deleted", [{ ...lesson("11:00", "12:00", true), deleted: true }], "closed: deleted"],
    ["is unknown", [], "open: no-session"],
    ["has no time", [{ startsAt: null, endsAt: null, cancelled: false }], "open: session-untimed"],
  ])("that %s", (_what, events, expected) => expect(inShort({ ...only, events })).toBe(expected));

  test("lets people in at any time unless it opens around the session", () => {
    expect(inShort({ ...only, events: [lesson("08:00", "09:00")], entryWindow: alwaysOpen })).toBe(
      "open: always",
    );
  });
});

describe("an entry window for some sections", () => {
  const forOne: EntryWindow = { ...alwaysOpen, sectionIds: ["1", "2"] };
  test.each<[string, readonly string[] | null, string]>([
    ["in one of them", ["1"], "open: always"],
    ["in one of them and in another", ["9", "2"], "open: always"],
    ["in another section", ["9"], "closed: other-sections"],
    ["in a section whose id only begins the same", ["11"], "closed: other-sections"],
    ["in no section, as the LMS says", [], "closed: other-sections"],
    ["whose sections the LMS does not send", null, "open: always"],
  ])("and a learner %s", (_who, sectionIds, expected) => {
    expect(inShort({ entryWindow: forOne, sectionIds })).toBe(expected);
  });

  test("says who it is for before saying when it opens", () => {
    const entryWindow: EntryWindow = { ...around, sectionIds: ["1"] };
    const events = [lesson("11:00", "12:00")];
    expect(stands({ entryWindow, sectionIds: ["9"], events })).toEqual({
      state: "closed",
      because: "other-sections",
      sectionIds: ["1"],
    });
    expect(inShort({ entryWindow, sectionIds: ["1"], events })).toBe("closed: early 10:45");
  });
});

describe("an entry window that is closed for a learner", () => {
  const membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
  const shut: Partial<EntryFacts> = {
    entryWindow: { ...around, sectionIds: ["1"] },
    sectionIds: ["9"],
    events: [lesson("11:00", "12:00")],
  };
  test.each([
    ["an instructor", `${membership}#Instructor`, "open: host"],
    ["a teaching assistant", `${membership}/Instructor#TeachingAssistant`, "open: host"],
    ["a teaching assistant by the short role of Canvas", `${membership}#Instructor`, "open: host"],
    ["an administrator of the course", `${membership}#Administrator`, "open: host"],
    ["a learner who instructs others", `${membership}/Learner#Instructor`, "closed: other-sections"],
    ["a mentor", `${membership}#Mentor`, "closed: other-sections"],
  ])("may be open for %s", (_who, role, expected) => {
    expect(inShort({ ...shut, role: courseRightsOf([role]).role })).toBe(expected);
  });
});

test.each([
  ["0", 0],
  [" 15 ", 15],
  ["1440", 1_440],
  ["1441", null],
  ["9999999999", null],
  ["-1", null],
  ["1.5", null],
  ["1e3", null],
  ["0x10", null],
  ["", null],
  ["ten", null],
  ["١٥", 15],
])("minutes typed as %j are %s", (typed, minutes) => expect(minutesFrom(typed)).toBe(minutes));
