import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openProfile, startBrowser } from "../support/browser/browser.ts";
import { findingsAlsoWide } from "../support/browser/look-wide.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { logIn, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

let cookie: string;
const profiles = watchProfiles();

const tool = await forAllTests(startConsoleTool());
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  ({ cookie } = await logIn(tool.url));
});

async function operatorPage(path: string): Promise<Page> {
  const context = await openProfile(browser, tool.url, cookie);
  profiles.watch(context, tool.url);
  const page = await context.newPage();
  await page.goto(`${tool.url}/admin${path}`);
  return page;
}

test("an operator adds an account: what is wrong stands beside its field, and the key is typed again", async () => {
  const page = await operatorPage("/accounts");
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByRole("link", { name: "Add an account" }).click();
  await page.getByLabel("ID", { exact: true }).fill("North College");
  await page.getByLabel("Name", { exact: true }).fill("North College");
  await page.getByLabel("API address").fill("https://api.classroom.example");
  await page.getByLabel("Address of the Spaces").fill("https://app.classroom.example");
  await page.getByLabel("API key").fill("the-key-of-north-college");
  await page.getByLabel("Calls per second").fill("5");
  await page.getByRole("button", { name: "Add an account" }).click();
  await page.getByText("Fix 2 fields:").waitFor();
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  expect(await page.getByLabel("API address").inputValue()).toBe("https://api.classroom.example");
  expect(await findingsAlsoWide(page)).toEqual([]);

  await page.getByLabel("ID", { exact: true }).fill("north-college");
  await page.getByLabel("API key").fill("the-key-of-north-college");
  await page.getByLabel("Calls per second").fill("2");
  await page.getByRole("button", { name: "Add an account" }).click();
  await page.getByText("The secret is shown only now.").waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);
});

test("an operator looks at an account, pauses it after a page that says what follows, and resumes it", async () => {
  const page = await operatorPage("/accounts/north-college");
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByRole("link", { name: "Pause…" }).click();
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByRole("button", { name: "Pause now" }).click();
  await page.getByText("Paused. Nobody can enter its Spaces.").waitFor();
  await page.getByRole("link", { name: "Resume…" }).click();
  await page.getByRole("button", { name: "Resume now" }).click();
  await page.getByText("In use again.").waitFor();
});

test("an operator removes an account that nothing belongs to, after a page that says what follows", async () => {
  const page = await operatorPage("/accounts/north-college");
  await page.getByRole("link", { name: "Remove…" }).click();
  await page.getByText("Nothing belongs to this account.").waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove now" }).click();
  await page.getByText("The account is removed.").waitFor();
  expect(await page.getByRole("link", { name: "North College" }).count()).toBe(0);
  await page.goto(`${tool.url}/admin/accounts/production/remove`);
  await page.getByText("made by variables").waitFor();
  expect(await page.getByRole("button", { name: "Remove now" }).count()).toBe(0);
});
