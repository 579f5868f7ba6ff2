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
/** Tuesday, 25 November 2026, in UTC. */
const at = (clock: string, day = 25): number => Date.parse(`2026-11-${day}T${clock}:00Z`);

const stay = (who: string, from: string, to: string, more: Partial<Visit> = {}): Visit => ({
  ...{ who, role: "learner", from: at(from), to: at(to), open: null },
  ...more,
});
/** Nobody told that they left; the session's end is known. */
const unreported = (who: string, from: string, to: string): Visit =>
  stay(who, from, to, { open: { heardAt: at(from), latest: at(to) } });
/** Neither; four hours later nobody waits for it any more. */
const silent = (who: string, from: string): Visit =>
  stay(who, from, from, { open: { heardAt: at(from), latest: at(from) + 240 * minute } });
const staff = (from: string, to: string, role: VisitorRole = "staff"): Visit =>
  stay("teacher", from, to, { role });

/** "10:02-10:58 24 staff" */
const told = (visits: readonly Visit[], planned: readonly PlannedTime[] = []): string[] =>
  classesAmong(visits, planned, breakMs).map(({ startsAt, endsAt, learners, led }) => {
    const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
    return `${clock(startsAt)}-${clock(endsAt)} ${learners} ${led}`;
  });
/** Several learners with the same stay. */
const all = (names: string, from: string, to: string) => names.split(" ").map((who) => stay(who, from, to));

