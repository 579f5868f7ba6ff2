import type { Frame, Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { findingsOnEveryScreen, openProfile, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { launchedFrame } from "../support/browser/open-in-frame.ts";
import { startWorld, holdSession, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const add = { name: "Add to the course" };

const profiles = watchProfiles();

const world = await forAllTests(startWorld({ learners: 12 }));
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  const user = await walkIn(world, "student1", biology.link);
  await walkIn(world, "teacher1", "2"); // so that the teacher's other course has a Space
  holdSession(world, biology.name, user, "PRESENT");
  const page = await tabOf("teacher1");
  await vi.waitFor(
    async () => {
      const frame = await openPicker(page);
      expect(await frame.locator('input[value^="session:"]').count()).toBe(1);
    },
    { timeout: 30_000, interval: 200 },
  );
});

async function tabOf(person: string): Promise<Page> {
  const context = await openProfile(browser, world.lms.url, world.lms.cookieFor(person));
  profiles.watch(context, world.toolUrl);
  return context.newPage();
}

/** The picker in the frame of the LMS's "select content" page. */
async function openPicker(page: Page): Promise<Frame> {
  const [tool] = world.lms.tools();
  await page.goto(`${world.lms.url}/course/${biology.course}/select-content/${tool?.id ?? ""}`);
  return launchedFrame(page, world.toolUrl);
}

function linksOf(course: string): string[] {
  return (world.lms.world.courses.get(course)?.links ?? []).map((link) => link.title);
}

/** Presses Tab until the focused element has this accessible text or value. */
async function tabTo(page: Page, frame: Frame, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await frame.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${selector} cannot be reached with the Tab key`);
}

describe("An instructor in the LMS's dialog", () => {
  test("does everything by keyboard: a session, its name, its points", async () => {
    const page = await tabOf("teacher1");
    const frame = await openPicker(page);
    await tabTo(page, frame, "#choose-course");
    await page.keyboard.press("Space"); // no longer the course's classroom
    await tabTo(page, frame, "#session-0");
    await page.keyboard.press("Space");
    const outline = await frame.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).not.toBe("none");
    await tabTo(page, frame, "#title");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("By keyboard");
    if (!(await frame.locator("#column").isChecked())) {
      await tabTo(page, frame, "#column");
      await page.keyboard.press("Space");
    }
    await tabTo(page, frame, "#points");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("15");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${world.lms.url}/course/${biology.course}`);
    expect(linksOf(biology.course).at(-1)).toBe("By keyboard");
    expect(world.lms.gradebook(biology.course).columns.at(-1)).toMatchObject({
      label: "By keyboard",
      scoreMaximum: 15,
    });
  });

  test("sees fields of another classroom only after choosing it, and picks one from another course", async () => {
    const page = await tabOf("teacher1");
    const frame = await openPicker(page);
    const address = frame.getByLabel("Or its address or ID");
    expect(await address.isVisible()).toBe(false);
    await frame.getByLabel("This course’s classroom").uncheck();
    await frame.getByLabel("Another classroom").check();
    expect(await address.isVisible()).toBe(true);
    await frame.getByLabel("Your other courses").selectOption("History 205: Cities and Trade");
    await frame.getByLabel("Name of the link").fill("Joint lesson");
    await frame.getByRole("button", add).click();
    await page.waitForURL(`${world.lms.url}/course/${biology.course}`);
    expect(linksOf(biology.course).at(-1)).toBe("Joint lesson");
  });

  test("sees what to fix beside the field, with everything they typed", async () => {
    const page = await tabOf("teacher1");
    const frame = await openPicker(page);
    await frame.getByLabel("Another classroom").check();
    await frame.getByLabel("Or its address or ID").fill("https://elsewhere.test/spaces/1");
    await frame.getByLabel("With a column in the gradebook").check();
    await frame.getByLabel("Points").fill("12.5");
    await frame.getByRole("button", add).click();
    await frame.waitForSelector("[role=alert]");
    expect(await frame.getByRole("alert").innerText()).toMatch(
      /isn’t a classroom address[\s\S]*whole number/,
    );
    expect(await frame.getByLabel("Points").inputValue()).toBe("12.5");
    expect(await frame.getByLabel("Points").getAttribute("aria-invalid")).toBe("true");
    expect(await frame.getByLabel("Or its address or ID").inputValue()).toBe(
      "https://elsewhere.test/spaces/1",
    );
    await frame.getByLabel("Another classroom").uncheck();
    await frame.getByLabel("Points").fill("12");
    await frame.getByRole("button", add).click();
    await page.waitForURL(`${world.lms.url}/course/${biology.course}`);
  });

  test("continues with the button if the answer does not send itself", async () => {
    const page = await tabOf("teacher1");
    await page.route("**/assets/send-back.js", (route) => route.abort());
    const frame = await openPicker(page);
    await frame.getByRole("button", add).click();
    await frame.getByRole("button", { name: "Go back to the course" }).click();
    await page.waitForURL(`${world.lms.url}/course/${biology.course}`);
    profiles.expects(/\/assets\//); // the script that was blocked
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  /** A tool page in a frame exactly as wide as the screen. */
  async function openInFrame(page: Page, path: string): Promise<Frame> {
    await page.route(`${world.lms.url}/frame`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><html lang="en"><title>Course</title><style>body{margin:0}iframe{border:0;display:block;width:100vw;height:100vh}</style><iframe title="Tool" src="${path}"></iframe></html>`,
      }),
    );
    await page.goto(`${world.lms.url}/frame`);
    return launchedFrame(page, world.toolUrl);
  }

  test("the picker and its problems look right", async () => {
    const page = await tabOf("teacher1");
    const [tool] = world.lms.tools();
    const path = `/course/${biology.course}/select-content/${tool?.id ?? ""}/launch`;
    const frame = await openInFrame(page, path);
    await frame.getByLabel("Another classroom").check();
    await frame.getByLabel("With a column in the gradebook").check();
    await frame.getByLabel("Points").fill("0");
    await frame.getByRole("button", add).click();
    await frame.waitForSelector("[role=alert]");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });

  test("changing what a link opens looks right", async () => {
    const page = await tabOf("teacher1");
    const frame = await openInFrame(page, `/link/${biology.link}/launch?container=embed`);
    await frame.getByText("What this link opens").click();
    await frame.getByLabel("Another classroom").check();
    await frame.getByLabel("Or its address or ID").fill("https://elsewhere.test/");
    await frame.getByRole("button", { name: "Save", exact: true }).click();
    await frame.getByText("This isn’t a classroom address").waitFor();
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});
