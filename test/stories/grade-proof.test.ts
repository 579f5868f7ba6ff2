import { readXlsx } from "hucre/xlsx";
import { expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { post } from "../support/stand-ins/signed-launch.ts";
import { gradeOfLearner, holdSession, metric, startWorld, walkIn } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const world = await forAllTests(startWorld({ manners: "canvas", learners: 3 }));

type Page = Seen & { visitor: Visitor };

async function opens(person: string): Promise<Page> {
  const visitor = createVisitor();
  return { ...(await openCourseLink(visitor, world.lms, person, biology.link, { framed: true })), visitor };
}
async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}
const openGrades = async () => press(await opens("teacher1"), "/course/grades");

/** Given and family name of somebody, as the LMS tells them. */
function nameOf(username: string): string {
  const { given = "", family = "" } =
    [...world.lms.world.people.values()].find((one) => one.username === username) ?? {};
  return `${given} ${family}`;
}
/** The row of a learner. */
const rowOf = (page: Page, username: string) =>
  page.text
    .split(/<tr|<li>/)
    .slice(1)
    .find((one) => one.includes(nameOf(username))) ?? "";
/** The value of a button in somebody's row whose value begins so. */
const buttonOf = (page: Page, username: string, begins: string) =>
  new RegExp(`value="(${begins}[^"]*)"`).exec(rowOf(page, username))?.[1] ?? "";
const has = (username: string, grade: number) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, username)).toBe(grade);
  }, patience);

/** The rows of the same file as a sheet. */
async function sheetOf(page: Page, kind: string, fields: Record<string, string> = {}) {
  const session = hiddenField(page, "session");
  const answer = await post(`${world.toolUrl}/course/grades.xlsx`, { session, kind, ...fields });
  const [sheet] = (await readXlsx(new Uint8Array(await answer.arrayBuffer()), { readStyles: true })).sheets;
  return sheet?.rows ?? [];
}

const download = async (page: Page, kind: string, fields: Record<string, string> = {}) =>
  post(`${world.toolUrl}/course/grades.csv`, { session: hiddenField(page, "session"), kind, ...fields });

test("an instructor sees what the gradebook has, decides about a teacher's grade, and takes it all home", async () => {
  expect(textOf(await openGrades())).toContain("No grades yet. They appear once attendance is recorded.");

  const ada = await walkIn(world, "student1", biology.link);
  const bob = await walkIn(world, "student2", biology.link);
  holdSession(world, biology.name, ada, "PRESENT");
  holdSession(world, biology.name, bob, "LATE");
  await has("student1", 100);
  await has("student2", 80);
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_deliveries{state="waiting"}')).toBe(0);
  }, patience);
  const fine = await openGrades();
  expect(textOf(fine)).toContain("2 of 2 in Canvas");
  expect(textOf({ text: `<tr${rowOf(fine, "student2")}` })).toMatch(
    /80 \/ 100 In Canvas .* 80 \/ 100 · .* · into “Online classroom”/,
  );

  const column = world.lms.gradebook(biology.course).columns[0]?.id ?? "";
  const person = world.lms.gradebook(biology.course).learners.find((one) => one.username === "student2");
  world.lms.overrideGrade(column, person?.personId ?? "", 95);
  holdSession(world, biology.name, bob, "PRESENT");
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_deliveries{state="held"}')).toBe(1);
  }, patience);
  const held = await openGrades();
  expect(textOf(held)).toContain("1 grade needs your decision");
  expect(textOf({ text: rowOf(held, "student2") })).toMatch(
    /Attendance gives 90 of 100; the gradebook has 95 of 100 since .* The sum: \(1x100 \+ 1x80\) \/ 2 = 90/,
  );
  expect(textOf(await opens("teacher1"))).toContain("1 grade was changed in the gradebook.");

  const left = await press(held, "/course/grades/answer", { answer: buttonOf(held, "student2", "leave:") });
  expect(textOf(left)).toContain("1 kept by instructors");
  const ours = await press(left, "/course/grades/answer", { answer: buttonOf(left, "student2", "ours:") });
  expect(textOf(ours)).toContain("2 of 2 in Canvas");
  await has("student2", 90);

  const asked = await press(ours, "/course/grades/resend");
  expect(textOf(asked)).toMatch(
    /2 grades of this course .* In Canvas, a grade that is sent may take “Excused” off/,
  );
  const sent = world.lms.scores().length;
  const begun = await press(asked, "/course/grades/resend", { act: "confirm" });
  expect(textOf(begun)).toMatch(/being sent again/);
  await vi.waitFor(async () => {
    expect(textOf(await openGrades())).toContain("Last sent again");
  }, patience);
  expect(world.lms.scores().length, "what stands there as it should is not sent").toBe(sent);

  const trail = textOf(await press(await openGrades(), "/course/audit"));
  expect(trail).toMatch(/All grades sent again .*95 of 100 → 90 of 100.*90 of 100 → 95 of 100/);

  const proof = await download(fine, "proof");
  expect(proof.headers.get("content-disposition")).toMatch(
    /^attachment; filename=.*gradebook \d{4}-\d\d-\d\d\.csv/,
  );
  expect(proof.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const bytes = new Uint8Array(await proof.arrayBuffer());
  expect([...bytes.slice(0, 3)], "the mark of UTF-8").toEqual([0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines.find((line) => line.includes(nameOf("student2")))).toMatch(
    /,Online classroom,90,100,90,100,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d,,,in the gradebook,$/,
  );
  const grades = await (await download(fine, "grades")).text();
  expect(grades).toMatch(/Late.*,Present,1,1,0,0,0,90,100,\(1x100 \+ 1x80\) \/ 2 = 90\r\n/);
  const facts = await (await download(fine, "facts")).text();
  expect(facts.trimEnd().split("\r\n")).toHaveLength(4);

  const sheet = await sheetOf(fine, "grades");
  expect(sheet.find(([name]) => name === nameOf("student2"))?.slice(-4)).toEqual([
    0,
    90,
    100,
    "(1x100 + 1x80) / 2 = 90",
  ]);
  expect(sheet.flat().join("\n")).toMatch(/One grade for all sessions, 100 points at most\..*All sessions/s);
  const [, fact] = await sheetOf(fine, "facts");
  const at = fact?.[10];
  const wall = at instanceof Date ? at.toISOString().slice(0, 16) : "no date";
  expect(facts, "the clock of the course in both").toContain(wall);
  const [, first] = await sheetOf(fine, "facts", { to: "2001-01-01" });
  expect(
    first?.filter((cell) => cell !== null),
    "no session, no line",
  ).toEqual([]);
  const none = await sheetOf(fine, "grades", { to: "2001-01-01" });
  expect(none[0], "only the first and last columns").toHaveLength(4 + 8);
  expect(none.flat().join("\n")).toContain("Scores count all sessions, whatever dates were chosen.");
  expect((await (await download(fine, "proof", { section: "no such" })).text()).split("\r\n")).toHaveLength(
    4,
  );

  const learner = await opens("student1");
  for (const path of [
    "/course/grades",
    "/course/grades.csv",
    "/course/grades.xlsx",
    "/course/grades/resend",
    "/course/grades/answer",
  ])
    expect((await post(`${world.toolUrl}${path}`, { session: hiddenField(learner, "session") })).status).toBe(
      403,
    );
}, 120_000);
