import { readXlsx } from "hucre/xlsx";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openGridSite } from "../support/tool/grid-site.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const site = await forAllTests(openGridSite());
beforeAll(async () => {
  for (const id of ["a", "b"])
    await site.stores.sections.record(
      site.key,
      { lmsSectionId: id, lmsName: `Section ${id}`, lmsSetName: null },
      `sec_${id}`,
    );
  for (const [name, section] of [
    ["Ann", "a"],
    ["Bob", "a"],
    ["Cid", "b"],
  ] as const)
    await site.enrol(name, [section]);
  await site.lessons(3);
  await site.marks("Ann", "s0", "PRESENT");
  await site.marks("Ann", "s1", "LATE");
  await site.marks("Bob", "s0", "ABSENT");
  await site.marks("Bob", "s1", "EXCUSED");
  await site.marks("Cid", "s0", "LEFT");
});

const grid = (fields: Record<string, string> = {}) => site.post("/course/grid", fields);
const cell = (name: string, event: string) => ({ person: `per-${name}`, event });

const looksOf = ({ text }: { text: string }) =>
  z
    .record(z.string(), z.tuple([z.string(), z.string(), z.string()]))
    .parse(JSON.parse((/data-looks="([^"]*)"/.exec(text)?.[1] ?? "{}").replaceAll("&#34;", '"')));

/** The marks in somebody's row, in the order of the sessions. */
function rowOf(page: { text: string }, name: string): string[] {
  const row = page.text.split("<tr>").find((one) => one.includes(`>${name}</button>`)) ?? "";
  const looks = looksOf(page);
  return [...row.matchAll(/<button name=cell value=[\d.]+(?: autofocus)?(?: class="([^"]*)")?>/g)].map(
    ([, face = ""]) => looks[face]?.[0] ?? face,
  );
}

/** The fields that a cell's page posts. */
function fieldsOf({ text }: { text: string }): Record<string, string> {
  const form = /<form [^>]*data-menu>([\s\S]*?)<\/form>/.exec(text)?.[1] ?? "";
  const fields = [...form.matchAll(/<input [^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
  return Object.fromEntries(
    fields
      .filter(([, name]) => name !== "session")
      .map(([, name = "", value = ""]) => [name, value.replaceAll("&#34;", '"')]),
  );
}

async function save(name: string, event: string, status: string, more: Record<string, string> = {}) {
  const page = await site.post("/course/grid/cell", cell(name, event));
  return site.post("/course/grid/cell/save", {
    ...fieldsOf(page),
    [`status.per-${name}`]: status,
    act: "save",
    ...more,
  });
}

const tapSchema = z.object({
  said: z.string(),
  look: z.object({ name: z.string(), value: z.string() }),
  takesBack: z.object({ status: z.string(), note: z.string() }).nullable(),
});

describe("the table of learners and sessions", () => {
  test("names each learner's status in each session", async () => {
    const page = await grid();
    expect(page.status).toBe(200);
    expect(rowOf(page, "Ann")).toEqual(["Present", "Late", "Not recorded"]);
    expect(rowOf(page, "Bob")).toEqual(["Absent", "Excused", "Not recorded"]);
    expect(rowOf(page, "Cid")[0]).toMatch(/LEFT/);
    expect(textOf(page)).toContain("3 learners · 3 sessions · 67% attended · 4 not recorded");
    expect(page.text).toContain("1 present, 1 with an unknown status, 1 absent");
  });

  test("counts unrecorded learners in a session's share, and draws no share if few are recorded", async () => {
    const said = textOf(await grid());
    expect(said).toContain("Attended 50% 50% – ");
    expect(said).toContain("2 sessions: from 50% to 50%");
    expect(said).toMatch(
      /Session Absent Not recorded Attended Lesson s0 .*1 present, 1 with an unknown status 1 0 50%/,
    );
    expect(said).toMatch(/Lesson s2 [^L]*nothing recorded 0 3 –/);
  });

  test("filters learners by section, name, low attendance and missing marks", async () => {
    expect(rowOf(await grid({ section: "b" }), "Ann")).toEqual([]);
    expect(rowOf(await grid({ find: "BÓ" }), "Bob")).toHaveLength(3);
    const low = await grid({ only: "low", percent: "60" });
    expect(rowOf(low, "Bob")).toHaveLength(3);
    expect(rowOf(low, "Ann")).toEqual([]);
    expect(textOf(await grid({ find: "nobody at all" }))).toContain("Nobody matches.");
    expect(rowOf(await grid({ only: "unknown" }), "Cid")).toHaveLength(3);
  });

  test.each([
    ["present", ["Ann"]],
    ["late", ["Ann"]],
    ["excused", ["Bob"]],
  ])("shows only people who were %s at least once", async (only, names) => {
    const page = await grid({ only });
    expect(["Ann", "Bob", "Cid"].filter((name) => rowOf(page, name).length > 0)).toEqual(names);
    expect(page.text).toContain(`<option value="${only}" selected>`);
    expect(textOf(await grid({ only, section: "b" }))).toContain("Nobody matches.");
  });

  test("finds a pressed cell by its place in the table that was sent", async () => {
    const page = await site.post("/course/grid/cell", { cell: "7.2", "p.7": "per-Bob", "e.2": "s1" });
    expect(textOf(page)).toMatch(/Bob: Lesson s1 .*Excused/);
  });

  test("keeps the reader's place, shows a mark by hand with its note, and undoes it", async () => {
    const saved = await save("Ann", "s2", "EXCUSED", { "note.per-Ann": "ill", section: "a" });
    expect(saved.status).toBe(200);
    expect(textOf(saved)).toContain("Saved. Ann, Lesson s2: Excused.");
    expect(rowOf(saved, "Ann")[2]).toBe("Excused (changed by hand, has a note)");
    expect(rowOf(saved, "Cid"), "the section is still chosen").toEqual([]);
    expect(/ autofocus class="([^"]*)"/.exec(saved.text)?.[1]).toBe("E by");
    const page = await site.post("/course/grid/cell", cell("Ann", "s2"));
    expect(textOf(page)).toMatch(/History .*Ina Instructor – Excused Note: ill/);
    const back = await site.post("/course/grid/cell/save", { ...fieldsOf(page), act: "take:per-Ann" });
    expect(rowOf(back, "Ann")[2]).toBe("Not recorded");
  });

  test("shows that the classroom disagrees, and settles it", async () => {
    await save("Bob", "s0", "LATE");
    await site.classroomSays("Bob", "s0", "PRESENT", Date.now() + 1_000);
    await site.grade("per-Bob");
    expect(rowOf(await grid({ only: "conflict" }), "Bob")[0]).toBe(
      "Late (changed by hand, differs from the classroom)",
    );
    const page = await site.post("/course/grid/cell", cell("Bob", "s0"));
    const taken = await site.post("/course/grid/cell/save", { ...fieldsOf(page), act: "take:per-Bob" });
    expect(rowOf(taken, "Bob")[0]).toBe("Present");
  });

  test("marks with one tap, says so, and undoes it", async () => {
    const tap = (fields: Record<string, string>) =>
      site.post("/course/register/mark", { ...cell("Cid", "s2"), ...fields });
    const read = ({ text }: { text: string }) => tapSchema.parse(JSON.parse(text));
    const marked = read(await tap({ was: "", status: "EXCUSED" }));
    expect(marked).toMatchObject({ said: "Cid marked Excused", look: { name: "E by", value: "EXCUSED" } });
    expect(rowOf(await grid(), "Cid")[2]).toBe("Excused (changed by hand)");
    const late = read(await tap({ was: "EXCUSED", status: "LATE" }));
    expect(late.takesBack).toEqual({ status: "EXCUSED", note: "" });
    const stale = read(await tap({ was: "EXCUSED", status: "ABSENT" }));
    expect(stale).toMatchObject({ said: "Not saved. Somebody changed Cid just now: Late", takesBack: null });
    const back = read(await tap({ was: "LATE", status: "EXCUSED", note: "", undoes: "1" }));
    expect(back).toMatchObject({ said: "Undone. Cid: Excused", takesBack: null });
    for (const status of ["GONE", "late"]) expect((await tap({ was: "EXCUSED", status })).status).toBe(400);
    expect((await tap({ was: "EXCUSED" })).status).toBe(400);
    const silent = read(await tap({ was: "EXCUSED", status: "", undoes: "1" }));
    expect(silent).toMatchObject({ said: "Undone. Cid: Not recorded", look: { name: "U", value: "" } });
  });

  test("keeps a note when a tap changes the status", async () => {
    await save("Cid", "s2", "LATE", { "note.per-Cid": "by bus" });
    const fields = { ...cell("Cid", "s2"), was: "LATE", status: "ABSENT" };
    const answer = await site.post("/course/register/mark", fields);
    expect(tapSchema.parse(JSON.parse(answer.text)).takesBack).toEqual({ status: "LATE", note: "by bus" });
    expect(rowOf(await grid(), "Cid")[2]).toBe("Absent (changed by hand, has a note)");
  });

  test("keeps people who left with their marks, and lists sessions for other sections apart", async () => {
    await site.enrol("Eve", ["a"]);
    await site.marks("Eve", "s0", "PRESENT");
    await site.leaves("Eve");
    await site.enrol("Fay", ["a"]);
    await site.leaves("Fay");
    const page = await grid();
    expect(rowOf(page, "Eve")).toEqual(["Present", "Left the course", "Left the course"]);
    expect(rowOf(page, "Fay")).toEqual([]);
  });

  test("can be downloaded for spreadsheets, with no name as a formula", async () => {
    await site.known("per-Evil", '=HYPERLINK("x")');
    await site.learner("per-Evil", ["a"]);
    await site.known("per-Hidden", null);
    await site.learner("per-Hidden", ["a"]);
    const file = await site.post("/course/grid.csv");
    expect(file.headers.get("content-type")).toContain("text/csv");
    const lines = file.text.split("\r\n");
    expect(lines[0]).toMatch(
      /Learner,LMS ID,In the course,Sections,"Lesson s0, .*"Attended, percent",First attended,.*,Last attended,/,
    );
    expect(lines.find((one) => one.startsWith("Ann"))).toMatch(
      /^Ann,sub-per-Ann,yes,Section a,Present,Late,,1,1,0,0,0,100,[\d-]{10},classroom,[\d-]{10},classroom$/,
    );
    expect(file.text).toContain(`"'=HYPERLINK(""x"")"`);
    expect(file.text).toContain("Learner r-Hidden,sub-per-Hidden");
  });
});

/** A day some days before today in UTC, as a form sends it. */
const daysAgo = (count: number) => new Date(site.clock.now() - count * 86_400_000).toISOString().slice(0, 10);

describe("an instructor's download", () => {
  const opened = async (fields: Record<string, string> = {}, locale = "en") => {
    const { bytes, headers } = await site.download("/course/grid.xlsx", fields, { locale });
    const [sheet] = (await readXlsx(bytes, { readStyles: true })).sheets;
    if (sheet === undefined) throw new Error("no sheet");
    const lineOf = (name: string) => sheet.rows.find(([first]) => first === name) ?? [];
    return { headers, sheet, lineOf, text: sheet.rows.map((row) => row.join(" ").trim()).join("\n") };
  };

  test("is a sheet with the content of the page and its totals in words below", async () => {
    const { headers, sheet, lineOf, text } = await opened({ find: "ann" });
    expect(headers.get("content-type")).toContain("openxmlformats-officedocument.spreadsheetml.sheet");
    expect(headers.get("content-disposition")).toMatch(/attendance table \d{4}-\d\d-\d\d\.xlsx/);
    expect(sheet.rows[0]?.slice(0, 4)).toEqual(["Learner", "LMS ID", "In the course", "Sections"]);
    const ofPage = rowOf(await grid(), "Ann").map((words) => words.replace("Not recorded", ""));
    expect(
      lineOf("Ann")
        .slice(4, 7)
        .map((cell) => cell ?? ""),
    ).toEqual(ofPage);
    expect(lineOf("Ann").slice(7, 13)).toEqual([1, 1, 0, 0, 0, 100]);
    expect(text).toMatch(/1 learner found · 3 sessions · 100% attended · 1 not recorded/);
    expect(text).toContain("1 present, 1 late, 1 not recorded");
    expect(text).toMatch(/All sessions\nCreated by Ina Instructor, .*\d\n/);
  });

  test("keeps a name that looks like a formula as text", async () => {
    const { sheet, lineOf } = await opened();
    expect(lineOf('=HYPERLINK("x")')[1]).toBe("sub-per-Evil");
    expect([...(sheet.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)).toEqual([]);
  });

  test("goes from right to left in Arabic, with the words of the page", async () => {
    const { sheet, lineOf } = await opened({}, "ar");
    expect(sheet.view?.rightToLeft).toBe(true);
    expect(sheet.rows[0]?.[0]).toBe("الطالب");
    expect(lineOf("Ann")[4]).toBe("حضور");
  });

  test("covers the chosen days in every format, and so do its totals", async () => {
    const days = { from: daysAgo(2), to: daysAgo(2), find: "ann" };
    const { sheet, lineOf, text } = await opened(days);
    expect(sheet.rows[0]?.filter((head) => String(head).startsWith("Lesson"))).toHaveLength(1);
    const day = lineOf("Ann")[11];
    expect(lineOf("Ann").slice(4)).toEqual(["Late", 0, 1, 0, 0, 0, 100, day, "classroom", day, "classroom"]);
    expect(text).toMatch(/Sessions from .* to .*/);
    const file = await site.post("/course/grid.csv", days);
    expect(file.text.split("\r\n")[1]).toMatch(/^Ann,sub-per-Ann,yes,Section a,Late,0,1,0,0,0,100,/);
    const paper = await site.post("/course/grid/print", days);
    expect(paper.text).not.toContain("Lesson s0");
    expect(textOf(paper)).toMatch(/Lesson s1 .*Ann L Late 0 1 0 0 100%/);
  });

  test("covers everything if the days are invalid", async () => {
    const { lineOf } = await opened({ from: "soon", to: "2026-02-30" });
    expect(lineOf("Ann").slice(4, 6)).toEqual(["Present", "Late"]);
  });

  test("has a print page: the table, its learners, its author, its symbols and totals in words", async () => {
    const paper = await site.post("/course/grid/print", { section: "a" });
    expect(paper.status).toBe(200);
    const said = textOf(paper);
    expect(said).toMatch(/Section a · All sessions · Created by Ina Instructor, /);
    expect(said).toMatch(/Bob .* Late/);
    expect(said).not.toMatch(/Cid/);
    expect(said).toMatch(/P Present L Late A Absent E Excused/);
    expect(said).toMatch(/\d+ learners · 3 sessions · /);
  });
});

test("one learner's page says how much they attended, and leads back to the same view of the table", async () => {
  const page = await site.post("/course/learner", { person: "per-Ann", find: "an", order: "rate" });
  expect(textOf(page)).toMatch(
    /100% attended .*P \d+ Lesson s0, .*: Present .*1 present, 1 late, 1 not recorded/,
  );
  expect(page.text).toContain('name="order" value="rate"');
});

test("another course's records, and unknown ones, are not found", async () => {
  expect((await site.post("/course/grid/cell", cell("Nobody", "s0"))).status).toBe(404);
  expect((await site.post("/course/grid/cell", cell("Ann", "of-another-course"))).status).toBe(404);
  expect(
    (await site.post("/course/register/mark", { ...cell("Ann", "of-another-course"), status: "" })).status,
  ).toBe(404);
});

test("the register of a large class is refreshed without sending all of it", async () => {
  const large = await openGridSite();
  try {
    await Promise.all(Array.from({ length: 300 }, (_none, at) => large.enrol(`Learner ${at}`)));
    await large.lessons(1);
    const { text } = await large.post("/course/register", { event: "s0" });
    const form = text.split("<form").find((one) => one.includes('/register/read"')) ?? "";
    const fields = [
      ...(form.split("</form>")[0] ?? "").matchAll(/<input [^>]*name="([^"]*)"[^>]*value="([^"]*)"/g),
    ];
    expect(fields.map(([, name]) => name)).toEqual(["session", "event", "section", "show", "page"]);
  } finally {
    await large.close();
  }
});

test("registers say how many learners are recorded, and link to those that aren't complete", async () => {
  const course = await openGridSite();
  try {
    for (const name of ["Ann", "Bob"]) await course.enrol(name);
    await course.lessons(2);
    await course.marks("Ann", "s0", "PRESENT");
    await course.corrects("Bob", "s0", "EXCUSED");
    await course.marks("Ann", "s1", "LATE");
    const all = textOf(await course.post("/course/register"));
    expect(all).toMatch(
      /All sessions 2 Not complete 1 Lesson s1 .*1 of 2 recorded Open Lesson s0 .*2 of 2 recorded/,
    );
    const open = textOf(await course.post("/course/register", { show: "blank" }));
    expect(open).toMatch(/Lesson s1 .*1 of 2 recorded/);
    expect(open).not.toContain("Lesson s0");
    await course.corrects("Bob", "s1", "ABSENT");
    expect(textOf(await course.post("/course/register", { show: "blank" }))).toContain(
      "Every register is complete.",
    );
    expect(textOf(await course.post("/course/register"))).not.toContain("Not complete");
  } finally {
    await course.close();
  }
});

test("the register of a deleted session asks whether its marks count, and follows the answer", async () => {
  await site.session("ended", site.clock.now() - 7_200_000);
  const event = await site.stores.events.find("production", "ended");
  if (event === null) throw new Error("no such session");
  await site.marks("Ann", "ended", "ABSENT");
  await site.stores.events.save({ ...event, cancelled: true, deleted: true });
  const register = async (path = "", fields: Record<string, string> = {}) =>
    textOf(await site.post(`/course/register${path}`, { event: "ended", ...fields }));
  const asks = "was deleted in the classroom. 1 learner is still recorded in it. Does that count?";
  expect(await register()).toContain(asks);
  expect(await register("/decide", { decision: "shorten" })).toContain("Check the question again.");
  expect(await register("/decide", { decision: "anything" })).toContain(asks);
  const left = await register("/decide", { decision: "leave" });
  expect(left).toContain("What was recorded doesn’t count. Count it");
  const kept = await register("/decide", { decision: "keep" });
  expect(kept).toContain("What was recorded counts. Don’t count it");
  const unknown = await site.post("/course/register/decide", { event: "another", decision: "keep" });
  expect(unknown.status).toBe(404);
  const learner = await site.post("/course/register/decide", { event: "ended" }, { role: "learner" });
  expect(learner.status).toBe(403);
});
