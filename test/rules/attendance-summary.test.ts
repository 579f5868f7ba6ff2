import { describe, expect, test } from "vitest";
import type { AttendanceFacts, KnownStatus, SeenPresence } from "../../src/domain/attendance.ts";
import type { CourseSession } from "../../src/modules/scheduling/rules/course-session.ts";
import { defaultGradePolicy, type GradePolicy } from "../../src/domain/grade-policy.ts";
import {
  changesScores,
  countedSessions,
  emptyTally,
  latelyAndBefore,
  linkedColumnsOf,
  plannedFor,
  scoresOf,
  sessionsThatCount,
  shareOfClass,
} from "../../src/modules/attendance/rules/attendance-summary.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { ruleWith } from "../support/builders/grading-course.ts";

const oneColumn = defaultGradePolicy;
const perSession: GradePolicy = { kind: "column-per-session", ...ruleWith({}) };
const translatorOf = createTranslator();
const none = new Set<string>();
const session = (eventId: string, change: Partial<CourseSession> = {}): CourseSession => ({
  eventId,
  title: null,
  startsAt: 1,
  endsAt: 2,
  cancelled: false,
  sectionIds: [],
  seriesId: null,
  counts: true,
  ...change,
});

describe("the share of a session", () => {
  test.each([
    ["is of everybody, late ones with it", { PRESENT: 24, LATE: 2, ABSENT: 4 }, 26 / 30],
    ["leaves the excused out", { PRESENT: 9, ABSENT: 1, EXCUSED: 20 }, 0.9],
    ["counts those who are not recorded", { PRESENT: 25, ABSENT: 3, blank: 2 }, 25 / 30],
    ["is there with half recorded", { PRESENT: 15, blank: 15 }, 0.5],
    ["is not there for 1 late of 30", { LATE: 1, blank: 29 }, null],
    ["is not there for unknown statuses alone", { unknown: 3 }, null],
    ["is not there for nobody", {}, null],
  ])("%s", (_what, counts, share) => {
    expect(shareOfClass({ ...emptyTally(), ...counts })).toBe(share);
  });
});

describe("the latest sessions of a learner", () => {
  test.each([
    ["compare with those before", "P L A P A A", { lately: 0.75, before: 0 }],
    ["are of those recorded, without the excused", "E P P E P A X P P", { lately: 0.75, before: 1 }],
    ["are not compared with one alone", "P P P P A", null],
    ["are not compared with excused ones", "P P P P A E", null],
  ])("%s", (_what, letters, expected) => {
    const names = new Map([
      ["P", "PRESENT"],
      ["L", "LATE"],
      ["A", "ABSENT"],
      ["E", "EXCUSED"],
    ]);
    expect(latelyAndBefore(letters.split(" ").map((one) => names.get(one) ?? "LEFT"))).toEqual(expected);
  });
});

test("a summary has one line for each session with facts, in one order; a word taken back leaves none", () => {
  const told = (status: string) => [{ status, notes: null, at: 1, updatedBy: null }];
  const taken = { status: null, notes: null, reason: null, by: "t", at: 2 };
  expect(
    countedSessions([
      { eventId: "b", history: told("LATE"), corrections: [] },
      { eventId: "c", history: [], corrections: [taken] },
      { eventId: "a", history: told("ABSENT"), corrections: [{ ...taken, status: "PRESENT" }] },
    ]),
  ).toEqual([
    { eventId: "a", status: "PRESENT", marks: ["corrected"] },
    { eventId: "b", status: "LATE" },
    { eventId: "c", status: null },
  ]);
});

