import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionFigures } from "../../src/classroom/read-sessions.ts";
import { sessionMetrics } from "../../sandbox/stand-in-classroom/visits.ts";
import { collectProblems, findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { openCoursePage } from "../support/browser/open-in-frame.ts";
import { type GridSite, openGridSite } from "../support/tool/grid-site.ts";

const hour = 3_600_000;
const names = [
  "Anna Bianchi",
  "Ben Bauer",
  "Wilhelmina Konstantina Featherstonehaugh-Cholmondeley",
  "Nguyễn Thị Hạnh",
];

let site: GridSite;
let browser: Browser;
let context: BrowserContext;
let problems: string[];
beforeAll(async () => {
  browser = await startBrowser();
  site = await openGridSite();
  for (const name of names) await site.enrol(name);
  await site.lessons(1);
  context = await browser.newContext({ viewport: { width: 600, height: 700 } });
  problems = collectProblems(context, site.url);
});
afterAll(async () => {
  await browser.close();
  await site.close();
  expect(problems, "errors on the console of our pages").toEqual([]);
});

/** What the stand-in says of the lesson, as it is read and kept. */
async function reported(): Promise<void> {
  const endedAt = site.clock.now() - 23 * hour;
  const stays = names.map((name, at) => ({
    userId: `user-${name}`,
    from: endedAt - hour + at * 60_000,
    to: endedAt,
  }));
  const said = sessionMetrics({ sessionId: "session-1", spaceId: "space" }, stays, endedAt);
  const figures = sessionFigures(said, ["timestamp"], new Set(["session-1", "space"]));
  const times = { startedAt: endedAt - hour, endedAt, readAt: endedAt };
  const key = { environment: "production", spaceId: "space", sessionId: "session-1" } as const;
  await site.stores.sessionFigures.keep({ ...key, ...times, ...figures });
}

test("an instructor finds what the classroom says of a lesson, from its register", async () => {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await openCoursePage(page, site.url, await site.tokenOf(), "/grid");
  await page.getByRole("button", { name: /^Lesson s0/ }).click();
  await page.getByRole("link", { name: "Session analytics" }).click();
  await page.getByText("None yet.").waitFor();
  expect(await findingsOnEveryScreen(page), "nothing yet").toEqual([]);

  const { courseId } = site.key;
  await site.stores.courses.claimSpace(courseId, "test", 0, 1);
  await site.stores.courses.keepSpace(courseId, "test", "space");
  await reported();
  await page.reload();
  await page.getByRole("heading", { name: "Lesson s0", level: 1 }).waitFor();
  await page.getByRole("img", { name: /^From \d+ to \d+\./ }).waitFor();
  await page.getByText("Show as table").click();
  await page.getByRole("columnheader", { name: "Value" }).waitFor();
  expect(await findingsOnEveryScreen(page), "a session").toEqual([]);
  await page.getByRole("link", { name: "Register", exact: true }).click();
  await page.getByRole("heading", { name: "Lesson s0", level: 1 }).waitFor();
});
