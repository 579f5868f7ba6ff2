import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { patienceOfPages } from "../support/patience.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { nothingTurned } from "../../sandbox/assumptions.ts";
import { startStandInClassroom } from "../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { axeFindings, findingsOnEveryScreen } from "../support/browser/browser.ts";
import { logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { consoleInBrowser, findingsAlsoWide } from "../support/browser/console-in-browser.ts";

const { tool, browser, profiles, tabWith, entered } = await consoleInBrowser();
afterEach(() => {
  tool.pass(3_600_000); // wrong passwords are forgotten
});

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 }).innerText();
const textOf = (page: Page) => page.locator("main").innerText();

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByRole("textbox", { name: label }).fill(value);
}

const college = {
  Name: "Evening College",
  Issuer: "https://college.test",
  "Client ID": "client-9",
  "Deployment ID": "4",
  "Authorization address": "https://college.test/auth",
  "Access token address": "https://college.test/token",
  "Key set address": "https://college.test/keys",
};

/** An LMS that was added already, so that a test needs no other one before it. */
async function addMorningCollege(): Promise<void> {
  const { cookie, form } = await logIn(tool.url);
  const at = (path: string) => `https://morning.test/${path}`;
  await send(
    `${tool.url}/admin/registrations`,
    {
      form,
      family: "moodle",
      name: "Morning College",
      issuer: "https://morning.test",
      clientId: "client-1",
      deploymentId: "1",
      authorizationUrl: at("auth"),
      tokenUrl: at("token"),
      jwksUrl: at("keys"),
      newDeployments: "accept",
    },
    cookie,
  );
}

