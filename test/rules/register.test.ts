import { describe, expect, test } from "vitest";
import {
  isInClass,
  registerRow,
  type RegisterMember,
  type RegisterRecord,
} from "../../src/modules/attendance/rules/register.ts";
import {
  linesText,
  lineText,
  readRegister,
  seenText,
  type TypedRow,
  requestOf,
} from "../../src/modules/attendance/pages/register-form.ts";

const member = (change: Partial<RegisterMember> = {}): RegisterMember => ({
  personId: "ann",
  testUser: false,
  student: true,
  active: true,
  sectionIds: ["a"],
  sectionsTold: true,
  ...change,
});
const record = (change: Partial<RegisterRecord> = {}): RegisterRecord => ({
  personId: "ann",
  history: [{ status: "PRESENT", notes: null, at: 1, updatedBy: null }],
  corrections: [],
  sectionIds: ["a"],
  revision: 1,
  ...change,
});
const whole = { sectionIds: [] };
const forA = { sectionIds: ["a"] };
const forB = { sectionIds: ["b"] };

describe("the register of a session", () => {
  test.each([
    ["a learner of the course", whole, member(), null],
    ["a learner of the session's section", forA, member(), null],
    ["a learner whose section is unknown", forB, member({ sectionIds: [], sectionsTold: false }), null],
  ])("lists %s before anything is recorded", (_who, session, who, facts) => {
    expect(registerRow(session, who, facts)).toMatchObject({ personId: "ann", current: null, revision: 0 });
  });

  test("lists somebody who joined later with a remark until they have a mark", () => {
    const begun = { ...whole, startsAt: 10 };
    const later = member({ joinedAt: 11 });
    const row = registerRow(begun, later, null);
    expect(row).toMatchObject({ remark: "joined-later", current: null });
    expect(row !== null && isInClass(row, null), "nobody marks them absent").toBe(false);
    expect(registerRow(begun, later, record())).toMatchObject({ remark: null });
    expect(registerRow(begun, member({ joinedAt: 10 }), null)).toMatchObject({ remark: null });
  });

  test.each([
    ["a learner of another section", forB, member()],
    ["a learner without a section, as the LMS says", forB, member({ sectionIds: [] })],
    ["a preview student", whole, member({ testUser: true })],
    ["an instructor, a guest or a mentor", whole, member({ student: false })],
    ["somebody who has left", whole, member({ active: false })],
  ])("does not list %s", (_who, session, who) => expect(registerRow(session, who, null)).toBeNull());

  test.each([
    ["left the course", member({ active: false }), "left"],
    ["was never a member", null, "left"],
    ["is not a learner", member({ student: false }), "not-graded"],
    ["is in another section", member({ sectionIds: ["b"] }), null],
  ])("lists somebody with a mark who %s", (_who, who, remark) => {
    expect(registerRow(forA, who, record())).toMatchObject({ remark, current: { status: "PRESENT" } });
  });

  test("lists nobody because of facts that turned out to be somebody else's", () => {
    const emptied = record({ history: [], revision: 2 });
    expect(registerRow(whole, member({ active: false }), emptied)).toBeNull();
    expect(registerRow(whole, member(), emptied)).toMatchObject({ current: null, revision: 2 });
  });

  test("shows the section at the time of the session, even if the learner moved since", () => {
    expect(registerRow(forA, member({ sectionIds: ["b"] }), record())?.sectionIds).toEqual(["a"]);
  });

  test("marks for the whole class reach only learners of the session in the section shown", () => {
    const reached = (
      session: { sectionIds: string[] },
      who: RegisterMember | null,
      facts: RegisterRecord | null,
    ) => {
      const row = registerRow(session, who, facts);
      return row !== null && isInClass(row, "a");
    };
    expect(reached(whole, member(), null)).toBe(true);
    expect(reached(whole, member({ sectionIds: ["b"] }), null)).toBe(false);
    expect(reached(whole, member({ active: false }), record())).toBe(false);
    expect(reached(forB, member({ sectionIds: [], sectionsTold: false }), null)).toBe(false);
  });
});

/** The form as a browser posts it, with rows as they were shown and as they were typed. */
function posted(
  rows: Record<string, { was: TypedRow; now: TypedRow }>,
  fields: Record<string, string> = {},
): Record<string, string> {
  const form: Record<string, string> = { event: "e1", act: "save", bulk: "ABSENT", ...fields };
  for (const [id, { was, now }] of Object.entries(rows)) {
    form[`seen.${id}`] = seenText({ ...was, revision: 3 });
    form[`status.${id}`] ??= now.status;
    form[`note.${id}`] = now.note;
  }
  return form;
}
const blank: TypedRow = { status: "", note: "" };
const present: TypedRow = { status: "PRESENT", note: "" };

