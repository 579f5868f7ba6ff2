import type { Browser, BrowserContext, Frame, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStores } from "../../src/open-stores.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { type DemoClass, holdDemoClass } from "../../src/sandbox/demo-class.ts";
import { type DemoWorld, startDemoWorld } from "../../src/sandbox/demo-world.ts";
import { patience } from "../support/patience.ts";
import { openProfile, startBrowser } from "../support/browser/browser.ts";
import { openInFrame } from "../support/browser/open-in-frame.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { logIn } from "../support/tool/console-tool.ts";
import { until } from "../support/until.ts";

/**
 * How many clicks the tasks take that people come for, counted from the LMS's course page: opening the link there is the first click.
 * Typing is no click; choosing from a list is two.
 */
const password = "the operator's own password";

let world: DemoWorld;
let demoClass: DemoClass;
let browser: Browser;
const profiles = watchProfiles();

beforeAll(async () => {
  browser = await startBrowser();
  world = await startDemoWorld({
    logger: createLogger("silent"),
    variables: { ADMIN_PASSWORD: password },
  });
  demoClass = holdDemoClass(world);
  await until(patience.timeout, "everybody has their attendance", () => {
    const { learners, of } = demoClass.progress();
    return learners === of;
  });
  await until(patience.timeout, "every grade is in the gradebook", () =>
    world.lms.gradebook("2").learners.every(({ grades }) => grades[0]?.value !== null),
  );
});
afterAll(async () => {
  demoClass.stop();
  await browser.close();
  await world.close();
});

/** Somebody at the course page, with the number of clicks so far. */
type Person = { frame: Frame; page: Page; context: BrowserContext; clicks: number };

async function opensLink(username: string): Promise<Person> {
  // As wide as Moodle's frame in a window of 1280 px: every area is on the line.
  const screen = { width: 885 };
  const { frame, page, context } = await openInFrame(browser, world, { username, linkId: "1", screen });
  profiles.watch(context, world.toolUrl);
  await frame.locator("nav.areas").waitFor();
  return { frame, page, context, clicks: 1 };
}

/** Somebody who has logged in at the console, on its first page. */
async function opensConsole(): Promise<{ page: Page; clicks: number }> {
  const { cookie } = await logIn(world.toolUrl, password);
  const context = await openProfile(browser, world.toolUrl, cookie);
  profiles.watch(context, world.toolUrl);
  const page = await context.newPage();
  await page.goto(`${world.toolUrl}/admin`);
  return { page, clicks: 0 };
}

async function click(person: { clicks: number }, target: Locator): Promise<void> {
  person.clicks += 1;
  await target.click();
}

async function choose(person: Person, target: Locator, value: string): Promise<void> {
  person.clicks += 2;
  await target.selectOption(value);
}

/** The page that a click opens in a tab of its own. */
async function opensTab(person: Person, target: Locator): Promise<Page> {
  const [tab] = await Promise.all([person.context.waitForEvent("page"), click(person, target)]);
  return tab;
}

const link = ({ frame }: Person, name: string | RegExp) => frame.getByRole("link", { name }).first();
const button = ({ frame }: Person, name: string | RegExp) => frame.getByRole("button", { name }).first();

describe("A learner", () => {
  test("joins the class in two clicks", async () => {
    const student = await opensLink("student1");
    const tab = await opensTab(student, button(student, "Join"));
    await tab.waitForURL(`${world.classroom.appUrl}/**`);
    expect(student.clicks).toBe(2);
  });

  test("sees their attendance and their grade in one click", async () => {
    const student = await opensLink("student1");
    await student.frame.getByText(/^You attended \d of \d sessions/).waitFor();
    await student.frame.getByText(/of 100 points so far/).waitFor();
    expect(student.clicks).toBe(1);
  });

  test("has the next session in their calendar in three clicks", async () => {
    const student = await opensLink("student1");
    await click(student, student.frame.locator(".menu > summary[aria-label*='Lecture 5']").first());
    await student.context.route("https://calendar.google.com/**", (route) => route.fulfill({ body: "" }));
    const google = await opensTab(student, link(student, "Google Calendar"));
    await google.waitForURL(/^https:\/\/calendar\.google\.com\/.*Lecture/);
    expect(student.clicks).toBe(3);
  });
});

