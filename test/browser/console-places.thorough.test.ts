import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import {
  collectProblems,
  findingsOnEveryScreen,
  newProfile,
  startBrowser,
} from "../support/browser/browser.ts";
import { type Cookies, keeping, logInAt, startCookieProfile } from "../support/browser/cookie-profile.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";
import { walkIn } from "../support/tool/start-world.ts";
import { patience, patienceOfPages } from "../support/patience.ts";
import { firstInGate } from "../support/nightly.ts";

const password = randomBytes(18).toString("base64");
const course = "1";
/** With partitioned cookies the way is the same as with all; only the nightly run tests that. */
const kinds = firstInGate<Cookies>(2, ["all", "none", "partitioned"]);
const wayIn = { name: "Open administration" };

let world: DemoWorld;
let browser: Browser;
let operator: BrowserContext;
let problems: string[] = [];

beforeAll(async () => {
  browser = await startBrowser();
  world = await startHttpsWorld("moodle", { variables: { ADMIN_PASSWORD: password } });
  operator = await browser.newContext({ ignoreHTTPSErrors: true, acceptDownloads: true });
  operator.setDefaultTimeout(30_000);
  problems = collectProblems(operator, world.toolUrl, problems);
  const page = await operator.newPage();
  await page.goto(`${world.toolUrl}/admin`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.locator("main a[href^='/admin/registrations/reg']").first().click();
  await page.getByRole("link", { name: "Access", exact: true }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Administrators of this LMS now have access.").waitFor();
  await page.close();
});
afterAll(async () => {
  await browser.close();
  await world.close();
  expect(problems).toEqual([]);
});

async function console(path: string): Promise<Page> {
  const page = await operator.newPage();
  await page.goto(`${world.toolUrl}/admin/${path}`);
  return page;
}

/** Somebody opens the course's link in the LMS's frame, in a browser that keeps these cookies there. */
async function inFrame<T>(cookies: Cookies, person: string, look: (page: Page) => Promise<T>): Promise<T> {
  const sites = [{ tool: world.toolUrl, framing: world.lms.url }];
  const blocking = cookies === "all" ? null : await startCookieProfile(cookies, sites);
  const context = blocking?.context ?? (await newProfile(browser, { ignoreHTTPSErrors: true }));
  try {
    await logInAt(context, world, person);
    const page = await context.newPage();
    await page.goto(`${world.lms.url}/link/${course}?container=embed`);
    return await look(page);
  } finally {
    await (blocking ?? context).close();
  }
}

/** The window in which the console opened; the classroom may have opened on its own in another one. */
async function consoleTab(page: Page): Promise<Page> {
  const isConsole = (one: Page) => one.url().startsWith(`${world.toolUrl}/admin/registrations/`);
  const all = () => page.context().pages();
  const tabs = () => all().filter(isConsole);
  const seen = () => Promise.all(all().map((one) => one.title()));
  await expect
    .poll(async () => [tabs().length, tabs().length === 1 ? [] : await seen()], patience)
    .toEqual([1, []]);
  const [tab] = tabs();
  if (tab === undefined) throw new Error("the console's window has closed");
  return tab;
}

describe("An administrator of the LMS", () => {
  for (const cookies of kinds) {
    test(
      `opens the administration from the LMS's frame in a new window, with ${cookies} cookies of the frame kept`,
      keeping(cookies),
      async () => {
        await inFrame(cookies, "admin", async (page) => {
          const frame = page.frameLocator("iframe#contentframe");
          // If nothing is kept in frames, the classroom itself has opened in a new window first.
          const elsewhere = frame.getByRole("button", { name: "Open in a new window" });
          const button = frame.getByRole("button", wayIn);
          await button.or(elsewhere).first().waitFor();
          let from = button;
          if ((await elsewhere.count()) > 0) {
            const [opened] = await Promise.all([page.context().waitForEvent("page"), elsewhere.click()]);
            from = opened.getByRole("button", wayIn);
          }
          await from.click();
          const tab = await consoleTab(page);
          await tab.getByRole("heading", { level: 2, name: "Defaults for its courses" }).waitFor();
          expect(await tab.locator(".tabs").getByRole("link", { name: "Keys" }).count()).toBe(0);
          await tab.reload();
          await tab.getByRole("link", { name: /^Courses\b/ }).click(); // with their number
          await tab.getByRole("link", { name: /Biology/ }).click();
          await tab
            .getByRole("heading", { level: 2, name: "Gradebook columns" })
            .or(tab.getByText("Gradebook columns"))
            .first()
            .waitFor();
        });
      },
    );
  }
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test.each(["courses", "courses?q=nothing+like+this", "classroom", "alerts", "keys"])(
    "/admin/%s looks right",
    async (path) => {
      expect(await findingsOnEveryScreen(await console(path))).toEqual([]);
    },
  );

  test("a course's page looks right", async () => {
    const page = await console("courses?q=bio");
    await page.getByRole("link", { name: /Biology/ }).click();
    await page.getByRole("heading", { level: 2, name: "Unmatched" }).waitFor();
    await page.getByText("Send all scores again").first().click();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("the doctor's findings look right", async () => {
    const page = await console("classroom");
    await page.getByRole("button", { name: "Run the doctor" }).click();
    await page.getByText("Doctor started.").waitFor();
    await expect
      .poll(async () => {
        await page.goto(`${world.toolUrl}/admin/classroom`);
        return page.getByRole("button", { name: "Run the doctor again" }).count();
      }, patienceOfPages)
      .toBe(1);
    await page.getByText("API addresses and fields: documented, assumed or proven").click();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("the registration's page looks right for an LMS's administrator", async () => {
    await inFrame("all", "admin", async (page) => {
      const frame = page.frameLocator("iframe#contentframe");
      await frame.getByRole("button", wayIn).click();
      const tab = await consoleTab(page);
      for (const [part, heading] of [
        ["Overview", "Defaults for its courses"],
        ["Connection", "Connection test"],
        ["Access", "Who is signed in"],
      ] as const) {
        await tab.locator(".tabs").getByRole("link", { name: part }).click();
        await tab.getByRole("heading", { level: 2, name: heading }).waitFor();
        expect(await findingsOnEveryScreen(tab)).toEqual([]);
      }
    });
  });
});

let page: Page;

describe("People and data", () => {
  beforeAll(async () => {
    // The course becomes known, and its list of people is read.
    await walkIn(world, "teacher1", course);
    page = await console("");
  });

  const wellMade = async () => {
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  };
  const find = async (typed: string) => {
    await page.goto(`${world.toolUrl}/admin/people`);
    await page.getByLabel("Find a person").fill(typed);
    await page.getByRole("button", { name: "Find" }).click();
  };

  test("a person is found, given their data and erased, on well-made pages", async () => {
    await page.goto(`${world.toolUrl}/admin/erasures`);
    await page.getByText("Nothing erased yet.").waitFor();
    await page.getByRole("link", { name: "People and data" }).first().click();
    await wellMade();
    await find("nobody like this");
    await page.getByText("Nobody found.").waitFor();
    const people = page.locator(".table tbody a");
    await expect
      .poll(async () => {
        await find("student");
        await page.getByText("Nobody found.").or(people.first()).first().waitFor();
        return people.count();
      }, patienceOfPages)
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
      .poll(async () => {
        await page.reload();
        return page.getByText("erased, being checked").count();
      }, patienceOfPages)
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
    await page.goto(`${world.toolUrl}/admin/registrations`);
    await page.locator(".table.list tbody a").first().click();
    await page.locator(".tabs").getByRole("link", { name: "Keys" }).click();
    await page.getByRole("heading", { level: 2, name: "Tokens for several recipients" }).waitFor();
    await wellMade();
    await page.goBack();
    expect(await page.locator(".tabs [aria-current]").innerText()).toBe("Overview");
    await page.locator(".tabs").getByRole("link", { name: "Switch off" }).click();
    await page.getByText("Uninstall this LMS").last().click();
    await page.getByRole("button", { name: "Uninstall permanently" }).waitFor();
    await wellMade();
  });
});
