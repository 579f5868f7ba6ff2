import { expect, test } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { nothingTurned } from "../../sandbox/assumptions.ts";
import { startStandInClassroom } from "../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { logIn, send } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { consoleInBrowser, findingsAlsoWide } from "../support/browser/console-in-browser.ts";

const key = "the-key-of-north-college";

const classroom = await forAllTests(
  startStandInClassroom({
    ...{ port: await freePort(0), clock: systemClock, logger: createLogger("silent") },
    ...{ apiKey: key, webhookSecret: "a secret that nobody has set", spelling: "a", turned: nothingTurned },
  }),
);
const { tool, entered } = await consoleInBrowser();

test("an operator adds an account: what is wrong stands beside its field, and the key is typed again", async () => {
  const page = await entered("/accounts");
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
  const page = await entered("/accounts/north-college/change");
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.goto(`${tool.url}/admin/accounts/north-college`);
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByRole("link", { name: "Pause…" }).click();
  expect(await findingsAlsoWide(page)).toEqual([]);
  await page.getByRole("button", { name: "Pause now" }).click();
  await page.getByText("Paused. Nobody can enter its Spaces.").waitFor();
  await page.getByRole("link", { name: "Resume…" }).click();
  await page.getByRole("button", { name: "Resume now" }).click();
  await page.getByText("In use again.").waitFor();
});

test("an operator removes an account that is not in use, after a page that says what follows", async () => {
  const page = await entered("/accounts/north-college");
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

test("an operator invites an institution, with an account that it sets up itself", async () => {
  const page = await entered("/invitations/new");
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
  const { cookie, form } = await logIn(tool.url);
  const added = await send(
    `${tool.url}/admin/registrations`,
    {
      ...{ form, family: "other", name: "North College", issuer: "https://lms.example" },
      ...{ clientId: "1", deploymentId: "", authorizationUrl: "https://lms.example/auth" },
      ...{ tokenUrl: "https://lms.example/token", jwksUrl: "https://lms.example/keys" },
      ...{ environment: "north", newDeployments: "usual" },
    },
    cookie,
  );
  const id = /registrations\/([^?]+)/.exec(added.location ?? "")?.[1] ?? "";
  const page = await entered(`/registrations/${id}/set-up`);
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

  // Each reader sees the findings in their language.
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
  const page = await entered("/registrations");
  await page.getByRole("link", { name: "3 of 7 steps done" }).waitFor();
  expect(await findingsAlsoWide(page)).toEqual([]);
});
