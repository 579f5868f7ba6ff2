import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { collectProblems, findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { startCookieProfile } from "../support/browser/cookie-profile.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";

const password = randomBytes(18).toString("base64");

let world: DemoWorld;
let browser: Browser;
let operator: BrowserContext;
let problems: string[] = [];
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  world = await startHttpsWorld("moodle");
  world.variables["ADMIN_PASSWORD"] = password;
  await world.tool().end("SIGTERM");
  await world.restartTool();
  operator = await browser.newContext({ ignoreHTTPSErrors: true, acceptDownloads: true });
  operator.setDefaultTimeout(30_000);
  problems = collectProblems(operator, world.toolUrl, problems);
  page = await operator.newPage();
  await page.goto(`${world.toolUrl}/admin`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await teacherOpensCourse();
});
afterAll(async () => {
  await browser.close();
  await world.close();
  expect(problems).toEqual([]);
});

/** The course becomes known, and its list of people is read. */
async function teacherOpensCourse(): Promise<void> {
  const profile = await startCookieProfile("all", [{ tool: world.toolUrl, framing: world.lms.url }]);
  const [name = "", ...value] = world.lms.cookieFor("teacher1").split("=");
  const cookie = { name, value: value.join("="), url: world.lms.url, secure: true };
  await profile.context.addCookies([{ ...cookie, sameSite: "None" }]);
  const course = await profile.context.newPage();
  await course.goto(`${world.lms.url}/link/1?container=embed`);
  const frame = course.frameLocator("iframe#contentframe");
  await frame.getByRole("heading", { level: 1 }).waitFor();
  await profile.close();
}

const wellMade = async () => {
  expect(await findingsOnEveryScreen(page)).toEqual([]);
};
const find = async (typed: string) => {
  await page.goto(`${world.toolUrl}/admin/people`);
  await page.getByLabel("Find a person").fill(typed);
  await page.getByRole("button", { name: "Find" }).click();
};

test("somebody is found, given their data and erased, on pages that are well made", async () => {
  await page.goto(`${world.toolUrl}/admin/erasures`);
  await page.getByText("Nothing erased yet.").waitFor();
  await page.getByRole("link", { name: "People and data" }).first().click();
  await wellMade();
  await find("nobody like this");
  await page.getByText("Nobody found.").waitFor();
  await wellMade();
  const people = page.locator(".table tbody a");
  await expect
    .poll(
      async () => {
        await find("student");
        await page.getByText("Nobody found.").or(people.first()).first().waitFor();
        return people.count();
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  await wellMade();
  await people.first().click();
  await page.getByRole("heading", { level: 2, name: "Stored data" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download JSON" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^per_\w+\.json$/);
  await page.getByText("Erase this person").click();
  await wellMade();
  const id = await page.locator("label[for=typed] bdi").innerText();
  await page.getByLabel("Type the user ID in the LMS to confirm:").fill(id);
  await page.getByRole("button", { name: "Erase permanently" }).click();
  await page.getByRole("heading", { level: 2, name: "What stays elsewhere" }).waitFor();
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.getByText("erased, being checked").count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  await wellMade();
  await page.getByRole("link", { name: "Erasures" }).click();
  await page.getByRole("link", { name: "A person" }).waitFor();
  await wellMade();
});

test("a course and an LMS say what erasing them takes, and what has to be typed", async () => {
  await page.goto(`${world.toolUrl}/admin/courses`);
  await page.locator(".table tbody a").first().click();
  await page.getByText("Erase this course").click();
  await page.getByRole("button", { name: "Erase permanently" }).waitFor();
  await wellMade();
  await page.goto(`${world.toolUrl}/admin/registrations`);
  await page.locator(".cards a").first().click();
  await page.getByText("Uninstall this LMS").last().click();
  await page.getByRole("button", { name: "Uninstall permanently" }).waitFor();
  await wellMade();
});
