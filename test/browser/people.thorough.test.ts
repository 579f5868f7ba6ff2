import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience, patienceOfPages } from "../support/patience.ts";
import { axeFindings, findingsOnEveryScreen } from "../support/browser/browser.ts";
import { startWorld, gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";
import { at, type Framed, goToArea, pressed, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", name: "BIO101" };

let userId: string;
let lesson: string;
const { world, open } = await worldInBrowser(startWorld());
beforeAll(async () => {
  userId = await walkIn(world, "student7", biology.link);
  lesson = holdSession(world, biology.name, userId, "ABSENT");
  await vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, "student7")).toBe(0);
  }, patience);
});

/** The instructor opens the course link in a frame as wide as the screen, and from there the list of sessions. */
async function openSessions(): Promise<Framed> {
  const visit = await open("teacher1");
  await visit.frame.getByRole("link", { name: "Attendance", exact: true }).click();
  await visit.frame.getByRole("link", { name: "Registers", exact: true }).click();
  await visit.frame.waitForURL(at("/register"));
  return visit;
}

const toLesson = { name: /^Open the register of Lesson/ };

/** The register of the lesson, once the LMS's list of thirty learners is known. */
async function openRegister(): Promise<Framed> {
  const visit = await openSessions();
  const { frame } = visit;
  await frame.getByRole("link", toLesson).click();
  await frame.waitForURL((url) => url.searchParams.has("event"));
  await vi.waitFor(async () => {
    const learners = await frame.getByRole("list", { name: "Learners" }).getByRole("group").count();
    if (learners < 30) await frame.goto(frame.url());
    expect(learners).toBe(30);
  }, patienceOfPages);
  return visit;
}

/** Plain tables of lists are checked where they fit least; axe takes seconds for each check. */
async function findingsOnPhone(ours: Page | Frame): Promise<string[]> {
  await ("page" in ours ? ours.page() : ours).setViewportSize({ width: 360, height: 700 });
  const width = await ours.evaluate("document.documentElement.scrollWidth");
  return [...(width === 360 ? [] : [`it is ${String(width)} px wide`]), ...(await axeFindings(ours))];
}

const anna = { name: "Anna Bianchi", exact: true };

test("an instructor marks by keyboard alone, undoes it, marks the rest at once, and sees everything in the history", async () => {
  const { page, frame, context } = await openRegister();
  const late = frame.getByRole("group", anna).getByRole("radio", { name: "Late" });
  await frame.getByRole("group", anna).getByRole("radio", { name: "Absent" }).focus();
  await page.keyboard.press("ArrowLeft");
  await frame.getByText("Anna Bianchi marked Late").waitFor();
  await vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, "student7")).toBe(80);
  }, patience);
  await frame.getByRole("button", { name: "Undo" }).click();
  await frame.getByText("Undone. Anna Bianchi: Absent").waitFor();
  await late.check();
  await frame.getByText("Anna Bianchi marked Late").waitFor();

  await frame.getByLabel("More for Anna Bianchi").click();
  await frame.getByRole("textbox", { name: "Note for Anna Bianchi" }).fill("came by bus");
  await page.keyboard.press("Enter"); // saves, as in any form
  await frame.waitForURL(at("/register", "news"));
  await frame.getByText("Saved: 1 learner changed.").waitFor();
  expect(await late.isChecked()).toBe(true);

  await frame.getByRole("button", { name: "Mark everyone else present" }).click();
  await frame.getByText("Saved: 29 learners changed.").waitFor();
  expect(await frame.getByText("29 present", { exact: true }).count()).toBe(1);

  const [tab] = await Promise.all([context.waitForEvent("page"), frame.getByRole("button", anna).click()]);
  await tab.locator("summary", { hasText: "Change" }).first().click();
  expect(await tab.locator(".history > li").allInnerTexts()).toEqual([
    expect.stringMatching(/Late\s+Note: came by bus/),
    expect.stringMatching(/Tessa Lindqvist\s+◔\s+Late$/),
    expect.stringMatching(/Tessa Lindqvist\s+Returned to the classroom’s record$/),
    expect.stringMatching(/Tessa Lindqvist\s+◔\s+Late$/),
    expect.stringMatching(/In the classroom: .+\s+✗\s+Absent$/),
  ]);
  await tab.getByRole("link", { name: "Change log" }).click();
  await tab.getByRole("heading", { name: "Change log", level: 1 }).waitFor();
  expect(await tab.locator("tbody .change").allInnerTexts()).toEqual([
    "Late, note changed",
    "Absent → Late",
    "Late → Absent",
    "Absent → Late",
  ]);
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the list of sessions, the register with a conflict and a mistake, the learner and the change log look right", async () => {
    const { frame, context } = await openSessions();
    expect(await findingsOnPhone(frame), "list of sessions").toEqual([]);
    await frame.getByRole("link", toLesson).click();
    await frame.getByRole("group", anna).waitFor();
    world.classroom.markAttendance({ eventId: lesson, userId, status: "EXCUSED" });
    await vi.waitFor(async () => {
      await frame.goto(frame.url());
      expect(await frame.getByRole("button", { name: "Keep Late for Anna Bianchi" }).count()).toBe(1);
    }, patienceOfPages);
    await frame.getByLabel("More for Anna Bianchi").click();
    await frame.getByRole("textbox", { name: "Note for Anna Bianchi" }).fill("x".repeat(600));
    await frame.getByRole("button", { name: "Save changes" }).first().click();
    await frame.getByText("Not saved. Fix the highlighted fields.").waitFor();
    await expect.poll(() => frame.locator(":focus").getAttribute("aria-label")).toBe("Note for Anna Bianchi");
    expect(await findingsOnEveryScreen(frame), "register").toEqual([]);

    const [tab] = await Promise.all([context.waitForEvent("page"), frame.getByRole("button", anna).click()]);
    for (const summary of await tab.locator("main summary:visible").all()) await summary.click();
    expect(await findingsOnEveryScreen(tab), "learner").toEqual([]);
    await tab.locator(".head").getByRole("link", { name: "Attendance" }).click();
    await tab.locator(".head").getByText("Export and more").click();
    await tab.getByRole("link", { name: "Change log" }).click();
    await tab.getByRole("heading", { name: "Change log", level: 1 }).waitFor();
    expect(await findingsOnPhone(tab), "trail").toEqual([]);
  });
});

