import { describe, expect, test } from "vitest";
import { compareWithCohort, deletedSince, knownAlive } from "../../src/modules/cohorts/rules/cohort.ts";
import { likelyCohorts } from "../../src/modules/members/rules/names.ts";
import { slicesOf } from "../../src/kernel/lists.ts";
import { readWebhook } from "../../src/inbox/rules/webhook.ts";

const minute = 60_000;

describe("a webhook about a cohort", () => {
  const body = {
    _type: "PROGRAM_AND_COHORT",
    programId: "p",
    cohortId: "c",
    eventType: "COHORT_UPDATED",
    timestamp: "2026-11-21T10:00:00Z",
    updatedBy: "u",
  };
  const told = {
    family: "PROGRAM_AND_COHORT",
    programId: "p",
    cohortId: "c",
    eventType: "COHORT_UPDATED",
    updatedBy: "u",
  };

  const receivedAt = Date.UTC(2026, 10, 21, 11);
  test.each([
    ["as the document shows it", {}, { ...told, at: Date.UTC(2026, 10, 21, 10) }],
    ["without a time", { timestamp: undefined }, { ...told, at: receivedAt }],
    ["with a time nobody can read", { timestamp: "soon" }, { ...told, at: receivedAt }],
    ["with a time that is not a text or number", { timestamp: { at: 1 } }, { ...told, at: receivedAt }],
    [
      "with ids as numbers",
      { programId: 7, cohortId: 8 },
      { ...told, programId: "7", cohortId: "8", at: Date.UTC(2026, 10, 21, 10) },
    ],
    ["by nobody", { updatedBy: null }, { ...told, updatedBy: null, at: Date.UTC(2026, 10, 21, 10) }],
    [
      "of an unknown type",
      { eventType: "COHORT_MERGED" },
      { ...told, eventType: "COHORT_MERGED", at: Date.UTC(2026, 10, 21, 10) },
    ],
    [
      "without a cohort",
      { cohortId: undefined },
      { family: "other", name: "PROGRAM_AND_COHORT", eventType: "COHORT_UPDATED" },
    ],
    [
      "without a program",
      { programId: "" },
      { family: "other", name: "PROGRAM_AND_COHORT", eventType: "COHORT_UPDATED" },
    ],
  ])("%s is read as intended", (_what, change, read) => {
    expect(readWebhook({ ...body, ...change }, receivedAt)).toEqual(read);
  });
});

describe("whether a cohort is deleted", () => {
  const never = { aliveAt: null, deletedAt: null, goneAt: null };
  test.each([
    ["a cohort that no webhook mentioned", {}, null],
    ["a cohort that was read", { aliveAt: 5 }, null],
    ["a cohort deleted after it was seen", { aliveAt: 5, deletedAt: 6 }, 6],
    ["a cohort deleted in the same second", { aliveAt: 6, deletedAt: 6 }, 6],
    ["a cohort deleted before any other webhook about it", { deletedAt: 6 }, 6],
    ["a cohort seen again after the deletion", { aliveAt: 7, deletedAt: 6 }, null],
    ["a cohort that could not be found", { aliveAt: 5, goneAt: 9 }, 9],
    ["a cohort both deleted and not found: deletedAt counts", { aliveAt: 5, deletedAt: 6, goneAt: 9 }, 6],
  ])("%s", (_what, change, since) => expect(deletedSince({ ...never, ...change })).toBe(since));

  test("a reading that may come from a cache proves nothing about the last five minutes", () => {
    expect(knownAlive(10 * minute, null)).toBe(5 * minute);
    expect(knownAlive(10 * minute, 9 * minute), "but a change that led to it does").toBe(9 * minute);
  });
});

