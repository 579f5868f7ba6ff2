import type { Frame, Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience, patienceOfPages } from "../support/patience.ts";
import { findingsOnEveryScreen, openProfile, type Screen } from "../support/browser/browser.ts";
import { gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";
import { launchedFrame, pressed, showFrame, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const history = "2";

const { world, browser, profiles, open } = await worldInBrowser();

type Visit = { page: Page; frame: Frame; framedBy: string; heights: () => Promise<unknown[]> };

/** For the LMS's page: it records the heights it is sent, and how often it is asked to show its top. */
const noting = `window.heights = [];
  window.tops = 0;
  addEventListener("message", ({ data }) => { if (data?.subject === "lti.scrollToTop") tops += 1; });
  addEventListener("message", ({ data, origin }) => { if (data?.subject === "lti.frameResize") heights.push([data.height, origin]); });`;

/** An instructor opens the course link in a frame as wide as the screen, on a page that records the heights it is sent. */
async function openHome(screen: Screen = { width: 600, height: 900 }): Promise<Visit> {
  const context = await openProfile(browser, world.lms.url, world.lms.cookieFor("teacher1"), screen);
  profiles.watch(context, world.toolUrl);
  const page = await context.newPage();
  const [launched] = await Promise.all([
    page.waitForResponse(`${world.toolUrl}/lti/launch`),
    showFrame(page, world, `/link/${biology.link}/launch?container=embed`, noting),
  ]);
  const frame = await launchedFrame(page, world.toolUrl);
  const policy = (await launched.headerValue("content-security-policy")) ?? "";
  const framedBy = /frame-ancestors ([^;]*)/.exec(policy)?.[1] ?? "";
  return { page, frame, framedBy, heights: () => page.evaluate<unknown[]>("heights") };
}

/** A person who came into the classroom in another way than by the link in the course. @returns their user id */
async function guestUser(): Promise<string> {
  return vi.waitFor(async () => {
    const answer = await fetch(`${world.classroom.apiUrl}/users/createAPIUser`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${world.variables["CLASSROOM_API_KEY"] ?? ""}`,
      },
      body: JSON.stringify({ name: "Gus Guest", role: "participant" }),
    });
    const made: unknown = await answer.json();
    if (typeof made === "object" && made !== null && "userId" in made) return String(made.userId);
    throw new Error(`the classroom made no user: ${JSON.stringify(made)}`); // too many calls, perhaps
  }, patience);
}

/** A picture of the whole page would be cut off at the window's edge. */
async function findings({ frame, page }: Visit): Promise<string[]> {
  const height = await frame.evaluate("Math.ceil(document.body.getBoundingClientRect().height)");
  await page.setViewportSize({ width: 600, height: Number(height) + 600 });
  return findingsOnEveryScreen(frame);
}

test("a new course: first steps lead to the questions by keyboard alone, and the LMS gets the page's height", async () => {
  const visit = await openHome();
  const { frame, page } = visit;
  await frame.getByRole("heading", { name: "First steps" }).waitFor();
  expect(await frame.getByText("done", { exact: false }).first().innerText()).toMatch(/of 5 done/);
  expect(visit.framedBy).toBe(world.lms.url);
  const height = await frame.evaluate("Math.ceil(document.body.getBoundingClientRect().height)");
  await expect.poll(async () => (await visit.heights()).at(-1), patience).toEqual([height, world.toolUrl]);
  expect(await findings(visit), "the first steps").toEqual([]);
  expect(await page.evaluate("tops"), "the LMS's page stays where it is").toBe(0);
  await pressed(frame, frame.getByRole("link", { name: "Choose", exact: true }));
  await frame.getByRole("heading", { name: "Set up this classroom", level: 1 }).waitFor();

  const yes = frame.getByRole("radio", { name: "Yes, the first person starts it" });
  await frame.getByRole("radio", { name: "No, an instructor starts it" }).focus();
  await page.keyboard.press("ArrowDown");
  expect(await yes.isChecked()).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // saves, as in any form
  await frame.getByText("Saved. You can change this").waitFor();
  await frame.getByText("Nothing needs your attention.").waitFor();
});

test("the first questions keep what was chosen if somebody else has changed the settings meanwhile", async () => {
  const visit = await openHome();
  const { frame } = visit;
  await frame.getByRole("link", { name: "Set up", exact: true }).click();
  await frame.getByRole("heading", { name: "Set up this classroom", level: 1 }).waitFor();
  const tops = () => visit.page.evaluate("tops");
  await expect.poll(tops, { ...patience, message: "the next page begins at its top" }).toBe(1);
  const visitor = createVisitor();
  const other = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  const page = await visitor.submit(other, { action: "/course/set-up" });
  const answered = await visitor.submit(page, {
    action: "/course/set-up/save",
    fields: { grading: "one-column", mode: "tab", learnersStart: "no", opens: "always" },
  });
  expect(answered.text).toContain("Saved. You can change this");
  await frame.getByRole("radio", { name: /^Around sessions/ }).check();
  await frame.getByRole("button", { name: "Save answers" }).click();
  await frame.getByText("Someone else changed the settings.").waitFor();
  expect(await frame.getByRole("radio", { name: /^Around sessions/ }).isChecked()).toBe(true);
  expect(await findings(visit), "a conflict").toEqual([]);
});

test("a course in use: the current session, the next one, the state of the grades, and everything that needs attention", async () => {
  const userId = await walkIn(world, "student7", biology.link);
  const other = await walkIn(world, "student8", biology.link);
  const space = world.classroom.spaces().find(({ name }) => name.startsWith(biology.name));
  const spaceId = space?.spaceId ?? "";
  const now = Date.now();
  const lesson = holdSession(world, biology.name, userId, "PRESENT");
  await vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, "student7")).toBe(100);
  }, patience);
  for (const column of world.lms.world.columns.values()) world.lms.setColumn(column.id, { locked: true });
  world.classroom.markAttendance({ eventId: lesson, userId: other, status: "LATE" });
  world.classroom.createEvent({ spaceId, title: "Cells", startsAt: now - 60_000, endsAt: now + 3_600_000 });
  const ended = { startsAt: now - 7_200_000, endsAt: now - 3_600_000 };
  const tutorial = world.classroom.createEvent({ spaceId, title: "Tutorial", ...ended });
  world.classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId: tutorial.eventId });
  world.classroom.publishRecording({ spaceId });
  const guest = await guestUser();
  world.classroom.markAttendance({ eventId: lesson, userId: guest, status: "PRESENT" });
  const visit = await openHome();
  const { frame } = visit;
  await vi.waitFor(async () => {
    await pressed(frame, frame.getByRole("link", { name: "Home", exact: true }));
    const text = (await frame.locator("main").innerText()).replaceAll(/\s+/gu, " ");
    for (const said of [
      "On now",
      "Needs you 1 of 2 in Moodle 1 in the gradebook 1 need you",
      "Nobody came to “Tutorial”",
      "The gradebook didn’t accept 1 grade.",
      "1 attendee or session isn’t matched.",
      "Recording to publish: “",
    ]) {
      expect(text).toContain(said);
    }
  }, patience);
  expect(await findings(visit), "a full home").toEqual([]);
  const order = (await frame.locator(".attention > li").allInnerTexts()).map(
    (line) => /Nobody came|didn’t accept|Mark attendance|isn’t matched|Recording to publish/.exec(line)?.[0],
  );
  expect([...new Set(order)]).toEqual([
    "Nobody came",
    "didn’t accept",
    "Mark attendance",
    "isn’t matched",
    "Recording to publish",
  ]);
  await frame.getByRole("link", { name: "Open", exact: true }).click();
  await frame.getByRole("heading", { name: "Grades", level: 1 }).waitFor();
  expect(await frame.getByRole("row").filter({ hasText: "Not accepted" }).count()).toBe(1);
  expect(await frame.locator("nav.areas [aria-current]").first().innerText()).toBe("Grades");
});

describe("Unmatched attendance", () => {
  beforeAll(async () => {
    const userId = await walkIn(world, "student1", history);
    const spaceId = world.classroom.spaces().find(({ name }) => name.includes("HIS205"))?.spaceId ?? "";
    const endsAt = Date.now() - 3_600_000;
    const times = { startsAt: endsAt - 3_600_000, endsAt };
    const lesson = world.classroom.createEvent({ spaceId, title: "Lesson", ...times });
    const trip = world.classroom.createEvent({ title: "Field trip", ...times });
    const stranger = await guestUser();
    world.classroom.markAttendance({ eventId: lesson.eventId, userId: stranger, status: "PRESENT" });
    world.classroom.markAttendance({ eventId: trip.eventId, userId, status: "PRESENT" });
    await world.classroom.webhooksSettled();
    await vi.waitFor(async () => {
      const page = await openCourseLink(createVisitor(), world.lms, "teacher2", history, { framed: true });
      expect(page.text).toContain("2 attendees or sessions aren’t matched.");
    }, patienceOfPages);
  });

  test("an instructor matches people and sessions by keyboard, on pages that look right on every screen", async () => {
    const { frame } = await open("teacher2", history);
    await frame.getByRole("link", { name: "Match", exact: true }).press("Enter");
    await frame.getByRole("heading", { name: /attendees? (?:isn’t|aren’t) matched$/, level: 1 }).waitFor();
    expect(await findingsOnEveryScreen(frame)).toEqual([]);

    const who = frame.getByRole("combobox", { name: /^Who is user/ });
    const first = await who.locator("option").nth(1).textContent();
    await who.selectOption({ index: 1 });
    await frame.getByRole("button", { name: /^Match user/ }).press("Enter");
    const confirm = frame.getByRole("button", { name: /^Yes, it is/ });
    const saved = frame.getByText(`is ${first ?? ""}.`);
    /** The result, which gets the focus once the page is there. */
    const told = frame.locator(".note:focus");
    await confirm.or(saved).first().waitFor();
    if (await confirm.isVisible()) {
      expect(await findingsOnEveryScreen(frame)).toEqual([]);
      await confirm.press("Enter");
    }
    await saved.first().waitFor();
    await told.waitFor();
    await frame.getByRole("button", { name: /^Add to this course: Field trip/ }).press("Enter");
    await frame.getByText("Added: the session belongs to this course.").waitFor();
    await frame.getByRole("button", { name: /^Undo: Field trip/ }).press("Enter");
    await told.filter({ hasText: "Undone: the session no longer belongs to this course." }).waitFor();
    await frame.getByRole("button", { name: /^Undo: .* is user/ }).press("Enter");
    await told.filter({ hasText: /^\s*Undone: .* is no longer user/ }).waitFor();
    await frame.getByRole("button", { name: /^Dismiss: Field trip/ }).press("Enter");
    await frame.getByText("Dismissed. It’s at the end of this page.").waitFor();
    await told.waitFor();
    await frame.getByRole("button", { name: /^Dismiss user/ }).press("Enter");
    await frame.getByText("Everything is matched.").waitFor();
  });

  test("a complete register is one click from home, and a correction there one more", async () => {
    const { frame } = await open("teacher2", history);
    const status = frame.getByRole("status");
    const lead = frame.getByRole("link", { name: /^Open the register of / });
    const asking = frame.getByRole("link", { name: "Mark attendance", exact: true }).first();
    await asking.waitFor();
    expect(await lead.count(), "a line asks for it").toBe(0);
    await asking.click();
    await frame.getByRole("button", { name: "Mark everyone else present" }).click();
    await status.getByRole("button", { name: "Undo" }).waitFor();
    await frame.getByRole("link", { name: "Home", exact: true }).click();

    await lead.click();
    await frame.getByRole("radio", { name: "Absent" }).first().click();
    await status.getByText("marked Absent").waitFor();
    await status.getByRole("button", { name: "Undo" }).click();
    await status.getByText("Undone.").waitFor();
  });
});
