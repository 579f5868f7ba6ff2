import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { patience } from "../support/patience.ts";
import { collectProblems, findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { rightPassword } from "../support/tool/console-tool.ts";
import { openInFrame, pressed } from "../support/browser/open-in-frame.ts";
import { runCommand } from "../support/tool/run-cli.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";

const biology = { course: "2", link: "1", name: "BIO101" };

let browser: Browser;
let world: DemoWorld;
let elsewhere: string;
beforeAll(async () => {
  browser = await startBrowser();
  world = await startWorld({ learners: 3, variables: { ADMIN_PASSWORD: rightPassword } });
  elsewhere = await mkdtemp(join(tmpdir(), "spaces-lti-after-restore-"));
  const arrived = (student: string, grade: number) =>
    vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.course, student)).toBe(grade);
    }, patience);
  for (const student of ["student1", "student2"]) {
    holdSession(world, biology.name, await walkIn(world, student, biology.link), "PRESENT");
    await arrived(student, 100);
  }
  const backup = join(elsewhere, "backup.sqlite");
  expect(await runCommand(world.variables, ["backup", backup])).toMatchObject({ code: 0 });
  // Sessions of which the backup knows nothing.
  for (const student of ["student1", "student2"]) {
    holdSession(world, biology.name, await walkIn(world, student, biology.link), "LATE");
    await arrived(student, 90);
  }
  await world.tool().end("SIGTERM");
  const restored = await runCommand(world.variables, ["restore", backup, "--replace"]);
  expect(restored).toMatchObject({ code: 0 });
  await world.restartTool();
});
afterAll(async () => {
  await browser.close();
  await world.close();
  await rm(elsewhere, { recursive: true, force: true });
});

test("after a restore an instructor chooses in the frame whose grade is sent and whose stays", async () => {
  const { context, frame } = await openInFrame(browser, world, {
    username: "teacher1",
    linkId: biology.link,
  });
  const problems = collectProblems(context, world.toolUrl);
  await vi.waitFor(async () => {
    await pressed(frame, frame.locator("nav.areas").getByRole("link", { name: "Grades" }));
    expect(await frame.locator("main").innerText()).toContain("Grades that differ from the gradebook: 2.");
  }, patience);
  expect(await findingsOnEveryScreen(frame)).toEqual([]);
  await pressed(frame, frame.getByRole("link", { name: "Show the differences" }));
  expect(await findingsOnEveryScreen(frame)).toEqual([]);

  await frame.getByRole("checkbox").first().check();
  await pressed(frame, frame.getByRole("button", { name: "Keep the gradebook's for those chosen" }));
  expect(await frame.getByRole("status").first().innerText()).toContain("Decided: 1.");
  await pressed(frame, frame.getByRole("button", { name: "Send ours for all" }));
  await frame.getByText("No grade differs.").waitFor();
  const grades = () => ["student1", "student2"].map((one) => gradeOfLearner(world, biology.course, one));
  await vi.waitFor(() => {
    expect(grades().sort()).toEqual([100, 90]);
  }, patience);
  expect(problems).toEqual([]);
  await context.close();
}, 180_000);

test("an operator reads which courses were compared, and where one says that an LMS is the same", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${world.toolUrl}/admin`);
  await page.getByLabel("Password").fill(rightPassword);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto(`${world.toolUrl}/admin/restored`);
  await page.getByRole("heading", { level: 1, name: "After a restore" }).waitFor();
  expect(await findingsOnEveryScreen(page)).toEqual([]);
  await page.goto(`${world.toolUrl}/admin`);
  await page.locator("th a[href^='/admin/registrations/']").first().click();
  await page.getByRole("link", { name: "Same LMS as an earlier registration" }).click();
  await page.getByRole("heading", { level: 1, name: "Is this an LMS you registered before?" }).waitFor();
  expect(await findingsOnEveryScreen(page)).toEqual([]);
  await context.close();
}, 120_000);
