import { describe, expect, test } from "vitest";
import {
  classesAmong,
  isPlanned,
  type PlannedTime,
  type Visit,
  type VisitorRole,
} from "../../src/modules/unplanned/rules/found-class.ts";

const minute = 60_000;
const breakMs = 15 * minute;
/** Wednesday, 25 November 2026, in UTC. */
const at = (clock: string, day = 25): number => Date.parse(`2026-11-${day}T${clock.padEnd(8, ":00")}Z`);

const staff = (from: string, to: string): Visit => ({
  who: "teacher",
  role: "staff",
  from: at(from),
  to: at(to),
  open: null,
});
/** "10:00-11:00"; "10:00-11:00?" if only the end of the Space's session is known; "10:00-?" if that is unknown, too. */
function stayOf(who: string, role: VisitorRole, times: string): Visit {
  const [begins = "", ends = ""] = times.split("-");
  const from = at(begins);
  if (ends === "?")
    return { who, role, from, to: from, open: { heardAt: from, latest: from + 240 * minute } };
  const to = at(ends.replace("?", ""));
  return { who, role, from, to, open: ends.endsWith("?") ? { heardAt: from, latest: to } : null };
}
/** "ada ben 10:00-11:00": each of them; the teacher is staff unless another role is given. */
const visitsOf = (text: string): Visit[] =>
  text.split(", ").flatMap((part) => {
    const [, names = "", times = "", said] = /^([a-z ]+) (\S+)(?: (other))?$/.exec(part) ?? [];
    return names.split(" ").map((who) => {
      const role = who === "stranger" ? "stranger" : who === "teacher" ? "staff" : "learner";
      return stayOf(who, said === "other" ? "other" : role, times);
    });
  });
/** The first line names the case; below are the people with their times, and the resulting classes. */
function classes(table: string): [what: string, visits: Visit[], expected: string[]][] {
  return table
    .trim()
    .split(/\n {2}(?=\S)/)
    .map((row) => {
      const [what = "", visits = "", expected = ""] = row.split(/\n +| -> /);
      return [
        what,
        visits === "nobody" ? [] : visitsOf(visits),
        expected === "none" ? [] : expected.split(", "),
      ];
    });
}

/** "10:02-10:58 24 staff" */
const told = (visits: readonly Visit[], planned: readonly PlannedTime[] = []): string[] =>
  classesAmong(visits, planned, breakMs).map(({ startsAt, endsAt, learners, led }) => {
    const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
    return `${clock(startsAt)}-${clock(endsAt)} ${learners} ${led}`;
  });

