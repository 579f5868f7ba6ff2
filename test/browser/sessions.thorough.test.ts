import type { BrowserContextOptions, Frame, Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { at, showLink } from "../support/browser/open-in-frame.ts";

const biology = "1";
const profiles = watchProfiles();

const [browser, world] = await Promise.all([
  forAllTests(startBrowser()),
  forAllTests(startWorld({ learners: 12 })),
]);

/** A fresh browser profile with one tab. */
async function tabWith(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 800, height: 700 }, ...options });
  context.setDefaultTimeout(30_000);
  profiles.watch(context, world.toolUrl);
  return context.newPage();
}

/** Somebody opens the course link in a frame that is all of the page. */
async function opens(person: string, timezoneId = "Europe/Paris"): Promise<Frame> {
  const page = await tabWith({ timezoneId });
  const [name = "", ...value] = world.lms.cookieFor(person).split("=");
  await page.context().addCookies([{ name, value: value.join("="), url: world.lms.url }]);
  return showLink(page, world, biology);
}

describe("An instructor", () => {
  test("plans a series, watches it being created, changes one session and creates a calendar's address", async () => {
    const frame = await opens("teacher1", "America/New_York");
    await frame.getByRole("link", { name: "Sessions", exact: true }).click();
    await frame.waitForURL(at("/sessions"));
    expect(await frame.getByText("No sessions yet.").count()).toBe(1);

    await frame.getByRole("link", { name: "Schedule sessions" }).click();
    await frame.waitForURL(at("/sessions/plan"));
    expect(await frame.getByLabel("Monday").isVisible()).toBe(false);
    await frame.getByLabel("Name").fill("Genes {number} of {of}");
    await frame.getByLabel("First date").fill("2027-03-22");
    await frame.getByLabel("Begins at").fill("02:30");
    await frame.getByLabel("Minutes").fill("long");
    await frame.getByLabel("Repeats").selectOption("week");
    await frame.getByLabel("Monday").check();
    await frame.getByLabel("Sunday").check();
    await frame.getByLabel("How many sessions").fill("4");
    await frame.getByRole("button", { name: "Preview dates" }).click();
    await frame.getByRole("alert").waitFor();
    expect(await frame.getByLabel("Minutes").getAttribute("aria-invalid")).toBe("true");
    expect(await frame.getByLabel("Sunday").isChecked()).toBe(true);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);

    await frame.getByLabel("Minutes").fill("45");
    await frame.getByRole("button", { name: "Preview dates" }).click();
    await frame.getByRole("heading", { name: "Are these dates right?" }).waitFor();
    expect(await frame.getByRole("checkbox").count()).toBe(4);
    expect(await frame.getByLabel(/28 Mar 2027, 03:30/).count(), "it does not exist at 02:30").toBe(1);
    await frame.getByLabel(/29 Mar 2027/).uncheck();
    expect(await findingsOnEveryScreen(frame)).toEqual([]);

    await frame.getByRole("button", { name: "Schedule these sessions" }).click();
    await frame.getByText("3 sessions scheduled.").waitFor();
    await vi.waitFor(
      async () => {
        expect(await frame.locator("#making-text").innerText()).toBe("All sessions are created.");
      },
      { timeout: 30_000, interval: 100 },
    );
    await frame.getByRole("button", { name: "Show them" }).click();
    await frame.locator("#making").waitFor({ state: "detached" });
    await frame.getByText("Your time (New York): Sun 21 Mar 2027").waitFor(); // written by a script
    expect(await findingsOnEveryScreen(frame)).toEqual([]);

    await frame.getByRole("link", { name: /^Change Genes 2 of 3/ }).click();
    await frame.getByRole("heading", { name: "Change a session" }).waitFor();
    expect(await frame.getByText("You can’t move this session here.").count()).toBe(1);
    await frame.getByLabel("Name").fill("Genes again");
    await frame.getByLabel("Count for grades").uncheck();
    await frame.getByRole("button", { name: "Save" }).click();
    await frame.getByText("Saved for 1 session.").waitFor();
    expect(await frame.getByText("not graded").count()).toBe(1);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);

    await frame.getByRole("button", { name: "Cancel session" }).click();
    await frame.getByText("1 session cancelled.").waitFor();
    await frame.getByRole("button", { name: "Undo cancellation" }).click();
    await frame.getByText("The session is on again.").waitFor();
    expect(await frame.getByRole("button", { name: "Cancel session" }).count()).toBe(1);

    await frame.getByRole("link", { name: "Sessions", exact: true }).click();
    await frame.getByRole("link", { name: "Schedule sessions" }).click();
    await frame.getByLabel("First date").fill("2027-03-21");
    await frame.getByLabel("Begins at").fill("21:30");
    await frame.getByLabel("Ends at").fill("22:15");
    expect(await frame.getByLabel("Minutes").inputValue()).toBe("45");
    await frame.getByLabel("Time zone").fill("New York");
    await frame.getByLabel("Repeats").selectOption("week");
    expect(await frame.getByLabel("Sunday").isChecked(), "the first date's weekday").toBe(true);
    await frame.getByLabel("How many sessions").fill("3");
    await frame.getByRole("button", { name: "Preview dates" }).click();
    await frame.getByText("Times in New York").waitFor();
    expect(await frame.getByText("Paris: Mon 22 Mar 2027, 02:30–03:15").count()).toBe(1);
    const first = frame.getByLabel(/^Sun 21 Mar 2027, 21:30–22:15/);
    expect(await first.isChecked()).toBe(true);
    await frame.getByRole("button", { name: "Leave out dates that overlap (1)" }).click();
    await frame.getByText("2 sessions").waitFor();
    expect(await first.isChecked()).toBe(false);
    await frame.getByLabel("First day").fill("2027-03-28");
    await frame.getByRole("button", { name: "Leave out and remember" }).click();
    await frame.getByText("1 session", { exact: true }).waitFor();
    await frame.getByRole("button", { name: "Schedule these sessions" }).click();
    await frame.getByText("1 session scheduled.").waitFor();

    await frame.getByRole("link", { name: "Add to calendar" }).click();
    await frame.getByRole("button", { name: "Get link" }).first().click();
    await frame.getByText("Link created.").waitFor();
  });
});