describe("Planned for a learner", () => {
  const sessions = [
    session("all"),
    session("red", { sectionIds: ["r"] }),
    session("blue", { sectionIds: ["b", "g"] }),
    session("off", { cancelled: true }),
    session("extra", { counts: false }),
  ];

  test.each([
    ["somebody in no section: what is for everybody", [], [], 1],
    ["somebody in one: what is for it, too", ["r"], [], 2],
    ["a session of another section that they attended", ["r"], [{ eventId: "blue", status: "LATE" }], 3],
    ["a cancelled one that they have a status in", [], [{ eventId: "off", status: "PRESENT" }], 2],
    ["one that nobody knows any more, with a status", [], [{ eventId: "gone", status: "PRESENT" }], 2],
    ["not one whose only word was taken back", [], [{ eventId: "blue", status: null }], 1],
    ["somebody who was there before all of them", [], [], 1, 5],
    ["somebody who joined when they had begun", [], [], 0, 11],
    ["somebody who joined later and attended all the same", [], [{ eventId: "all", status: "LATE" }], 1, 11],
  ] as const)("are, for %s", (_what, sectionIds, counted, planned, joinedAt: number | null = null) => {
    const dated = sessions.map((one) => ({ ...one, startsAt: 10 }));
    expect(plannedFor(dated, { sectionIds: [...sectionIds], joinedAt }, counted)).toBe(planned);
  });
});

describe("The scores of a learner", () => {
  const counted = [
    { eventId: "e1", status: "PRESENT" },
    { eventId: "e2", status: "LATE" },
    { eventId: "e3", status: null },
  ];
  const scores = (policy: GradePolicy, linked = none) =>
    Object.fromEntries(
      [...scoresOf(policy, counted, 9, linked, translatorOf)].map(([column, { score }]) => [column, score]),
    );

  test("are one for all sessions together, and one for each session that an instructor linked with a column", () => {
    expect(scores(oneColumn)).toEqual({ attendance: 90 });
    expect(scores(oneColumn, new Set(["session e2", "session e9"]))).toEqual({
      attendance: 90,
      "session e2": 80,
    });
  });

  test("are one for each session, with a column for each session, and none together", () => {
    expect(scores(perSession)).toEqual({ "session e1": 100, "session e2": 80, "session e3": null });
  });

  test("are none in a course without grades", () => expect(scores({ kind: "no-grades" })).toEqual({}));

  test("have a comment where it is wanted, and a mark while the activity is not completed", () => {
    const first = (policy: GradePolicy) => scoresOf(policy, counted, 9, none, translatorOf).get("attendance");
    expect(first(oneColumn)).toMatchObject({ comment: null, inProgress: false });
    const completion = { kind: "sessions", sessions: 3, before: "sent" } as const;
    const rule = { comment: true, completion };
    const commented = first({ ...oneColumn, ...rule });
    expect(commented?.comment).toContain("= 90 of 100");
    expect(commented?.inProgress).toBe(true);
    expect(first({ ...oneColumn, completion: { ...completion, before: "held" } })).toMatchObject({
      score: null,
      inProgress: false,
    });
  });

  test("are of the sessions that count", () => {
    const counting = sessionsThatCount(counted, new Set(["e2"]));
    expect(scoresOf(oneColumn, counting, 9, none, translatorOf).get("attendance")?.score).toBe(100);
    expect([...scoresOf(perSession, counting, 9, none, translatorOf).keys()]).toEqual([
      "session e1",
      "session e3",
    ]);
  });
});

test("session columns that came with a policy are not filled in addition to one column; those of links and of earlier versions are", () => {
  const columns = [
    { key: "attendance", linkId: "1" },
    { key: "session linked", linkId: "2", asked: false },
    { key: "session asked", linkId: null, asked: true },
    { key: "session earlier", linkId: null },
    { key: "session policy", linkId: null, asked: false },
  ];
  expect([...linkedColumnsOf(columns)]).toEqual(["session linked", "session asked", "session earlier"]);
});