describe("how similar two names are", () => {
  const course = "Biology 101 – Spring BIO101";
  test.each([
    ["Section A", "Section A"],
    ["Section A", "Biology 101 Section A"],
    ["Section A", "BIO101 A"],
    ["Section A", "Biology 101 (section a)"],
    ["Morning", "BIO101 Morning"],
    ["Morning", "Morning class"],
    ["Group 3", "Biology group 03"],
    ["Évening", "evening"],
    ["Praktikum 2", "BIO101 Praktikum 2"],
    ["早班", "早班"],
    ["Лабораторная 1", "Лабораторные 1"],
  ])("%s is similar to %s", (section, cohort) => {
    expect(likelyCohorts(course, [{ name: cohort }])(section, 1)).toHaveLength(1);
  });

  test.each([
    ["Section A", "Section B"],
    ["Section A", "Biology 101 Section B"],
    ["Section A", "Section"],
    ["Group 1", "Group 12"],
    ["Group 12", "Group 1"],
    ["Section A", "Chemistry 202 A"],
    ["Section A", "Chemistry A"],
    ["Morning", "Evening"],
    ["Morning", "HIS205 Morning"],
    ["Morning", "Staff meeting room"],
    ["", "Section A"],
    ["Section A", ""],
    ["!!!", "???"],
  ])("%s is not similar to %s", (section, cohort) => {
    expect(likelyCohorts(course, [{ name: cohort }])(section, 1)).toEqual([]);
  });

  test("of equally similar names, one that also names the course comes first, and only a few are suggested", () => {
    const named = ["Section A", "Biology 101 Section A", "Section B", "Section A 2", null].map((name) => ({
      name,
    }));
    const likely = likelyCohorts(course, named);
    expect(likely("Section A", 2)).toEqual([{ name: "Biology 101 Section A" }, { name: "Section A" }]);
    expect(likely("Nowhere", 3)).toEqual([]);
  });

  test("thousands of names, or endless names, do not block the process", () => {
    const usual = Array.from({ length: 2_000 }, () => "Biology Laboratory Tuesday Autumn");
    const endless = Array.from({ length: 50 }, () => "a".repeat(8_000));
    const wordOf = (number: number) =>
      String.fromCharCode(...Array.from(String(number), (digit) => 97 + Number(digit))).padStart(23, "lab");
    const words = Array.from({ length: 16_000 }, (_, at) => wordOf(at));
    const different = Array.from(slicesOf(words, 8), (some) => some.join(" "));
    const names = [...usual, ...endless, ...different].map((name) => ({ name }));
    const likely = likelyCohorts(course, names);
    for (let section = 1; section <= 8; section += 1) {
      expect(likely("Laboratory Tuesday morning", 1)).toHaveLength(1);
      expect(likely("b".repeat(255), 1)).toEqual([]);
      expect(likely(different[section] ?? "", 1)).toHaveLength(1);
    }
  }, 20_000);
});

describe("a section compared with a cohort", () => {
  const ann = { personId: "ann", role: "learner", hasUser: true } as const;
  const ben = { personId: "ben", role: "learner", hasUser: true } as const;
  const newcomer = { personId: "new", role: "learner", hasUser: false } as const;
  const user = (userId: string | null, name: string | null = null) => ({ userId, name });
  const persons = new Map([
    ["u-ann", ["ann"]],
    ["u-ben", ["ben"]],
    ["u-cem", ["cem"]],
    ["u-tea", ["tea"]],
  ]);
  const teachers = new Set(["tea"]);
  const compare = (
    section: Parameters<typeof compareWithCohort>[0],
    cohort: Partial<Parameters<typeof compareWithCohort>[1]>,
  ) => compareWithCohort(section, { organizers: [], attendees: [], readAt: 1, ...cohort }, persons, teachers);

  test("shows who is in one and not in the other, and who cannot be compared", () => {
    const shown = compare([ann, ben, newcomer], {
      attendees: [user("u-ann"), user("u-cem", "Cem"), user("u-x", "Xaver"), user(null, "Ann")],
    });
    expect(shown).toEqual({
      kind: "compared",
      both: 1,
      onlySection: ["ben"],
      onlyCohort: [
        { userId: "u-cem", name: "Cem", as: "attendee", personIds: ["cem"] },
        { userId: "u-x", name: "Xaver", as: "attendee", personIds: [] },
      ],
      withoutUser: ["new"],
      withoutId: [user(null, "Ann")],
      organizersKnown: true,
      cut: null,
    });
  });

  test("says of nobody that they are missing from a cohort whose list is incomplete", () => {
    const cut = { read: 1, total: 3 };
    const shown = compare([ann, ben, newcomer], { attendees: [user("u-ann")], cut });
    expect(shown).toMatchObject({ both: 1, onlySection: [], withoutUser: ["new"], cut });
  });

  test("never matches people by name", () => {
    const shown = compare([{ ...ann, personId: "Xaver" }], { attendees: [user("u-x", "Xaver")] });
    expect(shown).toMatchObject({ both: 0, onlySection: ["Xaver"], onlyCohort: [{ userId: "u-x" }] });
  });

  test("counts somebody listed twice, or as organizer and attendee, once", () => {
    const shown = compare([], { attendees: [user("u-x"), user("u-x")], organizers: [user("u-x")] });
    expect(shown).toMatchObject({ onlyCohort: [{ userId: "u-x", as: "attendee" }] });
  });

  test("ignores an organizer who teaches the course, and names one who does not", () => {
    const shown = compare([ann], { attendees: [user("u-ann")], organizers: [user("u-tea"), user("u-boss")] });
    expect(shown).toMatchObject({ onlyCohort: [{ userId: "u-boss", as: "organizer" }] });
    expect(compare([ann], { attendees: [user("u-tea")], organizers: [user("u-cem")] })).toMatchObject({
      onlyCohort: [
        { userId: "u-tea", as: "attendee" },
        { userId: "u-cem", as: "organizer" },
      ],
    });
  });

  test.each([
    ["a cohort that was never read", { readAt: null }, { kind: "unknown", why: "not-read" }],
    ["a cohort whose people are not listed", { attendees: null }, { kind: "unknown", why: "not-listed" }],
    ["a cohort whose organizers are not listed", { organizers: null }, { organizersKnown: false, both: 0 }],
  ])("says what is unknown about %s", (_what, cohort, shown) => {
    expect(compare([ann], cohort)).toMatchObject(shown);
  });
});