describe("An administrator", () => {
  test("types a wrong password, reads so next to the field, and gets in with the right one by keyboard", async () => {
    const page = await tabWith(null);
    await page.goto(`${tool.url}/admin/audit`);
    expect(await page.evaluate("document.activeElement.id")).toBe("password");
    await page.keyboard.type("Wrong password");
    await page.keyboard.press("Enter");
    await page.getByText("Wrong password.").waitFor();
    const field = page.getByLabel("Password");
    expect(await field.inputValue()).toBe("");
    expect(await field.getAttribute("aria-describedby")).toBe("password-problem");
    await page.keyboard.type(rightPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${tool.url}/admin/audit`);
    expect(await headingOf(page)).toBe("Audit log");
  });

  test("finds two ways to begin, and creates an invitation whose address a button copies", async () => {
    const page = await entered("/registrations");
    expect(await textOf(page)).toContain("No LMS is connected yet");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: tool.url });
    await page.getByRole("main").getByRole("link", { name: "Invite an LMS" }).click();
    await page.getByLabel("Valid for").selectOption({ label: "1 day" });
    await page.getByRole("button", { name: "Create invitation" }).click();
    const address = await page.locator("#invitation").innerText();
    expect(address).toMatch(new RegExp(`^${tool.url}/lti/register\\?invite=[\\w-]{20,}$`));
    await page.getByRole("button", { name: "Copy: Registration address" }).click();
    await page.getByText("Copied: Registration address").waitFor({ state: "attached" });
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(address);

    const [steps] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "Open the steps" }).click(),
    ]);
    await steps.waitForLoadState();
    expect(await steps.locator("main").innerText()).toContain("In Moodle");
    expect(await steps.evaluate("window.opener")).toBeNull();
  });

  test("adds an LMS by hand with mistakes, keeps what was typed, corrects it and sees what to enter there", async () => {
    const page = await entered("/registrations");
    await page.getByRole("link", { name: "Add an LMS by hand" }).first().click();
    await page.getByText("What to enter in the LMS").click();
    expect(await page.locator("#value-login").innerText()).toBe(`${tool.url}/lti/login`);
    await page.getByLabel("Kind of LMS").selectOption({ label: "Another LMS" });
    await fill(page, { ...college, "Access token address": "college.test/token", "Client ID": "" });
    await page.getByLabel("Refuse until accepted here").check();
    await page.getByRole("button", { name: "Add LMS" }).click();

    const alert = page.getByRole("alert");
    expect(await alert.innerText()).toContain("Fix 2 fields");
    expect(await axeFindings(page)).toEqual([]);
    for (const [label, value] of Object.entries(college)) {
      const typed = { "Access token address": "college.test/token", "Client ID": "" }[label] ?? value;
      expect(await page.getByRole("textbox", { name: label }).inputValue(), label).toBe(typed);
    }
    expect(await page.getByLabel("Kind of LMS").inputValue()).toBe("other");
    expect(await page.getByLabel("Refuse until").isChecked()).toBe(true);
    await alert.getByRole("link", { name: "Client ID" }).click();
    expect(await page.evaluate("document.activeElement.id")).toBe("clientId");

    await fill(page, { "Client ID": "client-9", "Access token address": "https://college.test/token" });
    await page.getByRole("button", { name: "Add LMS" }).click();
    await page.getByText("LMS added.").waitFor();
    expect(await headingOf(page)).toBe("Evening College");
    expect(await page.locator("#value-launch").innerText()).toBe(`${tool.url}/lti/launch`);
    expect(await page.getByRole("row").filter({ hasText: "accepted" }).count()).toBe(1);
  });

  test("logs out, and the browser's back button shows nothing", async () => {
    const page = await entered("/registrations");
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${tool.url}/admin`);
    await page.goBack();
    expect(await headingOf(page)).toBe("Log in");
  });

  test("sees the same without scripts, except for the copy buttons", async () => {
    await addMorningCollege();
    const context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(30_000);
    profiles.watch(context, tool.url);
    const page = await context.newPage();
    await page.goto(`${tool.url}/admin`);
    await page.getByLabel("Password").fill(rightPassword);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "Morning College" }).click();
    await page.getByRole("link", { name: "Connection", exact: true }).click();
    await page.locator("#value-launch").waitFor();
    expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0);
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test.each(["/", "/admin"])("%s looks right before the login", async (path) => {
    const page = await tabWith(null);
    await page.goto(tool.url + path);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test.each(["", "registrations", "invitations/new", "registrations/new", "jobs", "audit", "nothing-here"])(
    "/admin/%s looks right",
    async (path) => {
      await addMorningCollege();
      const page = await entered(`/${path}`);
      expect(await findingsOnEveryScreen(page)).toEqual([]);
    },
  );

  test("the page of a registration looks right, with everything unfolded and the connection tested", async () => {
    await addMorningCollege();
    const page = await entered("/registrations");
    await page.getByRole("link", { name: "Morning College" }).click();
    await page.getByRole("link", { name: "Connection", exact: true }).click();
    await page.getByRole("button", { name: "Test the connection" }).click();
    await page.waitForSelector(".checks");
    expect(await textOf(page)).toContain("Some tests failed.");
    await page.setViewportSize({ width: 600, height: 700 }); // the menu is folded there
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.goto(`${page.url()}/same-as`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });
});

const key = "the-key-of-north-college";

const classroom = await forAllTests(
  startStandInClassroom({
    port: await freePort(0),
    clock: systemClock,
    logger: createLogger("silent"),
    apiKey: key,
    webhookSecret: "a secret that nobody has set",
    spelling: "a",
    turned: nothingTurned,
  }),
);

describe("Classroom accounts", () => {
  test("an operator adds an account: mistakes are shown beside their fields, and the key is typed again", async () => {
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
  });

  test("an operator looks at an account, pauses it after a page with the consequences, and resumes it", async () => {
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

  test("an operator removes an unused account, after a page with the consequences", async () => {
    const page = await entered("/accounts/north-college");
    await page.getByRole("link", { name: "Remove…" }).click();
    await page.getByText("Nothing belongs to this account.").waitFor();
    expect(await findingsAlsoWide(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove now" }).click();
    await page.getByText("Account removed.").waitFor();
    expect(await page.getByRole("link", { name: "North College" }).count()).toBe(0);
    await page.goto(`${tool.url}/admin/accounts/production/remove`);
    await page.getByText("Variables define the account").waitFor();
    expect(await page.getByRole("button", { name: "Remove now" }).count()).toBe(0);
  });

  test("an operator invites an institution with an account that it sets up itself", async () => {
    const page = await entered("/invitations/new");
    await page.getByLabel("Institution").fill("North College");
    await page.getByLabel("Classroom account").selectOption({ label: "A new account just for it" });
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
        form,
        family: "other",
        name: "North College",
        issuer: "https://lms.example",
        clientId: "1",
        deploymentId: "",
        authorizationUrl: "https://lms.example/auth",
        tokenUrl: "https://lms.example/token",
        jwksUrl: "https://lms.example/keys",
        environment: "north",
        newDeployments: "usual",
      },
      cookie,
    );
    const id = /registrations\/([^?]+)/.exec(added.location ?? "")?.[1] ?? "";
    const page = await entered(`/registrations/${id}/set-up`);
    await page.getByText("0 of 7 steps done").waitFor();
    expect(await findingsAlsoWide(page)).toEqual([]);

    await page.getByLabel("API address").fill(classroom.apiUrl);
    await page.getByLabel("Address of the Spaces").fill(classroom.appUrl);
    await page.getByLabel("API key").fill("key-of-another-institution");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByText("The classroom refuses this key").first().waitFor();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
    expect(await page.getByLabel("API address").inputValue()).toBe(classroom.apiUrl);
    expect(await findingsAlsoWide(page)).toEqual([]);

    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByText("1 of 7 steps done").waitFor();
    await page.getByRole("button", { name: "Connect webhooks" }).click();
    await page.getByText("2 of 7 steps done").waitFor();
    await page.getByRole("button", { name: "Check now" }).click();
    await expect
      .poll(async () => {
        await page.goto(`${tool.url}/admin/registrations/${id}/set-up?note=asked`);
        return page.getByText("3 of 7 steps done").count();
      }, patienceOfPages)
      .toBe(1);

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
    await page.getByRole("button", { name: "Create a new secret" }).click();
    await page.getByText("The secret is shown only now.").waitFor();
    await page.getByRole("link", { name: "Back to the set-up" }).click();
    await page.getByRole("link", { name: "Pause…" }).click();
    expect(await findingsAlsoWide(page)).toEqual([]);
  });
});
