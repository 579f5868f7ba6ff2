import { createServer, type Server } from "node:http";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listen } from "../../sandbox/listen.ts";
import { defaultGradePolicy } from "../../src/domain/grade-policy.ts";
import { attendanceColumn } from "../../src/modules/grading/rules/column.ts";
import { gradesRoutes } from "../../src/modules/grading/pages/grades-routes.ts";
import { createTranslator } from "../../src/web/translate.ts";
import {
  collectProblems,
  findingsOnEveryScreen,
  openProfile,
  startBrowser,
} from "../support/browser/browser.ts";
import { openRegisterCourse } from "../support/builders/register-course.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { openCoursePage, pressed } from "../support/browser/open-in-frame.ts";
import { pagesApp, sessionsOf } from "../support/tool/pages-app.ts";

const course = await openRegisterCourse();
const { stores, key } = course;
let browser: Browser;
let server: Server;
let sessions: ReturnType<typeof sessionsOf>;
let site = "";
let context: BrowserContext;
let problems: string[] = [];
/** Nothing is delivered on its own. */
let alarmAfter = 1_000_000;

beforeAll(async () => {
  browser = await startBrowser();
  const translatorOf = createTranslator();
  sessions = sessionsOf(course.stores, course);
  const deps = {
    ...course.deps,
    sessions,
    translatorOf,
    get unsentAlarmAfter() {
      return alarmAfter;
    },
    lineItems: { remove: () => Promise.resolve() },
    scores: { canReadResults: () => true },
  };
  const app = pagesApp(deps, gradesRoutes(deps));
  server = createServer(app);
  site = `http://localhost:${await listen(server)}`;
});
beforeEach(async () => {
  alarmAfter = 1_000_000;
  await course.empty();
  await course.known("per-Ina", "Ina Instructor");
  // A Canvas, whose gradebook shows the tool only the tool's own grades.
  await stores.registrations.insert(
    registrationOf({
      id: key.registrationId,
      issuer: "https://canvas.test",
      clientId: "1",
      family: "canvas",
      createdAt: 1,
    }),
  );
});
afterEach(async () => {
  await context.close();
  const found = problems;
  problems = [];
  expect(found, "errors on the console of our pages").toEqual([]);
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
  await course.close();
});

function tokenOfIna(): Promise<string> {
  return sessions.issue({
    registrationId: key.registrationId,
    courseId: key.courseId,
    personId: "per-Ina",
    courseLinkId: null,
    role: "instructor",
    staffRole: "teacher",
    locale: null,
  });
}

async function openGrades(path = "/grades"): Promise<Page> {
  context = await openProfile(browser, site, null, { width: 800 });
  problems = collectProblems(context, site, problems);
  const page = await context.newPage();
  const token = await tokenOfIna();
  await openCoursePage(page, site, token, path);
  return page;
}

/** Somebody with a score of 100 in the gradebook. */
async function delivered(name: string): Promise<void> {
  await course.enrol(name, ["7"]);
  await course.fact(`per-${name}`, "e1", "PRESENT");
  await course.grade(`per-${name}`);
  await course.deliver();
}

async function becomes(name: string, change: Parameters<typeof stores.deliveries.settle>[3]): Promise<void> {
  const id = (await course.deliveryOf(`per-${name}`))?.id ?? "";
  await stores.deliveries.resend(key, [id], course.clock.now());
  const claimed = await stores.deliveries.claimDue("x", course.clock.now(), course.clock.now() + 1_000);
  const revision = claimed?.desired?.revision ?? 0;
  await stores.deliveries.settle(id, "x", revision, { again: false, waitingSince: null, ...change });
}

