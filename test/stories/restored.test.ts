import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { ofEveryProcess } from "../../src/sandbox/tool-process.ts";
import { createVisitor, type Seen, type Visitor } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { get, logIn, rightPassword } from "../support/tool/console-tool.ts";
import { gradeOfLearner, holdSession, type Status, startWorld, walkIn } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
let world: DemoWorld;
let elsewhere: string;
beforeAll(async () => {
  world = await startWorld({ learners: 4, variables: { ADMIN_PASSWORD: rightPassword } });
  elsewhere = await mkdtemp(join(tmpdir(), "spaces-lti-restored-"));
});
afterAll(async () => {
  await world.close();
  await rm(elsewhere, { recursive: true, force: true });
});

type Page = Seen & { visitor: Visitor };

async function openGrades(): Promise<Page> {
  const visitor = createVisitor();
  const opened = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  return press({ ...opened, visitor }, "/course/grades");
}
async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}
async function operator(...command: string[]): Promise<string> {
  const env = { ...ofEveryProcess(), ...world.variables };
  const child = spawn(process.execPath, [cli, ...command], { cwd: elsewhere, env, stdio: "pipe" });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      said += text;
    });
  }
  await once(child, "close");
  if (child.exitCode !== 0)
    throw new Error(`${command.join(" ")} ended with ${String(child.exitCode)}: ${said}`);
  return said;
}
const has = (username: string, grade: number | null) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, username)).toBe(grade);
  }, patience);
/** A session that ended a while ago, in which somebody is marked. @returns the event's id. */
function heldEarlier(userId: string, status: Status): string {
  const spaceId = world.classroom.spaces().find(({ name }) => name.startsWith(biology.name))?.spaceId ?? "";
  const endsAt = Date.now() - 10 * 60_000;
  const { eventId } = world.classroom.createEvent({
    spaceId,
    title: "Lesson",
    startsAt: endsAt - 3_600_000,
    endsAt,
  });
  world.classroom.markAttendance({ eventId, userId, status });
  return eventId;
}
/** The lines of the list of differences: name, ours, the gradebook's. */
const linesOf = (page: Page) =>
  page.text
    .split("<tr")
    .slice(2)
    .map((row) => textOf({ text: `<tr${row}` }).trim());

test("after a restore an instructor sees exactly what differs from the gradebook, and sends ours", async () => {
  const users = new Map<string, string>();
  for (const student of ["student1", "student2", "student3", "student4"])
    users.set(student, await walkIn(world, student, biology.link));
  const userOf = (student: string) => users.get(student) ?? "";
  holdSession(world, biology.name, userOf("student1"), "PRESENT");
  holdSession(world, biology.name, userOf("student2"), "LATE");
  const corrected = heldEarlier(userOf("student3"), "PRESENT");
  holdSession(world, biology.name, userOf("student4"), "PRESENT");
  await has("student1", 100);
  await has("student2", 80);
  await has("student3", 100);
  await has("student4", 100);

  const backup = join(elsewhere, "backup.sqlite");
  await operator("backup", backup);
  // A session of which the backup knows nothing, a correction in one it knows, and a teacher who takes a grade away.
  holdSession(world, biology.name, userOf("student1"), "LATE");
  world.classroom.markAttendance({ eventId: corrected, userId: userOf("student3"), status: "LATE" });
  await has("student1", 90);
  await has("student3", 80);
  const column = world.lms.gradebook(biology.course).columns[0]?.id ?? "";
  const person = world.lms.gradebook(biology.course).learners.find((one) => one.username === "student2");
  world.lms.world.grades.delete(`${column} ${person?.personId ?? ""}`);

  await world.tool().end("SIGTERM");
  expect(await operator("restore", backup, "--replace")).toContain("compares every score");
  const sent = world.lms.scores().length;
  world.lms.faults.add({ on: "results", how: "slow", delayMs: 60_000, times: 1 });
  await world.restartTool();
  await vi.waitFor(() => {
    expect(world.lms.faults.all()).toHaveLength(0); // used up: the gradebook is being read
  }, patience);
  expect(textOf(await openGrades())).toMatch(/restored on .* Still to be compared/);
  await world.tool().end("SIGKILL");
  await world.restartTool();

  await vi.waitFor(async () => {
    const page = textOf(await openGrades());
    expect(page).toContain("Grades that differ from the gradebook: 2.");
    expect(page).not.toContain("Still to be compared");
  }, patience);
  const { cookie } = await logIn(world.toolUrl);
  const console = textOf(await get(`${world.toolUrl}/admin/restored`, cookie));
  expect(console).toMatch(/Grades that differ from the gradebook: 2\./);
  expect(textOf(await get(`${world.toolUrl}/admin/alarms`, cookie))).toContain("The database was restored");

  const list = await press(await openGrades(), "/course/grades/restored");
  const lines = linesOf(list);
  expect(lines).toHaveLength(2);
  const nameOf = (username: string) =>
    world.lms.gradebook(biology.course).learners.find((one) => one.username === username)?.name ?? "";
  const family = (username: string) => nameOf(username).split(" ").at(-1) ?? "";
  expect(lines.find((line) => line.includes(family("student1")))).toMatch(/100 \/ 100 90 \/ 100/);
  expect(lines.find((line) => line.includes(family("student2")))).toMatch(/80 \/ 100 none/);
  expect(world.lms.scores().length, "nothing was sent by itself").toBe(sent);

  const unchosen = await press(list, "/course/grades/restored", { act: "send-chosen", chosen: "" });
  expect(textOf(unchosen)).toContain("Nothing was chosen.");
  const done = await press(unchosen, "/course/grades/restored", { act: "send-all" });
  expect(textOf(done)).toContain("Decided: 2.");
  expect(textOf(done)).toContain("No grade differs.");
  await has("student1", 100);
  await has("student2", 80);
  await has("student3", 80);
  await has("student4", 100);
  expect(textOf(await get(`${world.toolUrl}/admin/restored`, cookie))).toContain("No course has scores");
  const trail = textOf(await press(await openGrades(), "/course/audit"));
  expect(trail).toMatch(/90 of 100 → 100 of 100/);
  expect(trail).toMatch(/none → 80 of 100/);
}, 240_000);