describe("the form of the register", () => {
  test("saves the rows that were changed, with the revision that was shown", () => {
    const body = posted({ ann: { was: blank, now: present }, bob: { was: present, now: present } });
    expect(requestOf(readRegister(body))).toEqual({
      kind: "wanted",
      rows: [{ personId: "ann", status: "PRESENT", notes: null, seen: 3, confirms: false }],
      everybody: null,
      reason: null,
    });
  });

  test("fills blanks after reading what was typed, and sets all without it", () => {
    const rows = { ann: { was: blank, now: present } };
    const fill = requestOf(readRegister(posted(rows, { act: "blanks", section: "a" })));
    expect(fill).toMatchObject({
      rows: [{ personId: "ann" }],
      everybody: { who: "blanks", status: "ABSENT", sectionId: "a" },
    });
    const all = requestOf(readRegister(posted(rows, { act: "all" })));
    expect(all).toMatchObject({ rows: [], everybody: { who: "all", status: "ABSENT", sectionId: null } });
  });

  test.each([
    ["an unknown status", { "status.ann": "LEFT" }],
    ["an unknown status for the class", { bulk: "LEFT" }],
    ["a letter that the page does not have", { lines: "ann 3", letters: "P:PRESENT", s0: "X" }],
    ["a letter for an unknown status", { lines: "ann 3", letters: "P:LEFT", s0: "P" }],
    ["a line without a revision", { lines: "ann" }],
    ["a line that is not a text", { lines: "%E0%A4%A 1" }],
    ["a row that was never shown", { "seen.ann": "[3]" }],
  ])("is refused with %s, and removes no mark", (_what, wrong) => {
    const body = posted({ ann: { was: present, now: present } }, {});
    expect(() => readRegister({ ...body, ...wrong })).toThrow(
      expect.objectContaining({ code: "bad-request" }),
    );
  });

  test("saves one learner only when the button of a conflict was pressed", () => {
    const rows = { ann: { was: present, now: present }, bob: { was: blank, now: present } };
    expect(requestOf(readRegister(posted(rows, { act: "keep:ann" })))).toMatchObject({
      rows: [{ personId: "ann", status: "PRESENT", confirms: true }],
    });
    expect(requestOf(readRegister(posted(rows, { act: "take:ann" })))).toMatchObject({
      rows: [{ personId: "ann", status: null, notes: null }],
    });
  });

  test("drops the note of a withdrawn correction, and refuses a new note without a status", () => {
    const noted: TypedRow = { status: "LATE", note: "bus" };
    const back = requestOf(readRegister(posted({ ann: { was: noted, now: { ...blank, note: "bus" } } })));
    expect(back).toMatchObject({ kind: "wanted", rows: [{ status: null, notes: null }] });
    const alone = requestOf(readRegister(posted({ ann: { was: blank, now: { ...blank, note: "hm" } } })));
    expect(alone).toMatchObject({ kind: "refused", problems: new Map([["ann", "noteNeedsStatus"]]) });
  });

  test("is refused completely when one text is too long", () => {
    const long = "x".repeat(501);
    const late: TypedRow = { status: "LATE", note: long };
    const rows = { ann: { was: blank, now: present }, bob: { was: blank, now: late } };
    expect(requestOf(readRegister(posted(rows)))).toMatchObject({
      kind: "refused",
      problems: new Map([["bob", "tooLong"]]),
    });
    expect(requestOf(readRegister(posted({}, { reason: long })))).toMatchObject({ reasonTooLong: true });
  });

  describe("for many learners", () => {
    const bus: TypedRow = { status: "LATE", note: "came, 5 % late: “bus”" };
    const lines = {
      letters: "P:PRESENT T:LATE A:ABSENT J:EXCUSED",
      lines: linesText([
        lineText("ann", { ...blank, revision: 1 }, "PRESENT"),
        lineText("bob", { ...blank, revision: 0 }, ""),
        lineText("cem", { ...bus, revision: 7 }, "LATE"),
        lineText("dan", { ...blank, revision: 2 }, "LEFT EARLY, asked"),
      ]),
    };
    const changedIn = (fields: Record<string, string>) =>
      requestOf(readRegister({ event: "e1", ...lines, ...fields }));

    test("changes nothing if nothing is touched, or if the value shown is chosen again", () => {
      expect(changedIn({})).toMatchObject({ rows: [] });
      expect(changedIn({ s0: "P", s2: "T", n2: bus.note })).toMatchObject({ rows: [] });
      expect(readRegister(lines).rows.get("cem")?.seen).toEqual({ ...bus, revision: 7 });
    });

    test("reads letters in the page's language, and notes only where they were shown", () => {
      expect(changedIn({ s0: "T", s1: "J", s2: "A", s3: "P", n1: "  doctor " })).toMatchObject({
        rows: [
          { personId: "ann", status: "LATE", notes: null, seen: 1 },
          { personId: "bob", status: "EXCUSED", notes: "doctor", seen: 0 },
          { personId: "cem", status: "ABSENT", notes: bus.note, seen: 7 },
          { personId: "dan", status: "PRESENT", seen: 2 },
        ],
      });
    });

    test("shows one learner's note on request, and saves nothing", () => {
      const asked = readRegister({ ...lines, s0: "T", more: "2", act: "save" });
      expect(asked.act).toEqual({ kind: "more", personId: "cem" });
      expect(asked.rows.get("ann")?.typed.status).toBe("LATE");
      expect(requestOf(asked)).toMatchObject({ rows: [], everybody: null });
      expect(readRegister({ ...lines, more: "9" }).act).toEqual({ kind: "save" });
    });
  });

  test("opens as usual if its address cannot be read", () => {
    expect(readRegister({ show: "SOMETIMES", page: "-1" })).toMatchObject({
      eventId: "",
      filter: { sectionId: null, status: null, page: 1 },
      act: { kind: "save" },
      rows: new Map(),
    });
    expect(readRegister(undefined).rows.size).toBe(0);
    expect(requestOf(readRegister({ act: "keep:somebody" }))).toMatchObject({ rows: [] });
  });

  test("leaves the status unchanged if only the note changes", () => {
    const body = { "seen.ann": seenText({ ...present, revision: 3 }), "note.ann": "by bus" };
    expect(readRegister(body).rows.get("ann")?.typed).toEqual({ status: "PRESENT", note: "by bus" });
  });
});
