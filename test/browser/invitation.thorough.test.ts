import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { axeFindings, findingsOnEveryScreen, openProfile, type Screen } from "../support/browser/browser.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { worldInBrowser } from "../support/browser/open-in-frame.ts";

/** An invitation that nobody uses to register: it may be opened any number of times. */
let url: string;
const { world, browser, profiles } = await worldInBrowser();
beforeAll(async () => {
  url = await invited();
});

async function invited(): Promise<string> {
  return z.object({ url: z.url() }).parse(await runCli(world.variables, ["invite"])).url;
}

async function tab(screen?: Screen): Promise<Page> {
  const context = await openProfile(browser, world.toolUrl, null, screen);
  profiles.watch(context, world.toolUrl);
  return context.newPage();
}

describe("Somebody who opens the registration address in their own browser", () => {
  test("copies the address and every value with a button for each", async () => {
    const page = await tab();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(url);
    const copied = () => page.evaluate("navigator.clipboard.readText()");
    const press = (name: string) => page.getByRole("button", { name: `Copy: ${name}` }).click();

    const names = z
      .array(z.string())
      .parse(await page.evaluate("[...document.querySelectorAll('button')].map((one) => one.ariaLabel)"));
    expect(new Set(names).size).toBe(names.length);
    expect(await page.locator("code").count()).toBe(names.length);
    await press("Registration address");
    expect(await copied()).toBe(url);
    expect(await page.getByRole("status").innerText()).toBe("Copied: Registration address");
    await press("Canvas configuration");
    expect(await copied()).toBe(`${world.toolUrl}/lti/config/canvas.json`);
    await press("Custom parameters, Moodle");
    expect(String(await copied()).split("\n")).toContain("spaces_moodle_groups=$Moodle.Person.userGroupIds");
  });

  test("finds a value selected if the clipboard is blocked", async () => {
    const page = await tab();
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.goto(url);
    await page.getByRole("button", { name: "Copy: Login initiation address" }).click();
    expect(await page.evaluate("getSelection().toString()")).toBe(`${world.toolUrl}/lti/login`);
    expect(await page.getByRole("status").innerText()).toContain("Ctrl+C");
  });

  test("sees everything without scripts, and no button that would do nothing", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    profiles.watch(context, world.toolUrl);
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.locator("main").innerText()).toContain(url);
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test("sees all of it in a narrow frame and on a phone, light and dark, without findings of axe", async () => {
    const page = await tab();
    await page.goto(url);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });
});

describe("An administrator who pastes the address into the LMS", () => {
  async function pasted(): Promise<Page> {
    const context = await openProfile(browser, world.lms.url, world.lms.cookieFor("admin"));
    profiles.watch(context, world.toolUrl);
    const page = await context.newPage();
    await page.goto(`${world.lms.url}/admin/tools`);
    await page.getByLabel("Tool URL (the tool's registration address)").fill(await invited());
    await page.getByRole("button", { name: "Add" }).click();
    return page;
  }

  test("reads what Moodle hides, closes the page, and is back at the list with the tool in it", async () => {
    const before = world.lms.tools().length;
    const page = await pasted();
    const dialog = page.frameLocator("iframe");
    await dialog.getByText("activity chooser").first().waitFor();
    await dialog.getByRole("button", { name: "Close this window" }).click();
    await page.getByRole("heading", { name: "Registered tools" }).waitFor();
    expect(page.url()).toBe(`${world.lms.url}/admin/tools`);
    expect(await page.getByText("Online classroom", { exact: true }).count()).toBe(before + 1);
    expect(world.lms.tools()).toHaveLength(before + 1);
  });

  test("sees that registering again changed nothing, and closes the window with the button", async () => {
    const [tool] = world.lms.tools();
    const page = await tab({ width: 600 });
    await page.addInitScript(
      "window.heard = []; addEventListener('message', (event) => heard.push(event.data.subject))",
    );
    await page.goto(await world.lms.beginRegistrationUpdate(tool?.id ?? "", await invited()));
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("This LMS is already registered");
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate("heard")).toEqual([]);
    await page.evaluate("window.close = () => undefined");
    await page.getByRole("button", { name: "Close this window" }).click();
    await expect.poll(() => page.evaluate("heard.length")).toBe(1);
    expect(await page.evaluate("heard")).toEqual(["org.imsglobal.lti.close"]);
  });

  test("sees that the end of a registration, and the page of a wrong address, look right", async () => {
    const page = await tab();
    await page.goto(await world.lms.beginRegistration(await invited()));
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("The tool is registered");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.goto(`${world.toolUrl}/no/such/page`);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });
});
