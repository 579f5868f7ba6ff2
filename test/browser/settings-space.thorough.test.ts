import type { BrowserContext, Frame, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findingsOnEveryScreen, openProfile } from "../support/browser/browser.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { at, goToArea, openFolds, pressed, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { link: "1", code: "BIO101" };
const password = "a password of the settings test";

const { world, browser, profiles, open } = await worldInBrowser(
  startWorld({ learners: 3, variables: { ADMIN_PASSWORD: password } }),
);

async function profile(cookie: string | null, site: string): Promise<BrowserContext> {
  const context = await openProfile(browser, site, cookie, { width: 800 });
  profiles.watch(context, world.toolUrl);
  return context;
}

/** The settings in a frame of the LMS that is all of the window. */
async function openSettings(): Promise<Frame> {
  const { frame } = await open("teacher1", biology.link, { width: 800 });
  await goToArea(frame, "Settings");
  await frame.waitForURL(at("/settings"));
  await openFolds(frame);
  return frame;
}

async function openConsole(): Promise<Page> {
  const page = await (await profile(null, world.toolUrl)).newPage();
  await page.goto(`${world.toolUrl}/admin`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  return page;
}

/** The administrator's page of what is set for the courses of the one LMS. */
async function openDefaults(): Promise<Page> {
  const page = await openConsole();
  await page.locator("main a[href^='/admin/registrations/reg']").first().click();
  await page.getByRole("link", { name: "Defaults for its courses" }).click();
  await page.waitForURL("**/defaults");
  return page;
}

const heading = (frame: Frame) => frame.getByRole("heading", { level: 1 });

describe("An instructor at the settings", () => {
  test("sees the addresses change while choosing, and what is typed stays beside its mistake", async () => {
    const frame = await openSettings();
    const addresses = frame.locator("#addresses");
    await expect.poll(() => addresses.innerText()).toContain("startCall=true&standalone=true");
    expect(await frame.getByRole("button", { name: "Preview links" }).count()).toBe(0);
    await frame.getByLabel("A call starts").selectOption("anyone");
    await frame.getByLabel("Language of the classroom").selectOption({ label: "Portuguese" });
    await expect
      .poll(() => addresses.innerText())
      .toContain("startCall=true&skipCallHostCheck=true&standalone=true&language=pt");
    await frame.getByText("What the options mean").click();
    expect(await addresses.innerText()).toContain("Shown in Portuguese.");
    expect(await addresses.innerText()).not.toContain("token");
    await frame.getByLabel("Learners can join").selectOption("around-sessions");
    await frame.getByLabel("Minutes before a session").fill("soon");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByRole("button", { name: "Save", exact: true }).click();
    await frame.getByRole("alert").waitFor();
    expect(await frame.getByRole("alert").getByRole("link").allInnerTexts()).toEqual([
      "Minutes before a session",
    ]);
    await expect.poll(() => frame.locator(":focus").getAttribute("name")).toBe("minutesBefore");
    expect(await frame.getByLabel("Language of the classroom").inputValue()).toBe("pt");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByLabel("Minutes before a session").fill("10");
    await frame.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => frame.getByRole("status").first().innerText()).toMatch(/^Saved\./);
    await openFolds(frame);
    await frame.getByRole("link", { name: "Reset to defaults" }).click();
    await expect.poll(() => heading(frame).innerText()).toBe("Reset to defaults?");
    expect(await frame.getByRole("row").allInnerTexts()).toContainEqual(
      expect.stringMatching(/Language of the classroom\s+Portuguese\s+Each person’s LMS language/),
    );
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByRole("button", { name: "Reset to defaults" }).click();
    await expect.poll(() => frame.getByRole("status").first().innerText()).toMatch(/^Saved\./);
  });

  test("gives the course another Space after reading what that means", async () => {
    const frame = await openSettings();
    await frame.getByRole("link", { name: "Use another Space" }).click();
    await frame.waitForURL(at("/settings/space"));
    await frame.getByLabel("Address or id of the Space").fill("https://elsewhere.test/spaces/x");
    await frame.getByRole("button", { name: "Review", exact: true }).click();
    await expect.poll(() => frame.getByRole("alert").count()).toBe(1);
    expect(await frame.getByLabel("Address or id of the Space").inputValue()).toBe(
      "https://elsewhere.test/spaces/x",
    );
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByLabel("Address or id of the Space").fill("made-by-hand");
    await frame.getByRole("button", { name: "Review", exact: true }).click();
    await expect.poll(() => frame.getByText("Waiting for an answer").count()).toBe(1);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    const console_ = await openConsole();
    await console_.locator("nav.side summary").click(); // the menu is folded at this width
    await console_.getByRole("link", { name: /^Spaces\b/ }).click();
    expect(await findingsOnEveryScreen(console_)).toEqual([]);
    await console_.getByRole("button", { name: "Approve: made-by-hand", exact: true }).click();
    await expect.poll(() => console_.getByRole("status").first().innerText()).toMatch(/^Approved\./);
    expect(await console_.getByText("Approved by the operator").count()).toBe(1);
    expect(await findingsOnEveryScreen(console_)).toEqual([]);
    await frame.getByRole("button", { name: "Review", exact: true }).click();
    await expect.poll(() => heading(frame).innerText()).toBe("Link this Space to the course?");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame.getByRole("button", { name: "Link this Space" }).click();
    await expect.poll(() => frame.getByRole("status").first().innerText()).toContain("Space linked,");
    await frame.getByRole("link", { name: "Changes" }).click();
    await frame.waitForURL(at("/audit"));
    const kinds = frame.locator(".head .menu > summary");
    await kinds.click();
    await frame.getByLabel("What kind of changes").selectOption("settings");
    // What is looked for stands on the page before, too.
    await pressed(frame, frame.getByRole("button", { name: "Show", exact: true }));
    await expect.poll(() => frame.getByRole("table").innerText()).toContain("/spaces/made-by-hand");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await kinds.click();
    await frame.getByLabel("What kind of changes").selectOption("attendance");
    await frame.getByRole("button", { name: "Show", exact: true }).click();
    await expect.poll(() => frame.getByText("No change of this kind yet.").count()).toBe(1);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});

describe("An institution", () => {
  test("locks values, which instructors then see and are not asked", async () => {
    const page = await openDefaults();
    expect(await page.getByLabel("Full marks", { exact: true }).isVisible()).toBe(false);
    await page.getByLabel("Setting: Full marks").selectOption("locked");
    await page.getByLabel("Full marks", { exact: true }).fill("1000");
    await page.getByLabel("Setting: Begin in gallery view").selectOption("locked");
    await page.locator("#value-galleryView").selectOption("yes");
    await page.getByLabel("Setting: The classroom is open").selectOption("locked");
    await page.locator("#value-opens").selectOption("around-sessions");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => page.getByRole("alert").count()).toBe(1);
    expect(await page.getByLabel("Full marks", { exact: true }).inputValue()).toBe("1000");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByLabel("Full marks", { exact: true }).fill("20");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => page.getByRole("status").first().innerText()).toMatch(/^Saved\./);
    expect(await page.locator("#value-galleryView").inputValue()).toBe("yes");

    const frame = await openSettings();
    expect(await frame.getByText(/^Locked by .+\. Ask your LMS administrator/).count()).toBe(2);
    expect(await frame.getByLabel("Begin in gallery view").count()).toBe(0);
    await expect.poll(() => frame.locator("#addresses").innerText()).toContain("gv=true");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await frame
      .getByRole("navigation", { name: "Parts of the settings" })
      .getByRole("link", { name: "Grades" })
      .click();
    await frame.waitForURL(at("/grading"));
    expect(await frame.getByLabel("Full marks").count()).toBe(0);
    expect(await frame.locator(".held").innerText()).toBe("20");
    await openFolds(frame);
    await frame.getByLabel("No grades", { exact: true }).check();
    await frame.getByRole("button", { name: "Update the example" }).click();
    await expect.poll(() => frame.locator("#example").innerText()).toContain("With your unsaved values.");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});
