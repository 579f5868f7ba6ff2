import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { axeFindings, findingsOnEveryScreen } from "../support/browser/browser.ts";
import { logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { consoleInBrowser } from "../support/browser/console-in-browser.ts";

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
  test("types a wrong password, reads so beside the field, and gets in with the right one by keyboard", async () => {
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

  test("finds two ways to begin, and makes an invitation whose address a button copies", async () => {
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

  test("adds an LMS by hand with mistakes, keeps what was typed, mends it and sees what to enter there", async () => {
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

  test("logs out, and the browser's back button shows nothing any more", async () => {
    const page = await entered("/registrations");
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${tool.url}/admin`);
    await page.goBack();
    expect(await headingOf(page)).toBe("Log in");
  });

  test("sees the same without scripts, but for the copy buttons", async () => {
    await addMorningCollege();
    const context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(30_000);
    profiles.watch(context, tool.url);
    const page = await context.newPage();
    await page.goto(`${tool.url}/admin`);
    await page.getByLabel("Password").fill(rightPassword);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "Morning College" }).click();
    await page.locator("#value-launch").waitFor();
    expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0);
  });
});

describe("A page of another site", () => {
  test("cannot show the console in a frame", async () => {
    const page = await tabWith(null);
    await page.route("http://trap.test/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><title>Win a prize</title><iframe src="${tool.url}/admin"></iframe>`,
      }),
    );
    await page.goto("http://trap.test/");
    await expect
      .poll(() => page.frames().map((frame) => frame.url()))
      .toEqual(["http://trap.test/", "chrome-error://chromewebdata/"]);
    profiles.expects(/frame-ancestors/);
  });

  test("gets nothing by sending a form in the name of somebody who is logged in", async () => {
    const page = await entered("/registrations");
    await page.route("http://trap.test/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><title>Win a prize</title><form method="post" action="${tool.url}/admin/invitations"><input name="environment" value="production"><input name="hours" value="72"><button>Win</button></form>`,
      }),
    );
    await page.goto("http://trap.test/");
    await page.getByRole("button").click();
    await page.waitForURL(`${tool.url}/admin/invitations`);
    expect(await textOf(page)).toContain("Nothing was changed");
    expect(await page.content()).not.toContain("/lti/register?invite=");
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the log-in is well made", async () => {
    const page = await tabWith(null);
    await page.goto(`${tool.url}/admin`);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test.each(["", "registrations", "invitations/new", "registrations/new", "jobs", "audit", "nothing-here"])(
    "/admin/%s is well made",
    async (path) => {
      await addMorningCollege();
      const page = await entered(`/${path}`);
      expect(await findingsOnEveryScreen(page)).toEqual([]);
    },
  );

  test("the page of an invitation is well made", async () => {
    const page = await entered("/invitations/new");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await page.waitForSelector("#invitation");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("the page of a registration is well made, with everything opened and the connection tested", async () => {
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
  });
});
