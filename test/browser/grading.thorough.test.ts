import type { Frame, Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores } from "../../src/open-stores.ts";
import { ruleDefaults } from "../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../src/settings/options.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";
import { required } from "../support/required.ts";
import { at, launchedFrame, openFolds, showFrame, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const history = { course: "3", link: "2" };

const { world, open, tabOf } = await worldInBrowser();
beforeAll(async () => {
  const userId = await walkIn(world, "student7", biology.link);
  for (const status of ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const)
    holdSession(world, biology.name, userId, status);
  await arrives(60);
  // As the LMS stores it for a column whose link came from our dialog.
  reviewedColumn().submissionReview = { reviewableStatus: ["Completed"] };
  await walkIn(world, "student1", history.link);
  await giveOwnSettings();
});

const arrives = (grade: number) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, "student7")).toBe(grade);
  }, patience);

function reviewedColumn() {
  const column = [...world.lms.world.columns.values()].find(({ courseId }) => courseId === biology.course);
  return required(column, "a column of the gradebook");
}

/** History's instructor has changed settings, so that a copy has something to be asked about. */
async function giveOwnSettings(): Promise<void> {
  const url = world.variables["DATABASE_URL"] ?? "";
  const database = await openDatabase({ url, logger: createLogger("silent") });
  const { courses, registrations } = await openStores(database.connection);
  const [registration] = await registrations.list();
  const [course] = await courses.findByContexts(registration?.id ?? "", [history.course]);
  await courses.answerCopy(required(course).id, {
    settings: { ...defaultJoinSettings, galleryView: true, call: "anyone" },
    policy: { ...ruleDefaults, kind: "one-column", points: 20, credit, comment: true },
  });
  await database.close();
}
const credit = { PRESENT: 100, LATE: 50, ABSENT: 0, EXCUSED: null };

/** A page of the LMS that has only our frame, exactly as wide as the screen. */
async function framed(page: Page, address: string): Promise<Frame> {
  await showFrame(page, world, address);
  return launchedFrame(page, world.toolUrl);
}

function copyOfHistory(): string {
  const link = world.lms.copyCourse(history.course).links[0];
  return `/link/${required(link).id}/launch?container=embed`;
}

describe("An instructor in the gradebook", () => {
  test("opens a learner's grade and sees how it was computed", async () => {
    const page = await tabOf("teacher1");
    await page.goto(`${world.lms.url}/course/${biology.course}/gradebook`);
    await page.getByRole("link", { name: "Review Anna Bianchi" }).click();
    const frame = await launchedFrame(page, world.toolUrl);
    expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("Attendance of Anna Bianchi");
    const text = await frame.locator("main").innerText();
    expect(text).toContain("Attended 2 of 3 sessions");
    expect(text, "it speaks of the learner, not to the reader").not.toMatch(/\b(you|my)\b/i);
    for (const other of ["1 late", "1 absent", "1 excused"]) expect(text).toContain(other);
    expect(text).toContain("In the gradebook since");
    const rows = await frame.getByRole("row").allInnerTexts();
    expect(rows).toHaveLength(5);
    expect(rows.join(" ")).toMatch(/Present.*Late|Late.*Present/s);
    expect(text, "times say whose they are").toContain("Times in UTC");
  });
});