describe("An instructor", () => {
  test("has the class running in two clicks", async () => {
    const teacher = await opensLink("teacher1");
    const tab = await opensTab(teacher, button(teacher, "Enter classroom"));
    await tab.waitForURL(`${world.classroom.appUrl}/**`);
    expect(teacher.clicks).toBe(2);
  });

  test("sees in one click whether the grades have arrived, and of each learner in two", async () => {
    const teacher = await opensLink("teacher1");
    expect(await teacher.frame.locator("main").innerText()).toMatch(/30\s+of 30 in Moodle/);
    await click(teacher, link(teacher, "All grades"));
    await teacher.frame
      .getByRole("row", { name: /In Moodle/ })
      .nth(29)
      .waitFor();
    expect(teacher.clicks).toBe(2);
  });

  test("corrects one absence in two clicks on the table, four from the LMS, and one more takes it back", async () => {
    const teacher = await opensLink("teacher1");
    await click(teacher, link(teacher, "Attendance"));
    const absent = teacher.frame.locator("td button[aria-label^='Absent']");
    await expect.poll(() => absent.count()).toBeGreaterThan(0);
    const before = await absent.count();
    // The radio itself lies under its label.
    await click(teacher, teacher.frame.locator("label:has(input[name=tap][value=EXCUSED])"));
    await click(teacher, absent.first());
    await teacher.frame
      .getByRole("status")
      .getByText(/ marked Excused/)
      .waitFor();
    expect(await absent.count()).toBe(before - 1);
    expect(teacher.clicks).toBe(4);
    await click(teacher, button(teacher, "Undo"));
    await expect.poll(() => absent.count()).toBe(before);
    expect(teacher.clicks).toBe(5);
  });

  test("marks a whole class, three of them absent, in six clicks", async () => {
    const teacher = await opensLink("teacher1");
    await click(teacher, link(teacher, "Mark 30"));
    const absents = teacher.frame.getByLabel(/Absent/);
    for (const at of [2, 5, 11]) await click(teacher, absents.nth(at));
    await click(teacher, button(teacher, "Mark everyone else present"));
    await teacher.frame
      .getByText(/30 of 30 recorded/)
      .first()
      .waitFor();
    expect(teacher.clicks).toBe(6);
  });

  test("gives half the credit for late in five clicks", async () => {
    const teacher = await opensLink("teacher1");
    await click(teacher, link(teacher, "All grades"));
    await click(teacher, link(teacher, "Attendance grading"));
    await click(teacher, button(teacher, "Late: 50 %"));
    await click(teacher, button(teacher, "Save and send grades"));
    await teacher.frame
      .getByText(/^Saved\./)
      .first()
      .waitFor();
    expect(teacher.clicks).toBe(5);
  });

  test("schedules a weekly session in another time zone in six clicks", async () => {
    const teacher = await opensLink("teacher1");
    await click(teacher, link(teacher, "Schedule sessions"));
    await teacher.frame.getByLabel("Time zone").fill("New York");
    await choose(teacher, teacher.frame.getByLabel("Repeats"), "week");
    await click(teacher, button(teacher, "Preview dates"));
    await teacher.frame.getByRole("heading", { name: "Are these dates right?" }).waitFor();
    await click(teacher, button(teacher, /^Schedule these sessions/));
    await teacher.frame
      .getByRole("status")
      .filter({ hasText: /sessions/ })
      .first()
      .waitFor();
    expect(teacher.clicks).toBe(6);
  });

  test("publishes a recording in three clicks", async () => {
    const teacher = await opensLink("teacher1");
    await click(teacher, link(teacher, "See recordings"));
    await click(teacher, button(teacher, /^Publish/));
    await expect.poll(() => teacher.frame.getByText("Only you", { exact: true }).count(), patience).toBe(0);
    expect(teacher.clicks).toBe(3);
  });

  test("asks for a Space of their own in five clicks; one more links it once an operator has approved it", async () => {
    const teacher = await opensLink("teacher1");
    await click(teacher, link(teacher, "Settings"));
    await click(teacher, teacher.frame.locator("summary").filter({ hasText: "The Space of this course" }));
    await click(teacher, link(teacher, "Use another Space"));
    await teacher.frame.getByLabel("Address or id of the Space").fill("made-by-hand");
    await click(teacher, button(teacher, "Review"));
    await teacher.frame.getByText("Waiting for an answer").waitFor();
    expect(teacher.clicks).toBe(5);
  });
});

