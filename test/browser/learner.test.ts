import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { findingsOnEveryScreen, openProfile, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { openLearnerCourse } from "../support/builders/learner-course.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openCoursePage } from "../support/browser/open-in-frame.ts";

const profiles = watchProfiles();

const [course, browser] = await Promise.all([forAllTests(openLearnerCourse()), forAllTests(startBrowser())]);
beforeEach(() => course.startAnew());

/** A learner's browser, with its own zone, on a page of ours. */
async function opens(to = "/home", person = "Ann"): Promise<Page> {
  const context = await openProfile(browser, course.site, null, { width: 600 });
  profiles.watch(context, course.site);
  const page = await context.newPage();
  await openCoursePage(page, course.site, await course.sessionOf(person), to);
  return page;
}

const textOf = async (page: Page) => (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");

/** Nine past sessions, one future one; Ann's attendance is marked, partly by hand, and in the gradebook. */
async function halfATerm(): Promise<void> {
  const marks = ["PRESENT", "LATE", "PRESENT", "ABSENT", "PRESENT", "EXCUSED", "PRESENT"] as const;
  for (const [at, status] of marks.entries()) {
    await course.lesson(`e${at}`, -200 + at * 24, { title: `Genetics ${at + 1}` });
    await course.classroomSays("Ann", `e${at}`, status, at);
  }
  await course.corrects("Ann", "e3", "LATE", "You told me about the train.");
  await course.lesson("e7", -2, { title: "Genetics 8" });
  await course.lesson("next", 3, { title: "Genetics 9" });
  await course.lesson("off", 27, { title: "Genetics 10", cancelled: true });
  await course.grade("per-Ann");
  await course.deliver();
}

describe("A learner's home", () => {
  test("of a new course shows the way in first, and what will appear", async () => {
    const page = await opens();
    const text = await textOf(page);
    expect(text).toContain("No session is scheduled; join at any time.");
    expect(text).toContain("No attendance yet. It appears here after a session.");
    const buttons = await page.locator("main button.primary").allInnerTexts();
    expect(buttons).toEqual(["Join"]);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("of half a term shows what comes next, in the course's zone and their own, and how they attended", async () => {
    await halfATerm();
    const page = await opens();
    const text = await textOf(page);
    expect(text).toMatch(/Next session in 3 hours Genetics 9 .* Join Opens in a new tab\./);
    expect(text).toContain("You attended 6 of 6 sessions ◔ 2 late – 1 excused");
    expect(text).toContain("93.33 of 100 points so far How it’s calculated: (4 × 100 + 2 × 80) ÷ 6");
    expect(text).toContain("In the gradebook since");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });
});

describe("My attendance", () => {
  test("of a course without sessions says when it will fill", async () => {
    const page = await opens("/my-sessions");
    expect(await textOf(page)).toContain("No session is scheduled for you yet.");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("shows every session with its status and note, and how the grade is computed", async () => {
    await halfATerm();
    const page = await opens("/my-sessions");
    const text = await textOf(page);
    expect(text).toContain("How it’s calculated: (4 × 100 + 2 × 80) ÷ 6");
    expect(text).toMatch(
      /Genetics 4 .* Note from your instructor: You told me about the train\. ◔ Late 80 of 100 Corrected by your instructor/,
    );
    expect(text).toMatch(/Genetics 8 .* Not recorded yet/);
    expect(text).not.toContain("between us");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });
});

describe("Before entry opens", () => {
  test("a learner sees when it opens, and can still use the rest of their pages", async () => {
    await course.opensAroundSessions();
    await course.lesson("next", 30, { title: "Genetics 9" });
    const page = await opens();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("The classroom isn’t open yet");
    expect(await textOf(page)).toMatch(/Opens: .*Opens in 1 d 5 h/);
    expect(await page.getByRole("button", { name: "Join" }).count()).toBe(0);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByRole("link", { name: "My attendance", exact: true }).click();
    await page.getByRole("heading", { name: "My attendance", level: 1 }).waitFor();
  });

  test("a learner of another group sees whose entry it is, and who can help", async () => {
    await course.opensFor(["b"]);
    const page = await opens();
    const text = await textOf(page);
    expect(text).toContain("This classroom is for other groups");
    expect(text).toContain("Ask your instructor to change it");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("a learner of a classroom that is not connected sees who can help", async () => {
    course.configured.yes = false;
    const page = await opens().finally(() => {
      course.configured.yes = true;
    });
    expect(await textOf(page)).toContain("Tell your instructor");
  });
});

describe("The calendar", () => {
  test("creates an address that a button copies, and ends it", async () => {
    const page = await opens("/calendar");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Get link" }).click();
    const address = await page.locator("code").innerText();
    expect(address).toMatch(/^https:\/\/tool\.test\/calendar\/[\w-]{32}\.ics$/);
    await page.getByRole("button", { name: /Copy/ }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(address);
    await page.reload();
    expect(await page.locator("code").innerText(), "it is shown again").toBe(address);
    expect(await page.getByRole("link", { name: "Google Calendar" }).getAttribute("href")).toContain(
      encodeURIComponent(address.replace("https:", "webcal:")),
    );
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByRole("button", { name: "Revoke link" }).click();
    await page.getByText("Link revoked.").waitFor();
  });
});
