import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { findingsOfWords, findingsOnEveryScreen } from "../support/browser/browser.ts";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import { manyInstitutions } from "../support/builders/many-institutions.ts";
import { startConsoleTool } from "../support/tool/console-tool.ts";
import { consoleInBrowser, findingsAlsoWide } from "../support/browser/console-in-browser.ts";

const secretKey = randomBytes(48).toString("base64");
const { tool, entered } = await consoleInBrowser(startConsoleTool({ SECRET_KEY: secretKey }));
beforeAll(async () => {
  const { stores, close } = await openEmptyStores(tool.databaseUrl);
  await manyInstitutions({ stores }, { count: 60, now: Date.now(), secretKey });
  for (let n = 0; n < 12 * 13; n += 1)
    await stores.usage.setWeek({
      ...{ registrationId: `reg_${n % 12}`, account: `school-${n % 12}` },
      week: weekOf(Date.now()) - Math.floor(n / 12) * 7 * 24 * 3_600_000,
      ...{ courses: 3, sessions: n, people: 40 + n, minutes: 600 * n, grades: 7 * n },
      ...{ failedLaunches: n % 5, refusedScores: 0 },
    });
  await close();
});
test("the overview of sixty institutions is well made", async () => {
  expect(await findingsAlsoWide(await entered(""))).toEqual([]);
  expect(await findingsOnEveryScreen(await entered("?find=nothing-like-it"))).toEqual([]);
});

test.each(["de", "ar"])("the overview is well made in %s", async (locale) => {
  expect(await findingsOfWords(await entered("?lms=good&accounts-page=2", locale))).toEqual([]);
});

test("reports are well made, and have their numbers as a table, too", async () => {
  const page = await entered("/usage");
  expect(await findingsAlsoWide(page)).toEqual([]);
  expect(await page.getByRole("img", { name: /^People by week, from / }).count()).toBe(1);
  expect(await page.getByRole("table", { name: "By week" }).locator("tbody tr").count()).toBe(13);
  await page.getByLabel("LMS", { exact: true }).selectOption({ label: "Institution 003" });
  await page.getByRole("button", { name: "Show" }).click();
  expect(await page.getByRole("table", { name: "By LMS" }).count()).toBe(0);
  expect(await findingsOfWords(await entered("/usage?weeks=52", "de"))).toEqual([]);
  expect(await findingsOfWords(await entered("/usage", "ar"))).toEqual([]);
});

test("what a search found is well made, and so is the page of one that found nothing", async () => {
  const page = await entered("/search");
  expect(await findingsAlsoWide(page)).toEqual([]);
  for (const [typed, heading] of [
    ["institution", "Classroom accounts"],
    ["nobody of that name", null],
  ] as const) {
    await page.getByRole("searchbox", { name: "Search the console" }).fill(typed);
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForLoadState();
    if (heading !== null) await page.getByRole("heading", { name: heading }).waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    expect(page.url()).toBe(`${tool.url}/admin/search`);
  }
});
