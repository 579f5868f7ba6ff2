import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { collectProblems, findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { claimsOf, startTinyWorld } from "../support/tool/tiny-world.ts";
import { carriedSession } from "../support/tool/pages.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openCoursePage } from "../support/browser/open-in-frame.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
let context: BrowserContext;
let page: Page;
let problems: string[] = [];

const [browser, world] = await Promise.all([forAllTests(startBrowser()), forAllTests(startTinyWorld())]);
beforeAll(async () => {
  context = await browser.newContext({ viewport: { width: 600, height: 700 }, timezoneId: "UTC" });
  context.setDefaultTimeout(30_000);
  problems = collectProblems(context, world.toolUrl, problems);
  page = await context.newPage();
});
afterEach(() => {
  const found = problems.splice(0);
  expect(found, "errors on the console of our pages").toEqual([]);
});

/** An instructor of a course looks at its sessions. */
async function opensSessions(course: string): Promise<void> {
  const seen = await world.launch({ claims: claimsOf({ sub: "teacher", course }) });
  const token = carriedSession(seen);
  const { id } = await world.courseOf(course);
  await world.stores.courses.setTimeZone(id, "UTC");
  await openCoursePage(page, world.toolUrl, token, "/sessions");
  await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
}

/** A session of a course, as the classroom reported it. */
async function session(course: string, number: number, startsAt: number, spaceId?: string): Promise<void> {
  const { id, environment, spaceId: own } = await world.courseOf(course);
  await world.stores.events.save({
    environment,
    eventId: `event-${course}-${number}`,
    spaceId: spaceId ?? own,
    title: `Lesson ${number}: what leaves do with light, and why it matters to us`,
    startsAt,
    endsAt: startsAt + hour,
    cancelled: number % 20 === 7,
    courseId: id,
    readAt: 1,
    recurring: number % 2 === 0,
  });
}

const rowsIn = (name: string) => page.getByRole("region", { name }).getByRole("listitem");

describe("The sessions of a course", () => {
  test("of a new course say how sessions are created", async () => {
    await opensSessions("20");
    await page.getByText("No sessions yet.").waitFor();
    expect(await page.getByRole("heading", { name: "Past" }).count()).toBe(0);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("say that none is planned when all are past", async () => {
    await world.launch({ claims: claimsOf({ sub: "teacher", course: "21" }) });
    await session("21", 1, Date.now() - day);
    await opensSessions("21");
    await page.getByText("No session is scheduled.").waitFor();
    expect(await rowsIn("Past").count()).toBe(1);
  });

  test("are listed by ten if there are sixty, with the current and the next ones first", async () => {
    await world.launch({ claims: claimsOf({ sub: "teacher", course: "22" }) });
    const now = Date.now();
    for (let number = 1; number <= 60; number += 1) {
      const startsAt = number === 30 ? now - 10 * minute : now + (number - 30) * day;
      await session("22", number, startsAt, number === 32 ? "space-of-the-laboratory-building" : undefined);
    }
    await opensSessions("22");
    expect(await rowsIn("On now").count()).toBe(1);
    expect(await rowsIn("Upcoming").count()).toBe(10);
    expect(await rowsIn("Past").count()).toBe(10);
    expect(await rowsIn("Upcoming").first().innerText()).toContain("Lesson 31:");
    expect(await rowsIn("Upcoming").nth(1).innerText()).toContain(
      "In: Classroom space-of-the-laboratory-building",
    );
    expect(await rowsIn("Past").first().innerText()).toContain("Lesson 29:");
    expect(await findingsOnEveryScreen(page)).toEqual([]);

    await page.getByRole("link", { name: "Later" }).click();
    await page.getByText("Page 2 of 3").waitFor();
    expect(await rowsIn("Upcoming").first().innerText()).toContain("Lesson 41:");
    await page.getByRole("link", { name: "Older" }).click();
    await expect.poll(() => page.getByText("Page 2 of 3").count()).toBe(2);
    expect(await rowsIn("Upcoming").first().innerText(), "the other part stays where it was").toContain(
      "Lesson 41:",
    );
    expect(await rowsIn("Past").first().innerText()).toContain("Lesson 19:");
  });

  test("report a wrong zone", async () => {
    await opensSessions("20");
    await page.getByText("Change time zone").click();
    await page.evaluate(`document.querySelector("#zone option:checked").value = "Nowhere"`);
    await page.getByRole("button", { name: "Save time zone" }).click();
    await page.getByRole("alert").getByText("Choose a time zone from the list.").waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    problems.splice(0);
  });
});