describe("people who were in a Space together are a class", () => {
  test.each<[string, Visit[], string[]]>([
    ["nobody came", [], []],
    [
      "two learners leave a tab open for seven hours: it ended when most left, and its teacher",
      [staff("10:00", "11:00"), ...all("ada ben cem", "10:00", "11:00"), ...all("dan eve", "10:00", "18:00")],
      ["10:00-11:00 5 staff"],
    ],
    [
      "their teacher leaves one open, too",
      [staff("10:00", "21:00"), ...all("ada ben cem", "10:00", "11:30"), ...all("dan eve", "10:00", "21:00")],
      ["10:00-11:30 5 staff"],
    ],
    [
      "two sections, one after the other, with the host through, are two classes",
      [
        staff("10:00", "11:58"),
        ...all("ada ben cem", "10:00", "10:58"),
        ...all("dan eve fay", "10:57", "11:58"),
      ],
      ["10:00-10:58 3 staff", "10:58-11:58 3 staff"],
    ],
    [
      "the second section comes eight minutes early",
      [
        staff("10:00", "11:58"),
        ...all("ada ben cem", "10:00", "10:58"),
        ...all("dan eve fay", "10:50", "11:58"),
      ],
      ["10:00-10:58 6 staff", "10:58-11:58 3 staff"],
    ],
    [
      "it begins with its teacher and a first learner, though the second comes 23 minutes later",
      [
        staff("00:40", "01:43"),
        ...[stay("ana", "00:45", "01:43"), stay("chidi", "00:50", "00:58"), stay("bjorn", "01:08", "01:43")],
      ],
      ["00:45-01:43 3 staff"],
    ],
    [
      "it ends when its staff left for good",
      [staff("10:00", "10:40"), ...all("ada ben", "10:00", "11:00")],
      ["10:00-10:40 2 staff"],
    ],
    [
      "but not when they only lost the connection",
      [staff("10:00", "10:40"), staff("10:50", "11:00"), ...all("ada ben", "10:00", "11:00")],
      ["10:00-11:00 2 staff"],
    ],
    ["a learner alone at night", [stay("ada", "02:00", "03:00")], []],
    [
      "somebody asks something after class for a quarter of an hour",
      [staff("10:00", "11:15"), ...all("ada ben", "10:00", "11:00"), stay("cem", "10:00", "11:15")],
      ["10:00-11:00 3 staff"],
    ],
    [
      "an hour for questions, ten minutes each",
      [staff("10:00", "10:30"), stay("ada", "10:00", "10:10"), stay("ben", "10:10", "10:20")],
      [],
    ],
    [
      "two learners and their teacher for an hour",
      [staff("10:00", "11:00"), stay("ada", "10:02", "10:58"), stay("ben", "10:02", "11:00")],
      ["10:02-11:00 2 staff"],
    ],
    [
      "it ends with the last but one, where three were there",
      [
        staff("09:30", "12:00"),
        stay("ada", "09:40", "11:30"),
        stay("ben", "10:00", "10:50"),
        stay("cem", "10:05", "11:00"),
      ],
      ["09:40-11:00 3 staff"],
    ],
    ["the teacher alone, who tries things out", [staff("10:00", "11:00")], []],
    [
      "the teacher and one learner",
      [staff("10:00", "11:00"), stay("ada", "10:00", "11:00")],
      ["10:00-11:00 1 staff"],
    ],
    [
      "the teacher and one learner for a question",
      [staff("10:00", "11:00"), stay("ada", "10:00", "10:19")],
      [],
    ],
    [
      "the teacher with the preview student",
      [staff("10:00", "11:00"), stay("preview", "10:00", "11:00", { role: "other" })],
      [],
    ],
    ["nine minutes together", [staff("10:00", "10:09"), ...all("ada ben", "10:00", "10:09")], []],
    [
      "ten minutes together",
      [staff("10:00", "10:10"), ...all("ada ben", "10:00", "10:10")],
      ["10:00-10:10 2 staff"],
    ],
    [
      "somebody who looked in for half a minute is not counted",
      [
        staff("10:00", "11:00"),
        stay("ada", "10:00", "11:00"),
        stay("ben", "10:00", "11:00"),
        { ...stay("cem", "10:30", "10:30"), to: at("10:30") + 30_000 },
      ],
      ["10:00-11:00 2 staff"],
    ],
    [
      "a break of 14 minutes is one class",
      [
        staff("10:00", "11:30"),
        stay("ada", "10:00", "10:40"),
        stay("ben", "10:00", "10:40"),
        stay("ada", "10:54", "11:30"),
        stay("ben", "10:54", "11:30"),
      ],
      ["10:00-11:30 2 staff"],
    ],
    [
      "15 minutes apart are two",
      [
        staff("10:00", "11:30"),
        stay("ada", "10:00", "10:40"),
        stay("ben", "10:00", "10:40"),
        stay("ada", "10:55", "11:30"),
        stay("ben", "10:55", "11:30"),
      ],
      ["10:00-10:40 2 staff", "10:55-11:30 2 staff"],
    ],
    [
      "a short meeting, an hour later the class",
      [
        staff("09:00", "11:30"),
        stay("ada", "09:00", "09:05"),
        stay("ben", "09:00", "09:05"),
        stay("ada", "10:00", "11:00"),
        stay("ben", "10:00", "11:00"),
      ],
      ["10:00-11:00 2 staff"],
    ],
    [
      "connections that break, again and again",
      [
        staff("10:00", "10:30"),
        stay("ada", "10:00", "10:30"),
        ...["10:0", "10:1", "10:2"].flatMap((tens) => [
          stay("ben", `${tens}0`, `${tens}4`),
          stay("ben", `${tens}5`, `${tens}9`),
        ]),
      ],
      ["10:00-10:30 2 staff"],
    ],
    [
      "two tabs of one learner are one learner",
      [staff("10:00", "11:00"), stay("ada", "10:00", "10:40"), stay("ada", "10:20", "11:00")],
      ["10:00-11:00 1 staff"],
    ],
    ["without a teacher", [stay("ada", "10:00", "11:00"), stay("ben", "10:00", "11:00")], []],
    [
      "with somebody unknown, perhaps the teacher by another way",
      [staff("10:00", "11:00", "stranger"), stay("ada", "10:00", "11:00"), stay("ben", "10:00", "11:00")],
      ["10:00-11:00 2 stranger"],
    ],
    [
      "with somebody of another course",
      [staff("10:00", "11:00", "other"), stay("ada", "10:00", "11:00"), stay("ben", "10:00", "11:00")],
      [],
    ],
    [
      "a teacher who was gone before they came",
      [staff("08:00", "09:00"), stay("ada", "10:00", "11:00"), stay("ben", "10:00", "11:00")],
      [],
    ],
    [
      "leaving that nobody reported ends with the last who reported it, not with the late end of the session",
      [
        staff("10:00", "10:58"),
        stay("ada", "10:00", "10:58"),
        unreported("ben", "10:00", "12:30"),
        unreported("cem", "10:00", "12:30"),
      ],
      ["10:00-10:58 3 staff"],
    ],
    [
      "and where nobody reported it, with the session",
      [staff("10:00", "11:10"), unreported("ben", "10:00", "11:10"), unreported("cem", "10:00", "11:10")],
      ["10:00-11:10 2 staff"],
    ],
    [
      "whom nobody heard of any more left with the others, too",
      [staff("10:00", "11:00"), silent("ada", "10:00"), stay("ben", "10:00", "11:00")],
      ["10:00-11:00 2 staff"],
    ],
    ["of nobody is known how long they stayed", [silent("ada", "10:00"), silent("ben", "10:00")], []],
  ])("%s", (_who, visits, expected) => {
    expect(told(visits)).toEqual(expected);
    expect(told(visits.toReversed()), "in whatever order they are told").toEqual(expected);
  });

  test("over midnight it is one", () => {
    const night = { from: at("23:20"), to: at("00:40", 26) };
    const teacher: Visit = { who: "teacher", role: "staff", open: null, ...night };
    const visits = ["ada", "ben", "cem"].map((who): Visit => ({ ...teacher, who, role: "learner" }));
    expect(classesAmong([teacher, ...visits], [], breakMs)).toEqual([
      { startsAt: night.from, endsAt: night.to, learners: 3, led: "staff" },
    ]);
  });

  const ten = [{ startsAt: at("10:00"), endsAt: at("11:00") }];
  test.each<[string, Visit[], string[]]>([
    ["its own people stay behind for long", all("ada ben", "10:00", "12:00"), []],
    [
      "others come five minutes before its end and stay for an hour: the time outside of it is a class",
      [...all("ada ben", "10:00", "11:00"), stay("cem", "10:55", "11:57"), stay("dan", "10:56", "11:57")],
      ["11:00-11:57 2 staff"],
    ],
    [
      "others run over into it",
      [...all("cem dan", "09:00", "10:10"), ...all("ada ben", "10:00", "11:00")],
      ["09:00-10:00 2 staff"],
    ],
    [
      "they were there early, and late",
      [...all("ada ben", "09:46", "09:58"), ...all("cem dan", "11:05", "11:30")],
      [],
    ],
    [
      "its people meet once more later",
      [...all("ada ben", "10:00", "11:00"), ...all("ada ben", "11:40", "12:30")],
      ["11:40-12:30 2 staff"],
    ],
  ])("beside a planned session from 10 to 11: %s", (_what, visits, expected) => {
    expect(told([staff("08:00", "13:00"), ...visits], ten)).toEqual(expected);
  });
});

