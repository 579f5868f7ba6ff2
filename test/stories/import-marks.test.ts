import { beforeAll, describe, expect, test } from "vitest";
import { attendanceColumn } from "../../src/modules/grading/rules/column.ts";
import { csvLine } from "../../src/web/table-file.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { type GridSite, openGridSite } from "../support/tool/grid-site.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const site = await forAllTests(openGridSite());
beforeAll(async () => {
  for (const name of ["Ann Adler", "Bob Bauer", "Cid Cramer"]) await site.enrol(name);
  await site.lessons(3);
  await site.marks("Ann Adler", "s0", "PRESENT");
  await site.marks("Bob Bauer", "s0", "ABSENT");
  await site.corrects("Cid Cramer", "s1", "LATE");
});

type Shown = Awaited<ReturnType<GridSite["post"]>>;
const compare = (table: string, more: Record<string, string> = {}, change = {}) =>
  site.post("/course/grid/import/difference", { table, ...more }, change);

/** Presses "Save" on a page of differences, with all that its form carries. */
async function save(page: Shown, more: Record<string, string> = {}): Promise<Shown> {
  const body = new URLSearchParams({
    session: await site.tokenOf(),
    reason: hiddenField(page, "reason"),
    ...more,
  });
  for (const [, mark = ""] of page.text.matchAll(/name="marks"\s+value="([^"]*)"/g))
    body.append("marks", mark);
  const answer = await fetch(`${site.url}/course/grid/import/save`, { method: "POST", body });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const unescaped = (text: string) =>
  text.replaceAll("&#34;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const recordOf = (name: string, eventId: string) =>
  site.stores.attendance.find({ ...site.key, eventId, personId: `per-${name}` });
const statusOf = async (name: string, eventId: string) =>
  (await recordOf(name, eventId))?.corrections[0]?.status;

/** The table that is taken away, with some cells written over. */
async function exported(edit: (rows: string[][]) => void, locale = "en"): Promise<string> {
  const { text } = await site.post("/course/grid.csv", {}, { locale });
  const rows = text
    .trimEnd()
    .split("\r\n")
    .map((line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) => cell));
  const plain = rows.map((row) => row.map((cell) => cell.replace(/^"|"$/g, "")));
  edit(plain);
  return plain.map(csvLine).join("");
}

/** Sets the cell of somebody in a session. */
const write = (name: string, head: string, text: string) => (rows: string[][]) => {
  const at = rows[0]?.findIndex((one) => one.startsWith(head)) ?? -1;
  const row = rows.find(([first]) => first === name);
  if (row === undefined || at < 0) throw new Error(`the export has no ${name} in ${head}`);
  row[at] = text;
};

describe("an instructor brings marks from a spreadsheet", () => {
  test("and sees that the table they exported changes nothing", async () => {
    const page = await compare(await exported(() => undefined));
    expect(page.status).toBe(200);
    expect(textOf(page)).toMatch(
      /Nothing would change 3 learners · 3 sessions · 0 changes · 3 recorded already/,
    );
    expect(page.text).not.toContain("import/save");
  });

  test("and sees each difference before anything is saved, then saves it: register, trail and grade follow", async () => {
    const page = await compare(
      await exported((rows) => {
        write("Bob Bauer", "Lesson s0", "Excused")(rows);
        write("Ann Adler", "Lesson s2", "l")(rows);
      }),
      { reason: "sick notes" },
    );
    expect(textOf(page)).toMatch(
      /Save these marks\? 3 learners · 3 sessions · 2 changes · 2 recorded already/,
    );
    expect(textOf(page)).toMatch(
      /Lesson s0 .*Bob Bauer Excused before: Absent .*Lesson s2 .*Ann Adler Late before: Not recorded/,
    );
    expect(await statusOf("Bob Bauer", "s0"), "nothing is saved yet").toBeUndefined();

    const saved = await save(page);
    expect(textOf(saved)).toContain("2 marks saved.");
    const bob = (await recordOf("Bob Bauer", "s0"))?.corrections[0];
    expect(bob).toMatchObject({ status: "EXCUSED", reason: "sick notes", by: "per-Ina" });
    expect(await statusOf("Ann Adler", "s2")).toBe("LATE");
    const { registrationId, courseId } = site.key;
    const key = { registrationId, courseId, columnKey: attendanceColumn, personId: "per-Ann Adler" };
    // Present and late of two sessions: (100 + 80) / 2.
    expect((await site.stores.deliveries.find(key))?.desired?.score).toBe(90);
    const lines = await site.stores.courseAudit.list({ ...site.key, personId: null }, null, 10);
    expect(JSON.stringify(lines)).toContain("sick notes");

    // Pressed twice, or back and again: it says the same, and one correction stands.
    await save(page);
    expect((await recordOf("Bob Bauer", "s0"))?.corrections).toHaveLength(1);
  });

  test("and edits a table that is too long to be kept, as it was typed", async () => {
    const long = `Learner\tLesson s2\nBob "B" Bauer\tLate\n${"Nobody <here>\t\n".repeat(2_000)}`;
    const page = await compare(long, { reason: "a long list" });
    const typed = unescaped(/name="table"\s+value="([^"]*)"/.exec(page.text)?.[1] ?? "");
    expect(typed).toBe(long);
    const edit = await site.post("/course/grid/import/edit", { table: typed, reason: "a long list" });
    const shown = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(edit.text)?.[1] ?? "";
    expect(unescaped(shown)).toBe(long);
    expect(hiddenField(page, "reason")).toBe("a long list");
    expect((await compare("Learner\tLesson s2\nBob Bauer\tLate")).text).not.toContain("import/edit");
  });

  test("as a colleague exported it in another language", async () => {
    const table = await exported(write("Cid Cramer", "Lesson s2", "Entschuldigt"), "de-DE");
    expect(table).toContain("LMS-ID");
    expect(textOf(await compare(table))).toMatch(/1 change .*Cid Cramer Excused before: Not recorded/);
  });

  test("from the LMS's own export, which has the institution's ID numbers", async () => {
    const cid = await site.stores.people.find("per-Cid Cramer");
    if (cid === null) throw new Error("nobody");
    await site.stores.people.record(cid, { ...cid, idNumber: "M-0017" }, cid);
    const table = "First name\tSurname\tID number\tLesson s2\nC.\tCramer\tM-0017\tExcused";
    expect(textOf(await compare(table))).toMatch(/1 change .*Cid Cramer Excused before: Not recorded/);
  });

  test("and learners who were marked meanwhile keep their marks", async () => {
    const page = await compare("Learner\tLesson s1\nCid Cramer\tPresent\nBob Bauer\tPresent");
    await site.corrects("Cid Cramer", "s1", "ABSENT");
    expect(textOf(await save(page))).toContain(
      "1 mark saved. 1 mark changed since you compared and stays as it is.",
    );
    expect([await statusOf("Cid Cramer", "s1"), await statusOf("Bob Bauer", "s1")]).toEqual([
      "ABSENT",
      "PRESENT",
    ]);
  });

  test("and a note of theirs survives", async () => {
    await site.stores.attendance.correct(
      { ...site.key, eventId: "s2", personId: "per-Bob Bauer" },
      { status: "ABSENT", notes: "Called in", reason: null, by: "per-Ina", at: site.clock.now() },
      { id: "att_note", sectionIds: [] },
    );
    await save(await compare("Learner\tLesson s2\nBob Bauer\tExcused"));
    expect((await recordOf("Bob Bauer", "s2"))?.corrections[0]).toMatchObject({
      status: "EXCUSED",
      notes: "Called in",
    });
  });

  test("and reads what is left out, while the rest can be saved", async () => {
    const page = await compare(
      "Name;Lesson s0;Physics\nAnn Adler;Late;P\nZoe Zorn;Late;\nBob Bauer;was there;",
    );
    const said = textOf(page);
    expect(said).toContain("Column “Physics”: not a session of this course.");
    expect(said).toContain("Line 3: nobody in this course is “Zoe Zorn”.");
    expect(said).toContain("Line 4, Lesson s0: “was there” isn’t a status.");
    expect(said).toMatch(/Ann Adler Late before: Present/);
    expect(page.text).toContain("Save 1 mark<");
  });

  test("and gets back what they typed where nothing of it can be read", async () => {
    const table = "Who;When\nAnn;now";
    const page = await compare(table);
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain("Name one “LMS id” or “Learner”.");
    expect(page.text).toContain(table);
  });
});

