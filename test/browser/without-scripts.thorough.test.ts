import type { BrowserContext, Frame } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { patience, patienceOfPages } from "../support/patience.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { goToArea, openInFrame, pressed } from "../support/browser/open-in-frame.ts";
import { startWorld, gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", linkId: "1", name: "BIO101" };
const width = 360;

let contexts: BrowserContext[] = [];
let frame: Frame;

const world = await forAllTests(startWorld({ learners: 12 }));
const browser = await forAllTests(startBrowser({ scripts: false }));

beforeEach(async () => {
  const opened = await openInFrame(browser, world, {
    username: "teacher1",
    linkId: biology.linkId,
    screen: { width, scripts: false },
  });
  contexts.push(opened.context);
  frame = opened.frame;
});

afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
});

/** Presses a button and waits for the page that it leads to, which must fit. */
async function press(name: string | RegExp, within = "body"): Promise<void> {
  const inside = frame.locator(within);
  const button = inside.getByRole("button", { name, exact: true });
  await pressed(frame, button.or(inside.getByRole("link", { name, exact: true })).first());
  await expectFit(String(name));
}

/** Goes to an area of the course, on a phone often through More, and waits for its page, which must fit. */
async function goTo(name: string): Promise<void> {
  await goToArea(frame, name);
  await expectFit(name);
}

async function expectFit(after: string): Promise<void> {
  expect(await frame.evaluate("document.documentElement.scrollWidth"), `width after ${after}`).toBe(width);
}

const heading = () => frame.getByRole("heading", { level: 1 }).innerText();
const textOf = () => frame.locator("main").innerText();

/** Presses a button that reloads the same page until it contains the text. */
async function pressUntil(name: string, said: RegExp, within?: string): Promise<void> {
  await vi.waitFor(async () => {
    if (!said.test(await textOf())) await press(name, within);
    expect(await textOf()).toMatch(said);
  }, patienceOfPages);
}

describe("An instructor with a phone whose browser runs no scripts", () => {
  test("answers the first questions and sees that they are saved", async () => {
    const whoeverIsFirst = frame.getByRole("radio", { name: "Yes, the first person starts it" });
    await press("Set up");
    await whoeverIsFirst.check();
    await press("Save answers");
    expect(await textOf()).toContain("Saved. You can change this in Settings.");
    await press("Set up");
    expect(await whoeverIsFirst.isChecked()).toBe(true);
  });

  test("saves settings, and sees the addresses on request", async () => {
    await goTo("Settings");
    await frame.getByLabel("Language of the classroom").selectOption({ label: "Portuguese" });
    await frame.getByText("Advanced: Space and links").click();
    await press("Preview links");
    expect(await frame.getByLabel("Language of the classroom").inputValue()).toBe("pt");
    expect(await frame.locator("#addresses").innerText()).toContain("http");
    await press("Save");
    expect(await frame.getByRole("status").first().innerText()).toMatch(/^Saved\./);
    await goTo("Settings");
    expect(await frame.getByLabel("Language of the classroom").inputValue()).toBe("pt");
  });

  test("corrects one learner in the register, and then the credit for a late arrival", async () => {
    const userId = await walkIn(world, "student7", biology.linkId);
    holdSession(world, biology.name, userId, "ABSENT");
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.course, "student7")).toBe(0);
    }, patience);
    await goTo("Attendance");
    await press("Registers");
    await press(/^Open the register of Lesson/);
    const anna = frame.getByRole("group", { name: "Anna Bianchi", exact: true });
    await anna.getByRole("radio", { name: "Late" }).check();
    await press("More for Anna Bianchi");
    expect(await anna.getByRole("radio", { name: "Late" }).isChecked(), "what is chosen stays").toBe(true);
    await frame.getByRole("textbox", { name: "Note for Anna Bianchi" }).fill("came by bus");
    await press("Save changes");
    expect(await textOf()).toContain("Saved: 1 learner changed.");
    await press("More for Anna Bianchi");
    expect(await frame.getByRole("textbox", { name: "Note for Anna Bianchi" }).inputValue()).toBe(
      "came by bus",
    );
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.course, "student7")).toBe(80);
    }, patience);

    await goTo("Settings");
    await press("Grades", ".tabs");
    await frame.getByLabel("Late: percent").fill("lots");
    await press("Preview changes");
    expect(await textOf()).toContain("Not saved.");
    await frame.getByLabel("Late: percent").fill("90");
    await press("Preview changes");
    expect(await frame.getByRole("row").nth(1).getByRole("cell").allInnerTexts()).toEqual([
      "80",
      "90",
      "higher",
    ]);
    await press("Save and send grades");
    expect(await textOf()).toContain("Saved. Grades are updated and sent.");
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.course, "student7")).toBe(90);
    }, patience);
  });

  test("opens recordings, people and sections", async () => {
    await goTo("Recordings");
    expect(await heading()).toBe("Recordings");
    expect(await textOf()).toContain("No recordings yet");
    await goTo("People");
    expect(await heading()).toBe("People");
    await pressUntil("Refresh", /\d people in your LMS/);
    await press(/^(Groups|Sections)$/);
    expect(await heading()).toMatch(/^(Groups|Sections)/);
    expect(await frame.locator("main .lines > li, main .empty").count()).toBeGreaterThan(0);
  });

  test("creates a calendar's address, which shows the sessions", async () => {
    await goTo("Sessions");
    await press("Add to calendar");
    await press("Get link");
    expect(await textOf()).toContain("Link created.");
    const address = await frame.locator("#address-course").innerText();
    const calendar = await fetch(address);
    expect(calendar.status).toBe(200);
    expect(await calendar.text()).toContain("BEGIN:VCALENDAR");
  });
});
