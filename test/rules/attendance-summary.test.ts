import { describe, expect, test } from "vitest";
import type { AttendanceFacts, KnownStatus, SeenPresence } from "../../src/domain/attendance.ts";
import type { CourseSession } from "../../src/modules/scheduling/rules/course-session.ts";
import { defaultGradePolicy, type GradePolicy } from "../../src/domain/grade-policy.ts";
import {
  changesSummary,
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

describe("the share of learners who attended a session", () => {
  test.each([
    ["counts everybody, and late learners as there", { PRESENT: 24, LATE: 2, ABSENT: 4 }, 26 / 30],
    ["leaves out excused learners", { PRESENT: 9, ABSENT: 1, EXCUSED: 20 }, 0.9],
    ["counts learners without a record as not there", { PRESENT: 25, ABSENT: 3, blank: 2 }, 25 / 30],
    ["is shown when half are recorded", { PRESENT: 15, blank: 15 }, 0.5],
    ["is not shown for 1 late learner of 30", { LATE: 1, blank: 29 }, null],
    ["is not shown for unknown statuses alone", { unknown: 3 }, null],
    ["is not shown without learners", {}, null],
  ])("%s", (_what, counts, share) => {
    expect(shareOfClass({ ...emptyTally(), ...counts })).toBe(share);
  });
});

describe("the latest sessions of a learner", () => {
  test.each([
    ["are compared with those before", "P L A P A A", { lately: 0.75, before: 0 }],
    ["leave out excused and unrecorded sessions", "E P P E P A X P P", { lately: 0.75, before: 1 }],
    ["are not compared with a single session", "P P P P A", null],
    ["are not compared with excused sessions", "P P P P A E", null],
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

test("a summary has one line for each session with facts, in one order, and none for a mark taken back", () => {
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

describe("The number of planned sessions of a learner", () => {
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
    ["somebody who joined later, but attended", [], [{ eventId: "all", status: "LATE" }], 1, 11],
  ] as const)("is, for %s", (_what, sectionIds, counted, planned, joinedAt: number | null = null) => {
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

  test("are one for the course, and one for each session that an instructor linked with a column", () => {
    expect(scores(oneColumn)).toEqual({ attendance: 90 });
    expect(scores(oneColumn, new Set(["session e2", "session e9"]))).toEqual({
      attendance: 90,
      "session e2": 80,
    });
  });

  test("are one for each session, and none for the course, with a column for each session", () => {
    expect(scores(perSession)).toEqual({ "session e1": 100, "session e2": 80, "session e3": null });
  });

  test("do not exist in a course without grades", () => expect(scores({ kind: "no-grades" })).toEqual({}));

  test("have a comment if the policy wants it, and are in progress until the activity is completed", () => {
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

  test("come from the sessions that count", () => {
    const counting = sessionsThatCount(counted, new Set(["e2"]));
    expect(scoresOf(oneColumn, counting, 9, none, translatorOf).get("attendance")?.score).toBe(100);
    expect([...scoresOf(perSession, counting, 9, none, translatorOf).keys()]).toEqual([
      "session e1",
      "session e3",
    ]);
  });
});

test("session columns that came with a policy are not filled beside one column; those of links and earlier versions are", () => {
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
  const learner = { testUser: false, student: true, active: true, sectionIds: ["a", "b"] } as const;

  test.each([
    ["changing nothing", learner, learner, false],
    ["listing the same sections in another order", learner, { ...learner, sectionIds: ["b", "a"] }, false],
    ["another section", learner, { ...learner, sectionIds: ["a", "c"] }, true],
    ["one section fewer", learner, { ...learner, sectionIds: ["a"] }, true],
    ["returning to the course", { ...learner, active: false }, learner, true],
    ["leaving", learner, { ...learner, active: false }, false],
    ["becoming a learner", { ...learner, student: false }, learner, true],
    ["becoming an instructor only", learner, { ...learner, student: false }, false],
  ])("by %s: whether it changes a learner's summary", (_what, before, after, changes) => {
    expect(changesSummary(before, after)).toBe(changes);
  });
});

describe("Minutes counted in place of a status", () => {
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
    ["count for PRESENT", of(told("PRESENT")), "42 of 50"],
    ["count for LATE", of(told("LATE")), "42 of 50"],
    ["do not count for ABSENT", of(told("ABSENT")), "none"],
    ["do not count for EXCUSED", of(told("EXCUSED")), "none"],
    ["do not count for an unknown status", of(told("LEFT_EARLY")), "none"],
    ["not beside an instructor's mark", of(told("LATE"), { corrections: said("PRESENT") }), "none"],
    ["once that mark is taken back", of(told("LATE"), { corrections: said(null) }), "42 of 50"],
    ["do not count without a status", of([]), "none"],
    [
      "do not count after a check-in in the room",
      {
        history: [...told("PRESENT"), { status: "PRESENT", notes: null, at: 2, updatedBy: null, as: "code" }],
        corrections: [],
        seen,
      },
      "none",
    ],
    ["do not count for somebody who was never seen", { history: told("PRESENT"), corrections: [] }, "none"],
    [
      "do not count if it is unknown when they left",
      of(told("PRESENT"), { seen: { ...seen, leftUnknown: true } }),
      "none",
    ],
    [
      "if it is unknown when they came",
      of(told("PRESENT"), { seen: { ...seen, cameUnknown: true } }),
      "none",
    ],
    [
      "include those spent in another tab",
      of(told("PRESENT"), { seen: { ...seen, hiddenMs: 7 * minute } }),
      "42 of 50, 7 hidden",
    ],
    ["count in a class nobody planned", { history: suggested("PRESENT"), corrections: [] }, "42 of 50"],
    ["even if it suggests an absence", { history: suggested("ABSENT"), corrections: [] }, "42 of 50"],
    [
      "do not count for somebody who was not there",
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