const textOf = (page: Page | Frame) => page.locator("main").innerText();
describe("The page of grades", () => {
  test("of a course without grades says so", async () => {
    const page = await openGrades();
    expect(await textOf(page)).toContain("No grades yet. They appear once attendance is recorded.");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("says that nothing needs anybody if all is well", async () => {
    for (const name of ["Ann Adler", "Ben Bauer"]) await delivered(name);
    const page = await openGrades();
    expect(await textOf(page)).toContain("2 of 2 in Canvas");
    expect(await page.getByRole("button", { name: "Send again", exact: true }).count()).toBe(0);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("shows both grades if a teacher gave another, the reason of a refusal, and the alarm", async () => {
    await stores.sections.record(key, { lmsSectionId: "7", lmsName: "Monday group", lmsSetName: null }, "s7");
    for (const name of ["Ann Adler", "Ben Bauer", "Cem Celik", "Dan Dorn", "Eva Ernst"])
      await delivered(name);
    await becomes("Ben Bauer", { state: "refused", refusal: "column-unpublished" });
    const theirs = { score: 95, maximum: 100, seenAt: 5_000 };
    await becomes("Cem Celik", { state: "held", foreign: theirs });
    await becomes("Dan Dorn", { state: "held", foreign: { ...theirs, leftAt: 9_000 } });
    await course.fact("per-Eva Ernst", "e2", "LATE");
    await course.grade("per-Eva Ernst");
    alarmAfter = 0;
    course.pass(60_000);
    const page = await openGrades();
    const decisions = page.getByRole("region", { name: "1 grade needs your decision" });
    expect(await decisions.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(
        /^Cem Celik[^]*Attendance gives 100 of 100; the gradebook has 95 of 100[^]*1 × 100[^]*Keep 95[^]*Send 100/,
      ),
    ]);
    expect(await page.getByRole("region", { name: "Why grades are missing" }).innerText()).toMatch(
      /Not accepted\s+1 grade\s+The assignment isn’t published in Canvas[^]*Send again/,
    );
    expect(await page.getByRole("row").allInnerTexts()).toEqual([
      expect.stringContaining("Learner"),
      expect.stringMatching(/^Ben Bauer\s+100 \/ 100\s+Not accepted\s+\w+ [^\n]*ago\s*$/),
      expect.stringMatching(/^Eva Ernst[^]*90 \/ 100[^]*Sending/),
      expect.stringMatching(/^Ann Adler[^]*In Canvas[^]*ago/),
      expect.stringMatching(/^Dan Dorn[^]*Instructor’s grade kept[^]*Why\?/),
    ]);
    expect(await page.getByRole("navigation", { name: "State" }).innerText()).toMatch(
      /All\s+5\s+Needs you\s+1\s+Not accepted\s+1\s+Sending\s+1\s+Instructor’s grade kept\s+1\s+In Canvas\s+1/,
    );
    const ofEva = page.getByRole("row").filter({ hasText: "Eva Ernst" });
    await ofEva.locator(".menu > summary").click();
    expect(await ofEva.locator(".menu-list").innerText(), "the proof").toMatch(
      /^100 \/ 100 · \w{3} \d+ \w+ \d{4}, \d\d:\d\d · into “Attendance”\s+Monday group\s+Send again\s+History/,
    );
    await ofEva.locator(".menu > summary").click();
    expect(await textOf(page)).toMatch(/Grades have been waiting since/);
    expect(await findingsOnEveryScreen(page)).toEqual([]);

    await page.getByLabel("Name or LMS ID").fill("celik");
    await pressed(page.mainFrame(), page.getByRole("button", { name: "Show" }));
    expect(await page.getByRole("row").count(), "a decision stands above, not in the list").toBe(0);
    await page.getByRole("button", { name: "Keep 95 for Cem Celik" }).click();
    const done = "Done. See the result below.";
    await page.getByRole("status").filter({ hasText: done }).waitFor();
    expect(await page.getByRole("status").first().innerText()).toContain(done);
    await expect.poll(() => page.locator(":focus").innerText()).toContain(done);
    expect(await page.getByRole("row").count(), "what was searched for stays").toBe(2);
  });

  test("has a line for each of thirty learners in a frame of 600 px, and two on a phone", async () => {
    for (let number = 10; number < 40; number += 1) {
      const name = `Learner With-A-Name ${number}`;
      await course.enrol(name, ["7"]);
      for (const [event, status] of [
        ["e1", "PRESENT"],
        ["e2", "PRESENT"],
        ["e3", "ABSENT"],
      ] as const)
        await course.fact(`per-${name}`, event, status);
      await course.grade(`per-${name}`);
    }
    await course.deliver();
    const page = await openGrades();
    const heightOf = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      return Number(await page.evaluate("document.documentElement.scrollHeight"));
    };
    expect(await heightOf(600)).toBeLessThan(2_300);
    const row = page.getByRole("row").nth(1);
    expect(await row.innerText()).toMatch(/66\.67 \/ 100\s+In Canvas/);
    const rowHeight = async () => (await row.boundingBox())?.height ?? 0;
    expect(await rowHeight()).toBeLessThan(56);
    const boxes = await Promise.all((await row.locator("> *").all()).map((cell) => cell.boundingBox()));
    for (const [at, box] of boxes.entries()) {
      const next = boxes[at + 1] ?? null;
      if (box !== null && next !== null) expect(box.x + box.width).toBeLessThanOrEqual(next.x + 1);
    }
    await heightOf(390);
    expect(await rowHeight()).toBeLessThan(72);

    for (let number = 10; number < 40; number += 1)
      await becomes(`Learner With-A-Name ${number}`, { state: "refused", refusal: "lms-status-403" });
    await page.reload();
    expect(await heightOf(600), "a line more on top, and not one a row").toBeLessThan(2_800);
    expect(await rowHeight()).toBeLessThan(56);
    expect(await page.getByRole("region", { name: "Why grades are missing" }).innerText()).toMatch(
      /30 grades\s+The LMS doesn’t let the tool write grades[^]*Send again/,
    );
  });

  test("asks before all are checked, and shows the progress", async () => {
    for (const name of ["Ann Adler", "Ben Bauer"]) await delivered(name);
    const page = await openGrades();
    await page.getByRole("link", { name: "Check all grades" }).click();
    await page.waitForURL("**/grades/resend");
    expect(await textOf(page)).toContain("may take “Excused” off");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByRole("button", { name: "Check all grades" }).click();
    await page.getByRole("heading", { name: "At a glance" }).waitFor();
    expect(await page.locator("#grades-progress-text").innerText()).toBe("Checked: 0 of 2 grades.");
    await course.deliver();
    await vi.waitFor(async () => {
      expect(await page.locator("#grades-progress-text").innerText()).toMatch(/^Done\./);
    }, 5_000);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("Last checked").waitFor();
    expect(await textOf(page)).toMatch(/Last checked .*: 2 grades/);
  });

  test("asks before the column of all attendance is removed, if sessions have their own", async () => {
    await course.setPolicy({ ...defaultGradePolicy, kind: "column-per-session" });
    const attendance = { ...key, key: attendanceColumn };
    await stores.columns.keepMade(attendance, "col_old", "https://canvas.test/column", {
      label: "Attendance",
      shown: null,
      writing: null,
      startsAt: null,
      endsAt: null,
    });
    const page = await openGrades("/grades/old-column");
    await page
      .getByRole("button", { name: /^Remove/ })
      .first()
      .waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("offers files in a frame without scripts", async () => {
    await delivered("Ann Adler");
    context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const token = await tokenOfIna();
    await openCoursePage(page, site, token, "/grades");
    const grades = page.url();
    await page.route(`${site}/frame`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><title>Course</title><iframe title="Tool" width="320" height="700" src="${grades}"></iframe>`,
      }),
    );
    await page.goto(`${site}/frame`);
    const frame = page.frameLocator("iframe");
    const files = [
      "What the gradebook has",
      "Grades and how they’re calculated",
      "Attendance with all corrections",
    ];
    await frame.getByText("Export").click();
    const menu = await frame.locator(".menu-list", { hasText: "Excel" }).boundingBox();
    expect(menu?.x, "within a narrow frame").toBeGreaterThanOrEqual(0);
    for (const [at, name] of ["gradebook", "grades", "attendance"].entries()) {
      for (const [form, ending] of [
        ["Excel", "xlsx"],
        ["CSV", "csv"],
      ] as const) {
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          frame.getByRole("button", { name: `${form} ${files[at] ?? ""}` }).click(),
        ]);
        expect(file.suggestedFilename()).toMatch(new RegExp(`^Biology ${name} [\\d-]{10}\\.${ending}$`));
      }
    }
  });
});
