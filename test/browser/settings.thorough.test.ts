import type { Frame, Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { patienceOfPages } from "../support/patience.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { findingsOnEveryScreen, openProfile } from "../support/browser/browser.ts";
import { cityOf } from "../../src/modules/scheduling/rules/time-zone.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { rightPassword } from "../support/tool/console-tool.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import {
  at,
  goToArea,
  openFolds,
  pressed,
  showLink,
  worldInBrowser,
} from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", code: "BIO101" };
const history = { course: "3", link: "2", code: "HIS205" };
const minute = 60_000;

const { world, browser, profiles } = await worldInBrowser(
  startWorld({ learners: 4, variables: { ADMIN_PASSWORD: rightPassword } }),
);

type Visit = { page: Page; frame: Frame };

/** Somebody opens a course link in a frame that fills the page; with `ownClock` a test may move the clock. */
async function opens(person: string, link = biology.link, { ownClock = false } = {}): Promise<Visit> {
  const cookie = world.lms.cookieFor(person);
  const context = await openProfile(browser, world.lms.url, cookie, { width: 800 });
  profiles.watch(context, world.toolUrl);
  if (ownClock) await context.clock.install();
  const page = await context.newPage();
  const frame = await showLink(page, world, link);
  return { page, frame };
}

/** A person opens a course link in a new tab, whose clock a test may move. */
async function topLevel(person: string, link: string): Promise<Page> {
  const context = await openProfile(browser, world.lms.url, world.lms.cookieFor(person));
  profiles.watch(context, world.toolUrl);
  await context.clock.install();
  const page = await context.newPage();
  await page.goto(`${world.lms.url}${world.lms.launchPath(link, "existing")}`);
  await page.waitForURL(`${world.toolUrl}/**`);
  return page;
}

async function openSettings(person = "teacher1", link = biology.link): Promise<Visit> {
  const visit = await opens(person, link);
  await goToArea(visit.frame, "Settings");
  await visit.frame.waitForURL(at("/settings"));
  await openFolds(visit.frame);
  return visit;
}

async function save(frame: Frame): Promise<void> {
  await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
  await openFolds(frame);
}

/** A session that the tool knows because somebody was marked in it. */
async function sessionAt(course: typeof history, startsAt: number): Promise<string> {
  const userId = await walkIn(world, "student1", course.link);
  const space = world.classroom.spaces().find(({ name }) => name.startsWith(course.code));
  if (space === undefined) throw new Error(`no Space of ${course.code}`);
  const { eventId } = world.classroom.createEvent({
    spaceId: space.spaceId,
    title: "Lesson",
    startsAt,
    endsAt: startsAt + 45 * minute,
  });
  world.classroom.markAttendance({ eventId, userId, status: "PRESENT" });
  return eventId;
}

async function openConsole(): Promise<Page> {
  const context = await openProfile(browser, world.toolUrl, null, { width: 800 });
  profiles.watch(context, world.toolUrl);
  const page = await context.newPage();
  await page.goto(`${world.toolUrl}/admin`);
  await page.getByLabel("Password").fill(rightPassword);
  await page.getByRole("button", { name: "Log in" }).click();
  return page;
}

/** The administrator's page of defaults for courses of the only LMS. */
async function openDefaults(): Promise<Page> {
  const page = await openConsole();
  await page.locator("main a[href^='/admin/registrations/reg']").first().click();
  await page.getByRole("link", { name: "Defaults for its courses" }).click();
  await page.waitForURL("**/defaults");
  return page;
}

const heading = (frame: Frame) => frame.getByRole("heading", { level: 1 });

describe("An instructor at the settings", () => {
  test("sees the addresses change while choosing, and keeps wrong input beside its message", async () => {
    const { frame } = await openSettings();
    const addresses = frame.locator("#addresses");
    await expect.poll(() => addresses.innerText()).toContain("startCall=true&standalone=true");
    expect(await frame.getByRole("button", { name: "Preview links" }).count()).toBe(0);
    await frame.getByLabel("A call starts").selectOption("anyone");
    await frame.getByLabel("Language of the classroom").selectOption({ label: "Portuguese" });
    await expect
      .poll(() => addresses.innerText())
      .toContain("startCall=true&skipCallHostCheck=true&standalone=true&language=pt");
    await frame.getByText("What the options mean").click();
    expect(await addresses.innerText()).toContain("Shown in Portuguese.");
    expect(await addresses.innerText()).not.toContain("token");
    await frame.getByLabel("Learners can join").selectOption("around-sessions");
    await frame.getByLabel("Minutes before a session").fill("soon");
    await frame.getByRole("button", { name: "Save", exact: true }).click();
    await frame.getByRole("alert").waitFor();
    expect(await frame.getByRole("alert").getByRole("link").allInnerTexts()).toEqual([
      "Minutes before a session",
    ]);
    await expect.poll(() => frame.locator(":focus").getAttribute("name")).toBe("minutesBefore");
    expect(await frame.getByLabel("Language of the classroom").inputValue()).toBe("pt");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByLabel("Minutes before a session").fill("10");
    await frame.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => frame.getByRole("status").first().innerText()).toMatch(/^Saved\./);
    await openFolds(frame);
    await frame.getByRole("link", { name: "Reset to defaults" }).click();
    await expect.poll(() => heading(frame).innerText()).toBe("Reset to defaults?");
    expect(await frame.getByRole("row").allInnerTexts()).toContainEqual(
      expect.stringMatching(/Language of the classroom\s+Portuguese\s+Each person’s LMS language/),
    );
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByRole("button", { name: "Reset to defaults" }).click();
    await expect.poll(() => frame.getByRole("status").first().innerText()).toMatch(/^Saved\./);
  });

  test("can choose sections once “these” is chosen", async () => {
    await openCourseLink(createVisitor(), world.lms, "student1", biology.link);
    await openCourseLink(createVisitor(), world.lms, "student2", biology.link);
    const { frame } = await openSettings();
    await frame.getByLabel("The classroom is for").selectOption("some");
    await frame.getByLabel("Group 1").check();
    await save(frame);
    expect(await frame.getByLabel("Group 1").isChecked()).toBe(true);
    expect(await frame.getByLabel("Group 2").isChecked()).toBe(false);
    const other = await opens("student2");
    expect(await other.frame.getByRole("heading", { level: 1 }).innerText()).toBe(
      "This classroom is for other groups",
    );
    expect(await other.frame.locator("main ul:not(nav ul) li").allInnerTexts()).toEqual(["Group 1"]);
    await frame.getByLabel("The classroom is for").selectOption("all");
    await save(frame);
  });
});

