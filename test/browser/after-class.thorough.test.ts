import type { Frame, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { at, showLink, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", name: "Biology 101 – Spring", code: "BIO101" };
const left = { name: "You have left the classroom" };

const { world, browser, profiles, tabOf } = await worldInBrowser();

/** Somebody in the Space, in a tab of its own. */
async function inSpace(person: string): Promise<Page> {
  const page = await tabOf(person);
  await page.goto(`${world.lms.url}/link/${biology.link}/launch?container=existing`);
  await page.waitForURL(`${world.classroom.appUrl}/spaces/**`);
  await page.getByRole("button", { name: "Leave Space" }).waitFor();
  return page;
}

/** Somebody who has left it. */
async function afterClass(person: string): Promise<Page> {
  const page = await inSpace(person);
  await page.getByRole("button", { name: "Leave Space" }).click();
  await page.waitForURL(`${world.toolUrl}/ended?**`);
  return page;
}

/** Our page in the LMS's frame. */
async function frameOf(page: Page): Promise<Frame> {
  const element = await page.waitForSelector("iframe");
  const frame = await element.contentFrame();
  if (frame === null) throw new Error("the page has no frame");
  return frame;
}

/** The instructor's page about feedback, in the LMS's frame. */
async function answersPage(): Promise<Frame> {
  const page = await tabOf("teacher1");
  await page.goto(`${world.lms.url}/link/${biology.link}?container=embed`);
  const frame = await frameOf(page);
  await frame.getByRole("link", { name: "Feedback after sessions" }).click();
  await frame.waitForURL(at("/feedback"));
  return frame;
}

describe("A learner who leaves the Space", () => {
  test("lands on the page after class, answers by keyboard and mouse, and the instructor reads it", async () => {
    const page = await afterClass("student1");
    expect(await page.getByRole("heading", left).count()).toBe(1);
    expect(await page.getByText(biology.name).count()).toBe(0);
    await page.getByRole("radio", { name: /^4/ }).check();
    await page
      .getByRole("group", { name: "Did sound and picture work?" })
      .getByRole("radio", { name: "Partly" })
      .check();
    await page.getByLabel(/Anything else/).fill("The second half was too fast.\nThe first was good.");
    await page.getByRole("button", { name: "Send" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${world.toolUrl}/ended/feedback`);
    expect(await page.getByRole("status").allInnerTexts()).toContainEqual("Thank you. Your answer is saved.");

    const frame = await answersPage();
    await expect.poll(() => frame.getByText("The second half was too fast.").count()).toBe(1);
    expect(await frame.getByText("4 of 5").count()).toBe(1);
    expect(await frame.getByText("partly: 1").count()).toBe(1);
    expect(await frame.locator("main").innerText()).not.toMatch(/Zoë|Åkesson/);
  });

  test("is told to close the tab by hand where the browser does not let a page do it", async () => {
    const page = await afterClass("student2");
    await page.getByRole("button", { name: "Close this tab" }).click();
    await expect
      .poll(() => page.getByRole("status").allInnerTexts())
      .toContainEqual(expect.stringMatching(/close this tab yourself/));
    expect(await page.getByRole("button", { name: "Close this tab" }).count()).toBe(0);
  });

  test("closes the tab that the course's page opened", async () => {
    const page = await tabOf("student3");
    await page.goto(`${world.lms.url}/link/${biology.link}?container=embed`);
    const frame = await frameOf(page);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      frame.getByRole("button", { name: /^(Enter classroom|Join)$/ }).click(),
    ]);
    await tab.getByRole("button", { name: "Leave Space" }).click();
    await tab.waitForURL(`${world.toolUrl}/ended?**`);
    expect(await tab.getByText("Your course may still be open in another tab").count()).toBe(1);
    const close = tab.getByRole("button", { name: "Close this tab" });
    // The tab may be gone before the click is over.
    await close.click().catch((thrown: unknown) => {
      if (!tab.isClosed()) throw thrown;
    });
    // A tab that came by a form stays in some browsers; then the person is told.
    await expect
      .poll(async () => tab.isClosed() || (await tab.getByText(/close this tab yourself/).count()) === 1)
      .toBe(true);
  });

  test("sees the page in the frame in which the Space was, without a button for closing", async () => {
    const page = await inSpace("student5");
    const space = page.url();
    await page.goto(`${world.lms.url}/course/2`);
    // A frame in a page of this machine: a browser does not let a made-up page show another server of the machine.
    await page.evaluate(`document.body.innerHTML = '<iframe title="Space" width="900" height="600"></iframe>';
      document.querySelector("iframe").src = ${JSON.stringify(space)};`);
    const frame = await frameOf(page);
    await frame.getByRole("button", { name: "Leave Space" }).click();
    await frame.waitForURL(`${world.toolUrl}/ended?**`);
    expect(await frame.getByRole("heading", left).count()).toBe(1);
    expect(await frame.getByRole("button", { name: "Close this tab" }).count()).toBe(0);
    await frame.getByRole("link", { name: "Back to the course" }).click();
    await page.waitForURL(`${world.lms.url}/course/2`);
  });

  test("answers without scripts as well", async () => {
    const page = await afterClass("student6");
    const plain = await browser.newContext({ javaScriptEnabled: false });
    profiles.watch(plain, world.toolUrl);
    const tab = await plain.newPage();
    await tab.goto(page.url());
    expect(await tab.getByRole("button", { name: "Close this tab" }).count()).toBe(0);
    await tab.getByRole("radio", { name: /^2/ }).check();
    await tab.getByRole("button", { name: "Send" }).click();
    expect(await tab.getByText("Thank you. Your answer is saved.").count()).toBe(1);
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the page after class is well made, also when an answer could not be kept and when it was", async () => {
    const page = await afterClass("student7");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByLabel(/Anything else/).fill("x".repeat(1_000));
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Your answer is saved").waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("the page of somebody whom the address does not tell is well made", async () => {
    const page = await tabOf("student7");
    await page.goto(`${world.toolUrl}/ended`);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("what the instructor reads is well made, with answers and when nobody is asked", async () => {
    const frame = await answersPage();
    await frame.getByText("xxxxxxxx").first().waitFor();
    const page = frame.page();
    const alone = await showLink(page, world, biology.link);
    await alone.getByRole("link", { name: "Feedback after sessions" }).click();
    await alone.waitForURL(at("/feedback"));
    expect(await findingsOnEveryScreen(alone)).toEqual([]);
    await alone.getByRole("button", { name: "Stop asking for feedback" }).click();
    await alone.getByRole("button", { name: "Ask for feedback after sessions" }).waitFor();
    expect(await findingsOnEveryScreen(alone)).toEqual([]);
  });
});