describe("An instructor of a copied course", () => {
  test("accepts the settings by keyboard, and is not asked again", async () => {
    const address = copyOfHistory();
    const page = await tabOf("teacher2");
    const frame = await framed(page, address);
    const question = frame.getByRole("region", { name: /This course was copied from History 205/ });
    expect(await question.getByRole("listitem").allInnerTexts()).toEqual([
      "A call starts: When anyone enters",
      "Begin in gallery view: Yes",
      expect.stringMatching(
        /^Grades: One grade for all sessions, 20 points at most\. Present 100%, Late 50%/,
      ),
    ]);
    await frame.getByRole("button", { name: "Use these settings" }).focus();
    await page.keyboard.press("Enter");
    await frame.waitForURL(at("/home", "news"));
    expect(await frame.getByText("Settings taken over.").count()).toBe(1);
    expect(await (await framed(page, address)).getByText("was copied from").count()).toBe(0);
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the page of a learner's attendance looks right", async () => {
    const page = await tabOf("teacher1");
    const frame = await framed(page, `/review/${reviewedColumn().id}/17/launch`);
    expect(await frame.getByRole("row").count()).toBe(5);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });

  test("the question of a copied course looks right", async () => {
    const page = await tabOf("teacher2");
    const frame = await framed(page, copyOfHistory());
    expect(await frame.getByRole("button", { name: "Use these settings" }).count()).toBe(1);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});

/** The page in a frame of the LMS that is all of the window. */
async function openGrading(): Promise<Frame> {
  const { frame } = await open("teacher1", biology.link, { width: 800 });
  await frame.getByRole("link", { name: "Settings", exact: true }).click();
  await frame.waitForURL(at("/settings"));
  await frame
    .getByRole("navigation", { name: "Parts of the settings" })
    .getByRole("link", { name: "Grades" })
    .click();
  await frame.waitForURL(at("/grading"));
  return frame;
}

async function preview(frame: Frame): Promise<void> {
  await frame.getByRole("button", { name: "Preview changes" }).click();
  await frame.waitForURL(at("/grading/preview"));
}

describe("An instructor who changes the grading", () => {
  test("sees only options of the chosen kind of grade, what would change, and the grades being sent", async () => {
    const frame = await openGrading();
    await openFolds(frame);
    const points = frame.getByLabel("Maximum points");
    const dropped = frame.getByLabel("Drop lowest");
    await frame.getByLabel("A grade for each session", { exact: true }).check();
    expect([await points.isVisible(), await dropped.isVisible()]).toEqual([true, false]);
    await frame.getByLabel("No grades", { exact: true }).check();
    expect([await points.isVisible(), await dropped.isVisible()]).toEqual([false, false]);
    await frame.getByLabel("One grade for all sessions", { exact: true }).check();
    expect(await frame.getByLabel("Number of sessions", { exact: true }).isVisible()).toBe(false);
    await frame.getByLabel("A fixed number of sessions", { exact: true }).check();
    expect(await frame.getByLabel("Number of sessions", { exact: true }).isVisible()).toBe(true);
    await frame.getByLabel("The sessions held so far", { exact: true }).check();
    expect(await frame.getByLabel("Excused: percent").isVisible()).toBe(false);
    await frame.getByLabel("Excused: don’t count").uncheck();
    expect(await frame.getByLabel("Excused: percent").isVisible()).toBe(true);
    await frame.getByLabel("Excused: don’t count").check();
    expect(await findingsOnEveryScreen(frame)).toEqual([]);

    await dropped.fill("1");
    await preview(frame);
    const row = frame.getByRole("row").nth(1);
    expect(await row.getByRole("cell").allInnerTexts()).toEqual(["60", "90", "higher"]);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);

    await frame.getByRole("button", { name: "Save and send grades" }).click();
    await frame.waitForURL(at("/grading", "news"));
    expect(await frame.getByRole("status").first().innerText()).toMatch(/^Saved\./);
    // Without another press.
    await vi.waitFor(async () => {
      expect(await frame.locator("#regrade-text").innerText()).toMatch(/^All grades are calculated/);
    }, patience);
    await arrives(90);
  });

  test("gives half the credit for late in three clicks from the page of grades, after seeing the effect", async () => {
    const frame = await openGrading();
    await frame.getByRole("link", { name: "All grades" }).click();
    await frame.waitForURL(at("/grades"));
    const clicks: string[] = [];
    const click = async (role: "link" | "button", name: string) => {
      clicks.push(name);
      await frame.getByRole(role, { name, exact: true }).click();
    };
    await click("link", "Attendance grading");
    await frame.waitForURL(at("/grading"));
    await click("button", "Late: 50%");
    await frame.waitForURL(at("/grading/preview"));
    expect(await frame.locator("main").innerText()).toMatch(/1 of 1 learners gets a different grade\./);
    await click("button", "Save and send grades");
    await frame.waitForURL(at("/grading", "news"));
    expect(clicks).toHaveLength(3);
    expect(await frame.getByLabel("Late: percent").inputValue()).toBe("50");
    await arrives(75);
  });

  test("chooses minutes, sees their options and effect, and sees what is wrong", async () => {
    const frame = await openGrading();
    await openFolds(frame);
    const full = frame.getByLabel("Full credit from (% of the session)");
    expect(await full.isVisible()).toBe(false);
    await frame.getByLabel("Minutes attended", { exact: true }).check();
    expect(await full.inputValue()).toBe("100");
    await frame.getByLabel("Below that share").selectOption({ label: "No credit" });
    await frame.getByLabel("Minutes in another browser tab").selectOption({ label: "Don’t count" });
    await full.fill("0");
    await preview(frame);
    expect(await frame.getByRole("alert").innerText()).toContain("Enter a whole number from 1 to 100.");
    expect(await full.getAttribute("aria-invalid")).toBe("true");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await full.fill("80");
    await preview(frame);
    await frame.getByRole("button", { name: "Save and send grades" }).waitFor();
    const words = await frame.locator("main").innerText();
    expect(words).toContain("full credit from 80% of a session, nothing below.");
    // Nobody knows how long they were there.
    expect(words).toMatch(/The learner keeps their grade\./);
  });

  test("sets after how many sessions the activity is completed, and sees the options and the effect", async () => {
    const frame = await openGrading();
    await openFolds(frame);
    const number = frame.getByLabel("Sessions attended", { exact: true });
    const share = frame.getByLabel("Share (%)", { exact: true });
    const shown = async () => [await number.isVisible(), await share.isVisible()];
    expect(await shown()).toEqual([false, false]);
    await frame.getByLabel("A share of the sessions is attended", { exact: true }).check();
    expect(await shown()).toEqual([false, true]);
    await frame.getByLabel("A number of sessions is attended", { exact: true }).check();
    expect(await shown()).toEqual([true, false]);
    expect(await frame.locator("main").innerText()).toContain("In Moodle, choose “Receive a grade”");
    await number.fill("none");
    await preview(frame);
    expect(await frame.getByRole("alert").innerText()).toContain("Enter a whole number from 1 to 1000.");
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    await number.fill("9");
    await preview(frame);
    await frame.getByRole("button", { name: "Save and send grades" }).waitFor();
    const words = await frame.locator("main").innerText();
    expect(words).toContain("Completed after 9 sessions attended. No grade before that.");
    expect(words).toContain("1 loses their grade: it is cleared in the gradebook.");
  });

  test("sees the example and who is affected while typing", async () => {
    const frame = await openGrading();
    await frame.getByLabel("Late: percent").fill("100");
    await vi.waitFor(async () => {
      expect(await frame.locator("#affected").innerText()).toMatch(
        /^1 of 1 learners gets a different grade\.$/,
      );
    }, patience);
    expect(await frame.locator("#example-shown").innerText()).toMatch(/100 of 100/);
  });
});