/** The instructor opens the course link in a frame as wide as the screen, and from there the page of people. */
async function openPeople(): Promise<Frame> {
  const { frame } = await open("teacher1", biology.link, { width: 800 });
  const more = frame.locator(".areas .more > details > summary");
  if (await more.isVisible()) await more.click();
  await goToArea(frame, "People");
  await frame.waitForURL(at("/people"));
  return frame;
}

/** The page once the roster was first read. */
async function whenRead(): Promise<Frame> {
  const frame = await openPeople();
  await vi.waitFor(
    async () => {
      for (const name of ["Refresh", "Update list"]) {
        const button = frame.getByRole("button", { name });
        if (/\d people in your LMS/.test(await frame.locator("#sync").innerText())) return;
        if ((await button.count()) === 0) continue;
        const old = await frame.waitForSelector("main");
        await button.click();
        await old.waitForElementState("hidden");
        await frame.waitForSelector("main");
      }
      expect(await frame.locator("#sync").innerText()).toMatch(/\d people in your LMS/);
    },
    { timeout: 30_000, interval: 300 },
  );
  return frame;
}

/** Goes from there to the page of sections or groups. */
async function toSections(frame: Frame): Promise<void> {
  await frame.getByRole("link", { name: /^(Groups|Sections)$/ }).click();
  await frame.waitForURL(at("/people/sections"));
}

describe("The pages of people and groups", () => {
  beforeAll(async () => {
    await openCourseLink(createVisitor(), world.lms, "student1", biology.link);
    await openCourseLink(createVisitor(), world.lms, "student2", biology.link);
  });
  afterAll(() => {
    world.lms.faults.clear();
  });

  test("show that the list is being read, say when it is done, and show the new one", async () => {
    const frame = await whenRead();
    world.lms.faults.add({ on: "memberships", how: "slow", delayMs: 2_500, times: 1 });
    world.lms.enrol(biology.course, { id: "90", role: "student", given: "New", family: "Arrival" });
    await pressed(frame, frame.getByRole("button", { name: "Update list" }));
    expect(await frame.getByRole("progressbar").count()).toBe(1);
    const said = frame.locator("#sync").getByRole("status");
    await vi.waitFor(
      async () => {
        expect(await said.innerText()).toMatch(/List updated\. Choose Refresh/);
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(await frame.getByRole("progressbar").count()).toBe(0);
    await pressed(frame, frame.getByRole("button", { name: "Refresh" }));
    expect(await frame.getByRole("row", { name: /New Arrival/ }).count()).toBe(1);
  });

  test("let an instructor look for another account of a learner, on every screen", async () => {
    const frame = await whenRead();
    const menu = frame.locator("details.menu", { hasText: "Join with another account" }).first();
    await menu.locator("summary").click();
    await pressed(frame, menu.getByRole("link", { name: "Join with another account" }));
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });

  test("look right, with groups to name", async () => {
    const frame = await whenRead();
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await toSections(frame);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});
