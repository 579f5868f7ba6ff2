import { expect, test } from "vitest";
import { termStrip, type TermSession } from "../../src/modules/scheduling/pages/term-strip.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { createTranslator } from "../../src/web/translate.ts";

const now = Date.UTC(2026, 9, 31, 12);
const t = createTranslator()("en");
const words = { t, times: courseTimes({ timeZone: "UTC" }, "en"), now };
const hour = 3_600_000;

/** @param from Hours from now. */
const session = (from: number, facts: Partial<TermSession> = {}): TermSession => ({
  title: "Lecture",
  startsAt: now + from * hour,
  endsAt: now + (from + 1) * hour,
  cancelled: false,
  share: null,
  status: null,
  opens: null,
  ...facts,
});

test.each<[string, TermSession, object]>([
  ["half attended", session(-24, { share: 0.5, status: "1 present" }), { state: "past", filled: 50 }],
  ["over, without a record", session(-24), { state: "open", filled: 0 }],
  [
    "live",
    session(-0.5),
    { state: "live", today: true, text: "Lecture, Sat 31 Oct 2026, 11:30–12:30: On now" },
  ],
  [
    "live, with a mark already",
    session(-0.5, { share: 1, status: "1 present" }),
    { state: "live", filled: 100 },
  ],
  ["in the future", session(24), { state: "next", month: "Nov", day: "1" }],
  ["cancelled", session(-24, { cancelled: true, share: 1, status: null }), { state: "cancelled" }],
  ["without an end, an hour long", session(-2, { endsAt: null }), { state: "open" }],
  [
    "without a name",
    session(24, { title: null }),
    { text: "Session, Sun 1 Nov 2026, 12:00–13:00: Upcoming" },
  ],
])("a session %s", (_what, one, circle) => {
  expect(termStrip(words, [one])?.[0]).toMatchObject(circle);
});

test("a strip is in order of time, names each month once, and leaves out sessions without a time", () => {
  const strip = termStrip(words, [session(24), session(-48), session(-24), session(0, { startsAt: null })]);
  expect(strip?.map(({ month, day, today }) => [month, day, today])).toEqual([
    ["Oct", "29", false],
    [null, "30", false],
    ["Nov", "1", true],
  ]);
  expect(termStrip(words, [session(0, { startsAt: null })])).toBeNull();
});

test("a strip of a long term shows thirty sessions on each side of today", () => {
  const term = Array.from({ length: 100 }, (_, at) => session((at - 50) * 24));
  const strip = termStrip(words, term) ?? [];
  expect(strip).toHaveLength(60);
  expect(strip.findIndex(({ today }) => today)).toBe(30);
});