describe("an import is refused", () => {
  test.each([
    ["with a head alone", "Learner,Lesson s0", "There are no lines below the heading row."],
    ["without a session", "Learner,Physics\nAnn Adler,P", "No column belongs to a session of this course."],
    ["that is too large", `Learner,Lesson s0\n${"x".repeat(1_500_000)}`, "This table is too large."],
  ])("%s", async (_what, table, sentence) => {
    const page = await compare(table);
    expect([page.status, textOf(page)]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test("with a reason that is too long, and keeps it", async () => {
    const reason = "x".repeat(1_001);
    const page = await compare("Learner,Lesson s0\nAnn Adler,P", { reason });
    expect(page.status).toBe(422);
    expect(page.text).toContain(reason);
  });

  test.each([
    ["no mark", ""],
    ["an unknown status", "s0 per-Ann%20Adler,0,LEFT"],
    ["no revision", "s0 per-Ann%20Adler,x,LATE"],
    ["no session", " per-Ann%20Adler,0,LATE"],
    ["broken text", "s0 %zz,0,LATE"],
  ])("when what is confirmed by hand has %s", async (_what, marks) => {
    const answer = await site.post("/course/grid/import/save", { marks, reason: "" });
    expect(answer.status).toBe(400);
  });

  test.each([
    ["somebody of no course", "s0 per-Nobody,0,LATE"],
    ["a session of another course", "of-another-course per-Ann%20Adler,0,LATE"],
  ])("when what is confirmed by hand names %s", async (_what, marks) => {
    const answer = await site.post("/course/grid/import/save", { marks, reason: "" });
    expect(answer.status).toBe(404);
  });
});
