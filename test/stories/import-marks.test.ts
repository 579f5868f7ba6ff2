import { type CellValue, readXlsx, writeXlsx } from "hucre/xlsx";
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

/** Presses "Save" on a page of differences, with all its form's fields. */
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

/** Sends it as the page does without scripts: its fields, and a file. */
async function compareFile(bytes: Uint8Array<ArrayBuffer> | string, more: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    session: await site.tokenOf(),
    table: "",
    reason: "",
    ...more,
  }))
    form.set(name, value);
  form.set("file", new Blob([bytes]), "table");
  const answer = await fetch(`${site.url}/course/grid/import/difference`, { method: "POST", body: form });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}
const sheetOf = async (rows: CellValue[][]) =>
  new Uint8Array(await writeXlsx({ sheets: [{ name: "1", rows }] }));

const unescaped = (text: string) =>
  text.replaceAll("&#34;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const recordOf = (name: string, eventId: string) =>
  site.stores.attendance.find({ ...site.key, eventId, personId: `per-${name}` });
const statusOf = async (name: string, eventId: string) =>
  (await recordOf(name, eventId))?.corrections[0]?.status;

/** The exported table, with some cells changed. */
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

/** Sets a person's cell in a session. */
const write = (name: string, head: string, text: string) => (rows: string[][]) => {
  const at = rows[0]?.findIndex((one) => one.startsWith(head)) ?? -1;
  const row = rows.find(([first]) => first === name);
  if (row === undefined || at < 0) throw new Error(`the export has no ${name} in ${head}`);
  row[at] = text;
};

describe("an instructor imports marks from a spreadsheet", () => {
  test("and sees that the table they exported changes nothing", async () => {
    const page = await compare(await exported(() => undefined));
    expect(page.status).toBe(200);
    expect(textOf(page)).toMatch(
      /Nothing would change 3 learners · 3 sessions · 0 changes · 3 recorded already/,
    );
    expect(page.text).not.toContain("import/save");
  });

  test("and sees each difference before saving it: register, change log and grade follow", async () => {
    const page = await compare(
      await exported((rows) => {
        write("Bob Bauer", "Lesson s0", "Excused")(rows);
        write("Ann Adler", "Lesson s2", "l")(rows);
      }),
      { reason: "sick notes" },
    );
    expect(textOf(page)).toMatch(
      /Save these changes\? 3 learners · 3 sessions · 2 changes · 2 recorded already/,
    );
    expect(textOf(page)).toMatch(
      /Lesson s0 .*Bob Bauer Excused before: Absent .*Lesson s2 .*Ann Adler Late before: Not recorded/,
    );
    expect(await statusOf("Bob Bauer", "s0"), "nothing is saved yet").toBeUndefined();

    const saved = await save(page);
    expect(textOf(saved)).toContain("2 changes saved.");
    const bob = (await recordOf("Bob Bauer", "s0"))?.corrections[0];
    expect(bob).toMatchObject({ status: "EXCUSED", reason: "sick notes", by: "per-Ina" });
    expect(await statusOf("Ann Adler", "s2")).toBe("LATE");
    const { registrationId, courseId } = site.key;
    const key = { registrationId, courseId, columnKey: attendanceColumn, personId: "per-Ann Adler" };
    // One present and one late session: (100 + 80) / 2.
    expect((await site.stores.deliveries.find(key))?.desired?.score).toBe(90);
    const lines = await site.stores.courseAudit.list({ ...site.key, personId: null }, null, 10);
    expect(JSON.stringify(lines)).toContain("sick notes");

    // Pressed again, or after going back: it says the same, and there is one correction.
    await save(page);
    expect((await recordOf("Bob Bauer", "s0"))?.corrections).toHaveLength(1);
  });

  test("from the sheet that they exported and filled in", async () => {
    const { bytes } = await site.download("/course/grid.xlsx");
    expect(textOf(await compareFile(new Uint8Array(bytes)))).toContain("Nothing would change");
    const rows = (await readXlsx(bytes)).sheets[0]?.rows ?? [];
    const ann = rows.find(([name]) => name === "Ann Adler") ?? [];
    ann[rows[0]?.findIndex((head) => String(head).startsWith("Lesson s1")) ?? -1] = "e";
    const page = await compareFile(await sheetOf(rows));
    expect(textOf(page)).toMatch(/1 change .*Lesson s1 .*Ann Adler Excused before: Not recorded/);
    expect(unescaped(page.text)).toContain("Edit the table");
  });

  test("from a sheet with a date as the heading, and with people's e-mail addresses", async () => {
    const ann = await site.stores.people.find("per-Ann Adler");
    if (ann === null) throw new Error("nobody");
    await site.stores.people.record(ann, { ...ann, email: "ann@example.org" }, ann);
    const day = new Date(site.clock.now() - 2 * 86_400_000);
    const rows = [["Email address", day], [], ["ann@example.org", "Present"]];
    expect(textOf(await compareFile(await sheetOf(rows)))).toMatch(/Ann Adler Present before: Not recorded/);
  });

  test.each([
    ["UTF-8", Buffer.from("Name,Lesson s2\nCid Cramer,Late")],
    ["UTF-16", Buffer.from("\ufeffName\tLesson s2\nCid Cramer\tLate", "utf16le")],
    ["an older Windows", Buffer.from("Name;Lesson s2\nCid Cramer;Late\nZo\xeb Zorn;Late", "latin1")],
  ])("from a text file in %s, which is used rather than what is pasted", async (_what, bytes) => {
    const said = textOf(
      await compareFile(new Uint8Array(bytes), { table: "Name,Lesson s2\nAnn Adler,Late" }),
    );
    expect(said).toMatch(/1 change .*Cid Cramer Late before: Not recorded/);
    if (said.includes("Zo")) expect(said).toContain("“Zoë Zorn”");
  });

  test("and edits a table that is too long to be stored, as it was typed", async () => {
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

  test("that a colleague exported in another language", async () => {
    const table = await exported(write("Cid Cramer", "Lesson s2", "Entschuldigt"), "de-DE");
    expect(table).toContain("LMS-ID");
    expect(textOf(await compare(table))).toMatch(/1 change .*Cid Cramer Excused before: Not recorded/);
  });

  test("from the LMS's own export, with the institution's ID numbers", async () => {
    const cid = await site.stores.people.find("per-Cid Cramer");
    if (cid === null) throw new Error("nobody");
    await site.stores.people.record(cid, { ...cid, idNumber: "M-0017" }, cid);
    const table = "First name\tSurname\tID number\tLesson s2\nC.\tCramer\tM-0017\tExcused";
    expect(textOf(await compare(table))).toMatch(/1 change .*Cid Cramer Excused before: Not recorded/);
  });

  test("and learners who were marked in between keep their marks", async () => {
    const page = await compare("Learner\tLesson s1\nCid Cramer\tPresent\nBob Bauer\tPresent");
    await site.corrects("Cid Cramer", "s1", "ABSENT");
    expect(textOf(await save(page))).toContain(
      "1 change saved. 1 learner was changed since you compared and stays as they are.",
    );
    expect([await statusOf("Cid Cramer", "s1"), await statusOf("Bob Bauer", "s1")]).toEqual([
      "ABSENT",
      "PRESENT",
    ]);
  });

  test("and their notes stay", async () => {
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

  test("and sees what is left out, while the rest can be saved", async () => {
    const page = await compare(
      "Name;Lesson s0;Physics\nAnn Adler;Late;P\nZoe Zorn;Late;\nBob Bauer;was there;",
    );
    const said = textOf(page);
    expect(said).toContain("Column “Physics”: not a session of this course.");
    expect(said).toContain("Line 3: nobody in this course is “Zoe Zorn”.");
    expect(said).toContain("Line 4, Lesson s0: “was there” isn’t a status.");
    expect(said).toMatch(/Ann Adler Late before: Present/);
    expect(page.text).toContain("Save 1 change<");
  });

  test("and gets back what they typed if nothing of it can be read", async () => {
    const table = "Who;When\nAnn;now";
    const page = await compare(table);
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain("Name one “LMS ID” or “Learner”.");
    expect(page.text).toContain(table);
  });
});

const unreadable = "We can’t read this file.";
const wide = Array.from({ length: 10_000 }, () => "x");

/** A ZIP file with one part, as its central directory describes it (APPNOTE.TXT 4.3.12). */
function zipOf(packed: number, unpacked: number, flags = 0, listSize = 46) {
  const [part, entry, end] = [Buffer.alloc(35), Buffer.alloc(46), Buffer.alloc(22)];
  part.write("PK\x03\x04", "latin1");
  entry.write("PK\x01\x02", "latin1");
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(unpacked, 24);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(listSize, 12);
  end.writeUInt32LE(part.length, 16);
  return Buffer.concat([part, entry, end]);
}

describe("an import is refused", () => {
  test.each([
    ["without a file and cells", " ", "Choose a file, or paste cells."],
    ["with a heading alone", "Learner,Lesson s0", "There are no lines below the heading row."],
    ["without a session", "Learner,Physics\nAnn Adler,P", "No column belongs to a session of this course."],
    ["that is too large", `Learner,Lesson s0\n${"x".repeat(1_500_000)}`, "This table is too large."],
    ["with too many columns", `Learner,Lesson s0${",x".repeat(2_500)}\nAnn Adler,P`, "too large"],
    ["with too many lines", `Learner,Lesson s0${"\nAnn Adler,P".repeat(20_000)}`, "too large"],
    ["with letters that expand to many", `Learner,Lesson s0\n${"\ufdfa".repeat(200_000)},P`, "too large"],
  ])("%s", async (_what, table, sentence) => {
    const page = await compare(table);
    expect([page.status, textOf(page)]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test.each([
    ["that is not a table", () => Buffer.from("\x00\x01\x02"), unreadable],
    ["that is a ZIP file, but not a workbook", () => zipOf(5, 5), unreadable],
    ["that unpacks to too much", () => zipOf(5, 40_000_000), "too large"],
    ["that hides its unpacked size", () => zipOf(5, 0), unreadable],
    ["whose parts have their sizes after them", () => zipOf(0, 9, 8), unreadable],
    ["with its directory elsewhere", () => zipOf(5, 5, 0, 0xffffffff), unreadable],
    ["with too many lines", () => sheetOf(Array.from({ length: 5_001 }, () => ["Ann Adler"])), "too large"],
    ["with too many cells", () => sheetOf(Array.from({ length: 41 }, () => wide)), "too large"],
  ])("with a file %s", async (_what, bytes, sentence) => {
    const page = await compareFile(new Uint8Array(await bytes()));
    expect([page.status, textOf(page)]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test("with a file from a stranger, before it is read", async () => {
    const page = await compareFile(await sheetOf([["Name", "Lesson s0"]]), { session: "nobody" });
    expect(page.status).toBe(401);
  });

  test("with a reason that is too long, which is kept", async () => {
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
  ])("when the confirmed marks have %s", async (_what, marks) => {
    const answer = await site.post("/course/grid/import/save", { marks, reason: "" });
    expect(answer.status).toBe(400);
  });

  test.each([
    ["somebody outside the course", "s0 per-Nobody,0,LATE"],
    ["a session of another course", "of-another-course per-Ann%20Adler,0,LATE"],
  ])("when the confirmed marks name %s", async (_what, marks) => {
    const answer = await site.post("/course/grid/import/save", { marks, reason: "" });
    expect(answer.status).toBe(404);
  });
});