/** Waits until another learner's frame contains the text. */
async function forLearner(link: string, says: (text: string) => void): Promise<void> {
  await vi.waitFor(async () => {
    const framed = { framed: true };
    says((await openCourseLink(createVisitor(), world.lms, "student3", link, framed)).text);
  }, patienceOfPages);
}

describe("A learner before entry opens", () => {
  test("sees when it opens, sees the time run, and the page continues automatically", async () => {
    // Long enough for everything before it on a slow machine; the test does not wait for its end.
    const opensIn = 55_000;
    const teacher = await openSettings("teacher2", history.link);
    const startsAt = Date.now() + 20 * minute + opensIn;
    const eventId = await sessionAt(history, startsAt);
    await teacher.frame.getByLabel("Learners can join").selectOption("around-sessions");
    await teacher.frame.getByLabel("Minutes before a session").fill("20");
    await save(teacher.frame);
    await forLearner(history.link, (text) => {
      expect(text).toContain("isn’t open yet");
    });
    const { page, frame } = await opens("student2", history.link, { ownClock: true });
    const outside = await topLevel("student4", history.link);
    expect(await outside.getByRole("heading", { level: 1 }).innerText()).toBe("The classroom isn’t open yet");
    expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("The classroom isn’t open yet");
    const shown = await frame.locator("#opens-at").innerText();
    const opensAt = new Date(startsAt - 20 * minute);
    const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
    const clock = courseTimes({ timeZone: zone }, "en").clock(opensAt.getTime());
    expect(shown).toBe(`${clock} (${cityOf(zone)})`);
    expect(await frame.locator("#closed .lead").innerText()).toBe(`Opens at ${shown}`);
    const timer = frame.getByRole("timer");
    const before = await timer.innerText();
    expect(before).toMatch(/^\d+ s$/);
    await vi.waitFor(async () => {
      expect(await timer.innerText()).not.toBe(before);
    }, 30_000);
    expect(await frame.getByRole("status").count(), "nothing is read out while the time runs").toBe(0);
    // For the tool, the session begins a minute sooner; only the pages still count down to the old time.
    world.classroom.updateEvent({ eventId, startsAt: startsAt - minute });
    await forLearner(history.link, (text) => {
      expect(text).not.toContain("isn’t open yet");
    });
    expect(await timer.count(), "it has not moved on before its time").toBe(1);
    await page.clock.runFor(minute);
    await timer.waitFor({ state: "detached" });
    await frame.getByRole("button", { name: /^(Enter classroom|Join|Open again)$/ }).waitFor();
    expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("Lesson");
    await outside.clock.runFor(minute);
    await outside.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 30_000 });
  });

  test("sees the day if it opens on another day, on pages that look right on every screen", async () => {
    const teacher = await openSettings("teacher2", history.link);
    await pressed(teacher.frame, teacher.frame.getByRole("link", { name: "Reset to defaults" }));
    await teacher.frame.getByRole("button", { name: "Reset to defaults" }).click();
    await expect.poll(() => teacher.frame.getByRole("status").count()).toBe(1);
    const link = await openSettings("teacher1", biology.link);
    await link.frame.getByLabel("Learners can join").selectOption("around-sessions");
    await sessionAt(biology, Date.now() + 3 * 24 * 60 * minute);
    await save(link.frame);
    await forLearner(biology.link, (text) => {
      expect(text).toContain("isn’t open yet");
    });
    const { page, frame } = await opens("student3", biology.link);
    expect(await frame.locator("#opens-at").innerText()).toMatch(/^\w{3} \d+ \w{3} \d{4}, \d\d:\d\d \(.+\)$/);
    expect(await frame.locator("#closed .lead").innerText()).toMatch(/^Opens: .*\d{4}/);
    expect(await frame.locator("#left").innerText()).toBe("Opens in 2 d 23 h");
    const looks: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/door") looks.push(request.method());
    });
    await Promise.all([
      page.waitForEvent("framenavigated", (one) => one === frame),
      frame.getByRole("button", { name: "Check again" }).dblclick(),
    ]);
    await frame.waitForLoadState();
    expect(looks).toEqual(["POST"]);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});