describe("people who were in a Space together are a class", () => {
  test.each(
    classes(`
  nobody came
    nobody -> none
  two learners leave a tab open for seven hours: it ended when most left, and its teacher
    teacher 10:00-11:00, ada ben cem 10:00-11:00, dan eve 10:00-18:00 -> 10:00-11:00 5 staff
  their teacher leaves one open, too
    teacher 10:00-21:00, ada ben cem 10:00-11:30, dan eve 10:00-21:00 -> 10:00-11:30 5 staff
  two sections, one after the other, with the host through, are two classes
    teacher 10:00-11:58, ada ben cem 10:00-10:58, dan eve fay 10:57-11:58 -> 10:00-10:58 3 staff, 10:58-11:58 3 staff
  the second section comes eight minutes early
    teacher 10:00-11:58, ada ben cem 10:00-10:58, dan eve fay 10:50-11:58 -> 10:00-10:58 6 staff, 10:58-11:58 3 staff
  it begins with its teacher and a first learner, though the second comes 23 minutes later
    teacher 00:40-01:43, ana 00:45-01:43, chidi 00:50-00:58, bjorn 01:08-01:43 -> 00:45-01:43 3 staff
  it ends when its staff left for good
    teacher 10:00-10:40, ada ben 10:00-11:00 -> 10:00-10:40 2 staff
  but not when they only lost the connection
    teacher 10:00-10:40, teacher 10:50-11:00, ada ben 10:00-11:00 -> 10:00-11:00 2 staff
  a learner alone at night
    ada 02:00-03:00 -> none
  somebody asks something after class for a quarter of an hour
    teacher 10:00-11:15, ada ben 10:00-11:00, cem 10:00-11:15 -> 10:00-11:00 3 staff
  an hour for questions, ten minutes each
    teacher 10:00-10:30, ada 10:00-10:10, ben 10:10-10:20 -> none
  two learners and their teacher for an hour
    teacher 10:00-11:00, ada 10:02-10:58, ben 10:02-11:00 -> 10:02-11:00 2 staff
  it ends with the last but one, where three were there
    teacher 09:30-12:00, ada 09:40-11:30, ben 10:00-10:50, cem 10:05-11:00 -> 09:40-11:00 3 staff
  the teacher alone, who tries things out
    teacher 10:00-11:00 -> none
  the teacher and one learner
    teacher 10:00-11:00, ada 10:00-11:00 -> 10:00-11:00 1 staff
  the teacher and one learner for a question
    teacher 10:00-11:00, ada 10:00-10:19 -> none
  the teacher with the preview student
    teacher 10:00-11:00, preview 10:00-11:00 other -> none
  nine minutes together
    teacher 10:00-10:09, ada ben 10:00-10:09 -> none
  ten minutes together
    teacher 10:00-10:10, ada ben 10:00-10:10 -> 10:00-10:10 2 staff
  a person who looked in for half a minute is not counted
    teacher 10:00-11:00, ada ben 10:00-11:00, cem 10:30:00-10:30:30 -> 10:00-11:00 2 staff
  a break of 14 minutes is one class
    teacher 10:00-11:30, ada ben 10:00-10:40, ada ben 10:54-11:30 -> 10:00-11:30 2 staff
  15 minutes apart are two
    teacher 10:00-11:30, ada ben 10:00-10:40, ada ben 10:55-11:30 -> 10:00-10:40 2 staff, 10:55-11:30 2 staff
  a short meeting, an hour later the class
    teacher 09:00-11:30, ada ben 09:00-09:05, ada ben 10:00-11:00 -> 10:00-11:00 2 staff
  connections that break, again and again
    teacher 10:00-10:30, ada 10:00-10:30, ben 10:00-10:04, ben 10:05-10:09, ben 10:10-10:14, ben 10:15-10:19, ben 10:20-10:24, ben 10:25-10:29 -> 10:00-10:30 2 staff
  two tabs of one learner are one learner
    teacher 10:00-11:00, ada 10:00-10:40, ada 10:20-11:00 -> 10:00-11:00 1 staff
  without a teacher
    ada ben 10:00-11:00 -> none
  with a stranger, perhaps the teacher by another way
    stranger 10:00-11:00, ada ben 10:00-11:00 -> 10:00-11:00 2 stranger
  with the teacher of another course
    teacher 10:00-11:00 other, ada ben 10:00-11:00 -> none
  a teacher who was gone before they came
    teacher 08:00-09:00, ada ben 10:00-11:00 -> none
  leaving that nobody reported ends with the last who reported it, not with the late end of the session
    teacher 10:00-10:58, ada 10:00-10:58, ben cem 10:00-12:30? -> 10:00-10:58 3 staff
  and where nobody reported it, with the session
    teacher 10:00-11:10, ben cem 10:00-11:10? -> 10:00-11:10 2 staff
  a learner who was never heard of again left with the others, too
    teacher 10:00-11:00, ada 10:00-?, ben 10:00-11:00 -> 10:00-11:00 2 staff
  nobody's stay has a known end
    ada ben 10:00-? -> none
  `),
  )("%s", (_who, visits, expected) => {
    expect(told(visits)).toEqual(expected);
    expect(told(visits.toReversed()), "in whatever order they are told").toEqual(expected);
  });

  test("a class over midnight is a single class", () => {
    const night = { from: at("23:20"), to: at("00:40", 26) };
    const teacher: Visit = { who: "teacher", role: "staff", open: null, ...night };
    const visits = ["ada", "ben", "cem"].map((who): Visit => ({ ...teacher, who, role: "learner" }));
    expect(classesAmong([teacher, ...visits], [], breakMs)).toEqual([
      { startsAt: night.from, endsAt: night.to, learners: 3, led: "staff" },
    ]);
  });

  test("hundreds who come and go all day do not block the process", () => {
    const visits = Array.from({ length: 100_000 }, (_, index): Visit => {
      const from = at("00:00") + (index % 100) * 14 * minute;
      return { who: `person ${index % 999}`, role: "learner", from, to: from + 10 * minute, open: null };
    });
    expect(told([staff("00:00", "23:59"), ...visits])).toEqual(["00:00-23:16 999 staff"]);
  }, 20_000);

  const ten = [{ startsAt: at("10:00"), endsAt: at("11:00") }];
  test.each(
    classes(`
  its own people stay behind for long
    ada ben 10:00-12:00 -> none
  others come five minutes before its end and stay for an hour: the time outside of it is a class
    ada ben 10:00-11:00, cem 10:55-11:57, dan 10:56-11:57 -> 11:00-11:57 2 staff
  others run over into it
    cem dan 09:00-10:10, ada ben 10:00-11:00 -> 09:00-10:00 2 staff
  they were there early, and late
    ada ben 09:46-09:58, cem dan 11:05-11:30 -> none
  its people meet once more later
    ada ben 10:00-11:00, ada ben 11:40-12:30 -> 11:40-12:30 2 staff
  `),
  )("beside a planned session from 10 to 11: %s", (_what, visits, expected) => {
    expect(told([staff("08:00", "13:00"), ...visits], ten)).toEqual(expected);
  });
});

describe("a class that is a planned session is not asked about", () => {
  const planned = (startsAt: string, endsAt: string | null) => [
    { startsAt: at(startsAt), endsAt: endsAt === null ? null : at(endsAt) },
  ];
  test.each<[string, [string, string], [string, string | null], boolean]>([
    ["the session itself", ["10:02", "10:58"], ["10:00", "11:00"], true],
    ["mostly before the session", ["09:00", "10:20"], ["10:00", "11:00"], false],
    ["mostly after the session", ["10:30", "13:00"], ["10:00", "11:00"], false],
    ["mostly within the session", ["10:10", "11:40"], ["10:00", "11:00"], true],
    ["early, and over when the session began", ["09:45", "09:58"], ["10:00", "11:00"], true],
    ["they met an hour before", ["08:30", "09:00"], ["10:00", "11:00"], false],
    ["a class soon after the session", ["11:20", "12:20"], ["10:00", "11:00"], false],
    ["they stayed a little longer", ["11:05", "11:30"], ["10:00", "11:00"], true],
    ["a long class just before the session", ["08:30", "09:55"], ["10:00", "11:00"], false],
    ["touching without overlapping", ["11:00", "12:30"], ["10:00", "11:00"], false],
    ["a session without an end counts as two hours", ["11:30", "12:30"], ["10:00", null], true],
  ])("%s", (_what, [from, to], [startsAt, endsAt], expected) => {
    expect(isPlanned({ startsAt: at(from), endsAt: at(to) }, planned(startsAt, endsAt))).toBe(expected);
  });

  test("a session without a time matches no class", () => {
    expect(
      isPlanned({ startsAt: at("10:00"), endsAt: at("11:00") }, [{ startsAt: null, endsAt: null }]),
    ).toBe(false);
  });
});
