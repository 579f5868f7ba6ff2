import type { Frame, Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores } from "../../src/open-stores.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { ruleDefaults } from "../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../src/settings/options.ts";
import { gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";
import { at, launchedFrame, showFrame, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const history = { course: "3", link: "2" };

const { world, tabOf } = await worldInBrowser();
beforeAll(async () => {
  const userId = await walkIn(world, "student7", biology.link);
  for (const status of ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const) {
    holdSession(world, biology.name, userId, status);
  }
  await vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, "student7")).toBe(60);
  }, patience);
  // As the LMS keeps it for a column whose link came from our dialog.
  reviewedColumn().submissionReview = { reviewableStatus: ["Completed"] };
  await walkIn(world, "student1", history.link);
  await giveOwnSettings();
});

function reviewedColumn() {
  const column = [...world.lms.world.columns.values()].find(({ courseId }) => courseId === biology.course);
  if (column === undefined) throw new Error("the gradebook has no column");
  return column;
}

/** History's instructor has changed settings, so that a copy has something to be asked about. */
async function giveOwnSettings(): Promise<void> {
  const url = world.variables["DATABASE_URL"] ?? "";
  const database = await openDatabase({ url, logger: createLogger("silent") });
  const { courses, registrations } = await openStores(database.connection);
  const [registration] = await registrations.list();
  const [course] = await courses.findByContexts(registration?.id ?? "", [history.course]);
  if (course === undefined) throw new Error("history is not known");
  await courses.answerCopy(course.id, {
    settings: { ...defaultJoinSettings, galleryView: true, call: "anyone" },
    policy: { ...ruleDefaults, kind: "one-column", points: 20, credit, comment: true },
  });
  await database.close();
}
const credit = { PRESENT: 100, LATE: 50, ABSENT: 0, EXCUSED: null };

/** A page of the LMS that is nothing but our frame, exactly as wide as the screen. */
async function framed(page: Page, address: string): Promise<Frame> {
  await showFrame(page, world, address);
  return launchedFrame(page, world.toolUrl);
}

function copyOfHistory(): string {
  const link = world.lms.copyCourse(history.course).links[0];
  if (link === undefined) throw new Error("the copy has no link");
  return `/link/${link.id}/launch?container=embed`;
}

describe("An instructor in the gradebook", () => {
  test("opens a learner's grade and reads how it came about", async () => {
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
  test("takes the settings by keyboard, and is not asked again", async () => {
    const address = copyOfHistory();
    const page = await tabOf("teacher2");
    const frame = await framed(page, address);
    const question = frame.getByRole("region", { name: /This course was copied from History 205/ });
    expect(await question.getByRole("listitem").allInnerTexts()).toEqual([
      "A call starts: When anyone enters",
      "Begin in gallery view: Yes",
      expect.stringMatching(
        /^Grades: One grade for all sessions, 20 points at most\. Present 100 %, Late 50 %/,
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
  test("the page of a learner's attendance is well made", async () => {
    const page = await tabOf("teacher1");
    const frame = await framed(page, `/review/${reviewedColumn().id}/17/launch`);
    expect(await frame.getByRole("row").count()).toBe(5);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });

  test("the page of somebody who never came is well made", async () => {
    const page = await tabOf("teacher1");
    const frame = await framed(page, `/review/${reviewedColumn().id}/30/launch`);
    expect(await frame.locator("main").innerText()).toContain("after this person’s first session");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });

  test("the question of a copied course is well made", async () => {
    const page = await tabOf("teacher2");
    const frame = await framed(page, copyOfHistory());
    expect(await frame.getByRole("button", { name: "Use these settings" }).count()).toBe(1);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});