/** A second look at the tool's records. */
async function storesOf({ variables }: DemoWorld) {
  const database = await openDatabase({
    url: variables.DATABASE_URL ?? "",
    logger: createLogger("silent"),
  });
  return { stores: await openStores(database.connection), close: database.close };
}

describe("An operator", () => {
  const linkIn = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first();
  const buttonIn = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

  test("invites a school in three clicks", async () => {
    const operator = await opensConsole();
    const { page } = operator;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: world.toolUrl });
    await click(operator, linkIn(page, "Invite an LMS"));
    await click(operator, buttonIn(page, "Create invitation"));
    await click(operator, buttonIn(page, "Copy: Registration address"));
    await expect
      .poll(() => page.evaluate<string>("navigator.clipboard.readText()"))
      .toContain(`${world.toolUrl}/lti/register?invite=`);
    expect(operator.clicks).toBe(3);
  });

  test("sees in one click why launches failed, and in two the LMS that is to be set right", async () => {
    const launch = new URL(`${world.toolUrl}/lti/login`);
    const foreign = { login_hint: "1", target_link_uri: "https://elsewhere.example/" };
    for (const iss of [world.lms.url, "https://nobody.example"]) {
      launch.search = new URLSearchParams({ iss, ...foreign }).toString();
      expect((await fetch(launch)).ok).toBe(false);
    }
    const operator = await opensConsole();
    const { page } = operator;
    await click(operator, linkIn(page, "Failed launches"));
    expect(await page.getByRole("row", { name: "https://nobody.example" }).innerText()).toMatch(
      /Unknown LMS.*Register this LMS.*platform-unknown.*1/s,
    );
    const ours = page.getByRole("row", { name: "target-foreign" });
    expect(await ours.innerText()).toContain("is set up wrongly");
    await click(operator, ours.getByRole("link"));
    await page.waitForURL(/\/admin\/registrations\/\w+$/);
    expect(operator.clicks).toBe(2);
  });

  test("has a failed webhook processed again in three clicks", async () => {
    const { stores, close } = await storesOf(world);
    await stores.receipts.insert({
      id: "rcp_failed",
      environment: "production",
      digest: "rcp_failed",
      body: JSON.stringify({ currentStatus: { status: "PRESENT" } }),
      family: "ATTENDANCE",
      receivedAt: Date.now() - 3_600_000,
      state: "failed",
      attempts: 4,
      nextTryAt: Date.now(),
      reason: "The attendance webhook lacks or misspells: eventId, userId, timestamp.",
      code: "unreadable",
    });
    const operator = await opensConsole();
    const { page } = operator;
    const seen = linkIn(page, "See failed webhooks");
    // Alerts are read every few seconds.
    await expect.poll(async () => ((await seen.isVisible()) ? "seen" : page.reload()), patience).toBe("seen");
    await click(operator, seen);
    await page.getByText("The attendance webhook lacks or misspells").waitFor();
    await click(operator, linkIn(page, "Process all again"));
    await click(operator, buttonIn(page, "Process again"));
    await expect.poll(async () => (await stores.receipts.find("rcp_failed"))?.attempts).not.toBe(4);
    await close();
    expect(operator.clicks).toBe(3);
  });

  test("replaces the tool's key in two clicks", async () => {
    const operator = await opensConsole();
    const { page } = operator;
    await click(operator, linkIn(page, "Keys"));
    await click(operator, page.locator("form[action$='/rotate'] button").first());
    await page.getByText("Next key published.").waitFor();
    expect(operator.clicks).toBe(2);
  });

  test("ends the sessions of a person in five clicks", async () => {
    const { frame } = await opensLink("student7");
    const operator = await opensConsole();
    const { page } = operator;
    await click(operator, linkIn(page, "People and data"));
    await page.getByLabel("Find a person").fill("Anna");
    await click(operator, buttonIn(page, "Find"));
    await click(operator, linkIn(page, "Anna Bianchi"));
    await click(operator, page.getByText("End all sessions of this person"));
    await click(operator, buttonIn(page, "End sessions"));
    await page.getByText("0 course page sessions are open.").waitFor();
    expect(operator.clicks).toBe(5);
    await frame.getByRole("link", { name: "Recordings" }).first().click();
    await frame.getByRole("heading", { name: "Open the link in your course again" }).waitFor();
  });
});
