import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { nothingTurned } from "../../sandbox/assumptions.ts";
import { startStandInClassroom } from "../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { openProfile, startBrowser } from "../support/browser/browser.ts";
import { findingsAlsoWide } from "../support/browser/look-wide.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const key = "the-key-of-north-college";

let operator: { cookie: string; form: string };
const profiles = watchProfiles();

const classroom = await forAllTests(
  startStandInClassroom({
    ...{ port: await freePort(0), clock: systemClock, logger: createLogger("silent") },
    ...{ apiKey: key, webhookSecret: "a secret that nobody has set", spelling: "a", turned: nothingTurned },
  }),
);
const tool = await forAllTests(startConsoleTool());
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  operator = await logIn(tool.url);
});

async function openPage(path: string): Promise<Page> {
  const context = await openProfile(browser, tool.url, operator.cookie);
  profiles.watch(context, tool.url);
  const page = await context.newPage();
  await page.goto(`${tool.url}/admin${path}`);
  return page;
}

test("an operator invites an institution, with an account that it sets up itself", async () => {
  const page = await openPage("/invitations/new");
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByLabel("Institution").fill("North College");
  await page.getByLabel("Classroom account").selectOption({ label: "A new account of its own" });
  await page.getByLabel("ID", { exact: true }).fill("North College");
  await page.getByRole("button", { name: "Create invitation" }).click();
  await page.getByText("Use lower-case letters").waitFor();
  expect(await page.getByLabel("Institution").inputValue()).toBe("North College");
  await page.getByLabel("ID", { exact: true }).fill("north");
  await page.getByRole("button", { name: "Create invitation" }).click();
  await page.getByText("It works once and is shown only now.").waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);
});

test("the institution is led through its steps, and sees what is missing and what is done", async () => {
  // As if the LMS had registered by the invitation.
  const added = await send(
    `${tool.url}/admin/registrations`,
    {
      ...{ form: operator.form, family: "other", name: "North College", issuer: "https://lms.example" },
      ...{ clientId: "1", deploymentId: "", authorizationUrl: "https://lms.example/auth" },
      ...{ tokenUrl: "https://lms.example/token", jwksUrl: "https://lms.example/keys" },
      ...{ environment: "north", newDeployments: "usual" },
    },
    operator.cookie,
  );
  const id = /registrations\/([^?]+)/.exec(added.location ?? "")?.[1] ?? "";
  const page = await openPage(`/registrations/${id}/set-up`);
  await page.getByText("0 of 7 steps done").waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);

  await page.getByLabel("API address").fill(classroom.apiUrl);
  await page.getByLabel("Address of the Spaces").fill(classroom.appUrl);
  await page.getByLabel("API key").fill("a-key-of-somebody-else");
  await page.getByRole("button", { name: "Try and save" }).click();
  await page.getByText("The classroom refuses this key").first().waitFor();
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  expect(await page.getByLabel("API address").inputValue()).toBe(classroom.apiUrl);
  expect(await findingsAlsoWide(page)).toEqual([]);

  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Try and save" }).click();
  await page.getByText("1 of 7 steps done").waitFor();
  await page.getByRole("button", { name: "Connect webhooks" }).click();
  await page.getByText("2 of 7 steps done").waitFor();
  await page.getByRole("button", { name: "Check now" }).click();
  await expect
    .poll(
      async () => {
        await page.goto(`${tool.url}/admin/registrations/${id}/set-up?note=asked`);
        return page.getByText("3 of 7 steps done").count();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(1);
  expect(await findingsAlsoWide(page)).toEqual([]);

  // What was found is said to each reader in their language.
  await page.context().setExtraHTTPHeaders({ "Accept-Language": "de" });
  await page.goto(`${tool.url}/admin/registrations/${id}/set-up`);
  const checked = page.locator("#step-doctor");
  await checked.locator("summary").first().click();
  await checked.locator("details summary").first().click();
  await checked.getByText("Er wird angenommen (ohne ihn antwortet der Dienst 401).").waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.context().setExtraHTTPHeaders({ "Accept-Language": "en" });
  await page.goto(`${tool.url}/admin/registrations/${id}/set-up`);

  await page.getByText("Add name, logo and colour").click();
  await page.locator("#step-look").getByRole("button", { name: "Skip" }).click();
  await page.getByText("4 of 7 steps done").waitFor();
  await page.getByText("Receive attendance").click();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("The secret is shown only now.").waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByRole("link", { name: "Back to the set-up" }).click();
  await page.getByRole("link", { name: "Pause…" }).click();
  expect(await findingsAlsoWide(page)).toEqual([]);
});

test("an operator sees how far each institution is", async () => {
  const page = await openPage("/registrations");
  await page.getByRole("link", { name: "3 of 7 steps done" }).waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);
});
