import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createLogger } from "../../src/kernel/logger.ts";
import { type DemoWorld, startDemoWorld } from "../../src/sandbox/demo-world.ts";
import { patience } from "../support/patience.ts";
import { openProfile, startBrowser } from "../support/browser/browser.ts";
import { openInFrame } from "../support/browser/open-in-frame.ts";
import { at } from "../support/browser/open-course-page.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { logIn } from "../support/tool/console-tool.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";

/** Five people, each from the LMS's page to what they came for. One class, one after the other. */
const biology = { course: "2", link: "1", name: "BIO101" };
const password = "the operator's own password";

let world: DemoWorld;
let browser: Browser;
const profiles = watchProfiles();

beforeAll(async () => {
  browser = await startBrowser();
  world = await startDemoWorld({
    logger: createLogger("silent"),
    variables: { ADMIN_PASSWORD: password },
  });
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

async function opensLink(username: string) {
  const visit = await openInFrame(browser, world, { username, linkId: biology.link });
  profiles.watch(visit.context, world.toolUrl);
  return visit;
}

async function opensPage(site: string, cookie: string, path: string): Promise<Page> {
  const context = await openProfile(browser, site, cookie);
  profiles.watch(context, world.toolUrl);
  const page = await context.newPage();
  await page.goto(site + path);
  return page;
}

test("an LMS administrator pastes the invitation's address, and the tool is in the LMS and in the console", async () => {
  const { url } = z.object({ url: z.url() }).parse(await runCli(world.variables, ["invite"]));
  const before = world.lms.tools().length;
  const page = await opensPage(world.lms.url, world.lms.cookieFor("admin"), "/admin/tools");
  await page.getByLabel("Tool URL (the tool's registration address)").fill(url);
  await page.getByRole("button", { name: "Add" }).click();
  await page.frameLocator("iframe").getByRole("button", { name: "Close this window" }).click();
  await page.getByRole("heading", { name: "Registered tools" }).waitFor();
  expect(world.lms.tools()).toHaveLength(before + 1);
  const { cookie } = await logIn(world.toolUrl, password);
  const overview = await opensPage(world.toolUrl, cookie, "/admin/registrations");
  expect(await overview.locator("main h2 > a").count()).toBe(before + 1);
});

test("an instructor in their first hour schedules a session, and enters the classroom", async () => {
  const { frame, context } = await opensLink("teacher1");
  await frame.getByText("First steps").first().waitFor();
  await frame.getByRole("link", { name: "Schedule sessions" }).first().click();
  await frame.getByRole("button", { name: "Preview dates" }).click();
  await frame.getByRole("button", { name: /^Schedule (this|these) session/ }).click();
  await frame
    .getByRole("status")
    .filter({ hasText: /session/ })
    .first()
    .waitFor();
  await frame.getByRole("link", { name: "Home", exact: true }).click();
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    frame
      .getByRole("button", { name: /^Enter/ })
      .first()
      .click(),
  ]);
  await tab.waitForURL(`${world.classroom.appUrl}/**`);
});

test("a learner in a hurry is in the classroom with one press", async () => {
  const { frame, context } = await opensLink("student1");
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    frame
      .getByRole("button", { name: /^(Join|Enter)/ })
      .first()
      .click(),
  ]);
  await tab.waitForURL(`${world.classroom.appUrl}/**`);
});

test("a learner who doubts a grade finds why, the instructor corrects it, and the gradebook follows", async () => {
  const userId = await walkIn(world, "student7", biology.link);
  holdSession(world, biology.name, userId, "ABSENT");
  await expect.poll(() => gradeOfLearner(world, biology.course, "student7"), patience).toBe(0);
  const { frame: learner } = await opensLink("student7");
  await learner.getByRole("link", { name: "My attendance" }).first().click();
  await learner.waitForURL(at("/my-sessions"));
  expect(await learner.locator("main").innerText()).toMatch(/Lesson[^]*Absent/);

  const { frame: teacher } = await opensLink("teacher1");
  await teacher.getByRole("link", { name: "Attendance", exact: true }).click();
  await teacher.getByRole("link", { name: "Registers", exact: true }).click();
  await teacher.getByRole("link", { name: /^Open the register of Lesson/ }).click();
  const anna = teacher.getByRole("group", { name: "Anna Bianchi", exact: true });
  await anna.getByRole("radio", { name: "Late" }).check();
  await teacher.getByText("Anna Bianchi marked Late").waitFor();
  await expect.poll(() => gradeOfLearner(world, biology.course, "student7"), patience).toBe(80);

  await learner.goto(learner.url());
  const page = await learner.locator("main").innerText();
  expect(page).toMatch(/Lesson[^]*Late/);
  expect(page).toContain("Corrected by your instructor");
  expect(page).toContain("80");
});

test("an operator at midnight reads why nobody gets in, sets it right, and the learner is in", async () => {
  const { cookie } = await logIn(world.toolUrl, password);
  const page = await opensPage(world.toolUrl, cookie, "/admin/registrations");
  const lms = page.locator("main h2 > a").first();
  await lms.click();
  await page
    .getByRole("button", { name: /^Refuse/ })
    .first()
    .click();
  await page.getByText("Deployment refused from the next launch.").waitFor();

  const student = await opensPage(
    world.lms.url,
    world.lms.cookieFor("student2"),
    `/link/${biology.link}/launch?container=window`,
  );
  await student.getByText("deployment-refused").waitFor({ state: "attached" });

  await page.getByRole("link", { name: "Failed launches" }).first().click();
  const why = page.getByRole("row", { name: "deployment-refused" });
  expect(await why.innerText()).toContain("Accept it on the LMS’s page");
  await why.getByRole("link").click();
  await page
    .getByRole("button", { name: /^Accept/ })
    .first()
    .click();
  await page.getByText("Deployment accepted.").waitFor();
  const { frame } = await opensLink("student2");
  await frame
    .getByRole("button", { name: /^(Join|Enter)/ })
    .first()
    .waitFor();
});