describe("a class that is a planned session is no question", () => {
  const planned = (startsAt: string, endsAt: string | null) => [
    { startsAt: at(startsAt), endsAt: endsAt === null ? null : at(endsAt) },
  ];
  test.each<[string, [string, string], [string, string | null], boolean]>([
    ["the session itself", ["10:02", "10:58"], ["10:00", "11:00"], true],
    ["most of it is before the session", ["09:00", "10:20"], ["10:00", "11:00"], false],
    ["most of it is after it", ["10:30", "13:00"], ["10:00", "11:00"], false],
    ["most of it is in it", ["10:10", "11:40"], ["10:00", "11:00"], true],
    ["they came early and were gone when it began", ["09:45", "09:58"], ["10:00", "11:00"], true],
    ["they met an hour before", ["08:30", "09:00"], ["10:00", "11:00"], false],
    ["a class close after it", ["11:20", "12:20"], ["10:00", "11:00"], false],
    ["they stayed behind a little", ["11:05", "11:30"], ["10:00", "11:00"], true],
    ["close before it, for long", ["08:30", "09:55"], ["10:00", "11:00"], false],
    ["touching is not overlapping", ["11:00", "12:30"], ["10:00", "11:00"], false],
    ["a session without an end is taken to last two hours", ["11:30", "12:30"], ["10:00", null], true],
  ])("%s", (_what, [from, to], [startsAt, endsAt], expected) => {
    expect(isPlanned({ startsAt: at(from), endsAt: at(to) }, planned(startsAt, endsAt))).toBe(expected);
  });

  test("a session without a time takes nothing", () => {
    expect(
      isPlanned({ startsAt: at("10:00"), endsAt: at("11:00") }, [{ startsAt: null, endsAt: null }]),
    ).toBe(false);
  });
});