describe("A change of membership", () => {
  const planned: GradePolicy = { kind: "one-column", ...ruleWith({ denominator: { kind: "planned" } }) };
  const learner = { testUser: false, student: true, active: true, sectionIds: ["a", "b"] } as const;

  test.each([
    ["nothing new", learner, learner, false],
    ["the same sections in another order", learner, { ...learner, sectionIds: ["b", "a"] }, false],
    ["another section", learner, { ...learner, sectionIds: ["a", "c"] }, true],
    ["one section less", learner, { ...learner, sectionIds: ["a"] }, true],
    ["coming back", { ...learner, active: false }, learner, true],
    ["leaving", learner, { ...learner, active: false }, false],
    ["becoming a learner", { ...learner, student: false }, learner, true],
    ["becoming an instructor only", learner, { ...learner, student: false }, false],
  ])("by %s: whether it changes scores", (_what, before, after, changes) => {
    expect(changesScores(planned, before, after)).toBe(changes);
  });

  test("of sections changes none where neither planned nor excused sessions matter", () => {
    expect(changesScores(oneColumn, learner, { ...learner, sectionIds: [] })).toBe(false);
    const excused = { ...oneColumn, credit: { ...oneColumn.credit, EXCUSED: 100 } };
    expect(changesScores(excused, learner, { ...learner, sectionIds: [] })).toBe(true);
    const share = { ...oneColumn, completion: { kind: "share", percent: 75, before: "sent" } } as const;
    expect(changesScores(share, learner, { ...learner, sectionIds: [] })).toBe(true);
    expect(changesScores(oneColumn, { ...learner, active: false }, learner)).toBe(true);
  });
});

describe("The minutes that count in place of a status", () => {
  const minute = 60_000;
  const seen = { startsAt: 0, endsAt: 50 * minute, ms: 42 * minute, stays: [{ from: 0, to: 42 * minute }] };
  const told = (status: string) => [{ status, notes: null, at: 1, updatedBy: null }];
  const suggested = (status: string, from: SeenPresence = seen) => [
    { status, notes: null, at: 1, updatedBy: null, as: "presence" as const, seen: from },
  ];
  const said = (status: KnownStatus | null) => [{ status, notes: null, reason: null, by: "t", at: 2 }];

  const of = (history: AttendanceFacts["history"], more: Partial<AttendanceFacts> = {}): AttendanceFacts => ({
    history,
    corrections: [],
    seen,
    ...more,
  });

  test.each<[string, AttendanceFacts, string]>([
    ["of who is present", of(told("PRESENT")), "42 of 50"],
    ["of who is late", of(told("LATE")), "42 of 50"],
    ["not of who is absent", of(told("ABSENT")), "none"],
    ["nor excused", of(told("EXCUSED")), "none"],
    ["nor of an unknown status", of(told("LEFT_EARLY")), "none"],
    ["not where an instructor said it", of(told("LATE"), { corrections: said("PRESENT") }), "none"],
    ["again, where they took it back", of(told("LATE"), { corrections: said(null) }), "42 of 50"],
    ["not without a status", of([]), "none"],
    [
      "not of who checked in, in the room",
      {
        history: [...told("PRESENT"), { status: "PRESENT", notes: null, at: 2, updatedBy: null, as: "code" }],
        corrections: [],
        seen,
      },
      "none",
    ],
    ["not where nobody saw them", { history: told("PRESENT"), corrections: [] }, "none"],
    [
      "not where their leaving is not known",
      of(told("PRESENT"), { seen: { ...seen, leftUnknown: true } }),
      "none",
    ],
    ["nor their coming", of(told("PRESENT"), { seen: { ...seen, cameUnknown: true } }), "none"],
    [
      "with those in another tab",
      of(told("PRESENT"), { seen: { ...seen, hiddenMs: 7 * minute } }),
      "42 of 50, 7 hidden",
    ],
    ["of a class nobody planned", { history: suggested("PRESENT"), corrections: [] }, "42 of 50"],
    ["also where that suggests an absence", { history: suggested("ABSENT"), corrections: [] }, "42 of 50"],
    [
      "but not of who was not there",
      { history: suggested("ABSENT", { ...seen, ms: 0, stays: [] }), corrections: [] },
      "none",
    ],
  ])("%s", (_what, facts, expected) => {
    const [counted] = countedSessions([{ eventId: "a", ...facts }]);
    const { minutes } = counted ?? {};
    const hidden = minutes?.hidden === undefined ? "" : `, ${minutes.hidden} hidden`;
    expect(minutes === undefined ? "none" : `${minutes.present} of ${minutes.of}${hidden}`).toBe(expected);
  });
});