describe("Another Space for a course", () => {
  test("is chosen after reading what that means", async () => {
    const { frame } = await openSettings();
    await frame.getByRole("link", { name: "Use another Space" }).click();
    await frame.waitForURL(at("/settings/space"));
    await frame.getByLabel("Address or ID of the Space").fill("https://elsewhere.test/spaces/x");
    await frame.getByRole("button", { name: "Review", exact: true }).click();
    await expect.poll(() => frame.getByRole("alert").count()).toBe(1);
    expect(await frame.getByLabel("Address or ID of the Space").inputValue()).toBe(
      "https://elsewhere.test/spaces/x",
    );
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByLabel("Address or ID of the Space").fill("made-by-hand");
    await frame.getByRole("button", { name: "Review", exact: true }).click();
    await expect.poll(() => frame.getByText("Waiting for an answer").count()).toBe(1);
    const console_ = await openConsole();
    await console_.locator("nav.side summary").click(); // the menu is folded at this width
    await console_.getByRole("link", { name: /^Spaces\b/ }).click();
    expect(await findingsOnEveryScreen(console_)).toEqual([]);
    await console_.getByRole("button", { name: "Approve: made-by-hand", exact: true }).click();
    await expect.poll(() => console_.getByRole("status").first().innerText()).toMatch(/^Approved\./);
    expect(await console_.getByText("Approved by the operator").count()).toBe(1);
    await frame.getByRole("button", { name: "Review", exact: true }).click();
    await expect.poll(() => heading(frame).innerText()).toBe("Link this Space to the course?");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByRole("button", { name: "Link this Space" }).click();
    await expect.poll(() => frame.getByRole("status").first().innerText()).toContain("Space linked,");
    await frame.getByRole("link", { name: "Changes" }).click();
    await frame.waitForURL(at("/audit"));
    await frame.getByRole("link", { name: "Settings and classroom" }).click();
    await frame.waitForURL(/kind=settings/);
    await expect.poll(() => frame.getByRole("table").innerText()).toContain("/spaces/made-by-hand");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame
      .getByRole("navigation", { name: "What kind" })
      .getByRole("link", { name: "Attendance" })
      .click();
    await expect.poll(() => frame.getByText("No change of this kind yet.").count()).toBe(1);
  });
});

describe("An institution", () => {
  test("locks values, which instructors then see but are not asked for", async () => {
    const page = await openDefaults();
    expect(await page.getByLabel("Maximum points", { exact: true }).isVisible()).toBe(false);
    await page.getByLabel("Setting: Maximum points").selectOption("locked");
    await page.getByLabel("Maximum points", { exact: true }).fill("1000");
    await page.getByLabel("Setting: Begin in gallery view").selectOption("locked");
    await page.locator("#value-galleryView").selectOption("yes");
    await page.getByLabel("Setting: The classroom is open").selectOption("locked");
    await page.locator("#value-opens").selectOption("around-sessions");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => page.getByRole("alert").count()).toBe(1);
    expect(await page.getByLabel("Maximum points", { exact: true }).inputValue()).toBe("1000");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByLabel("Maximum points", { exact: true }).fill("20");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => page.getByRole("status").first().innerText()).toMatch(/^Saved\./);
    expect(await page.locator("#value-galleryView").inputValue()).toBe("yes");

    const { frame } = await openSettings();
    expect(await frame.getByText(/^Locked by .+\. Ask your LMS administrator/).count()).toBe(2);
    expect(await frame.getByLabel("Begin in gallery view").count()).toBe(0);
    await expect.poll(() => frame.locator("#addresses").innerText()).toContain("gv=true");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame
      .getByRole("navigation", { name: "Parts of the settings" })
      .getByRole("link", { name: "Grades" })
      .click();
    await frame.waitForURL(at("/grading"));
    expect(await frame.getByLabel("Maximum points").count()).toBe(0);
    expect(await frame.locator(".held").innerText()).toBe("20");
    await openFolds(frame);
    await frame.getByLabel("No grades", { exact: true }).check();
    await expect.poll(() => frame.locator("#example").innerText()).toContain("With your unsaved values.");
  });
});
