import type { Frame } from "playwright-core";
import { describe, expect, test } from "vitest";
import { guides } from "../../src/modules/guides/pages/guide-routes.ts";
import { axeFindings, findingsOnEveryScreen } from "../support/browser/browser.ts";
import { at, worldInBrowser } from "../support/browser/open-in-frame.ts";

const linkId = "1";
/** As Moodle writes the languages that its people have chosen. */
const chosen = { en: "en_us", de: "de", es: "es_mx", fr: "fr", pt: "pt_br", ar: "ar" };
/** The gate takes the one with the longest words. */
const languages =
  process.env["NIGHTLY"] === "1" ? (["en", "de", "es", "fr", "pt", "ar"] as const) : (["de"] as const);

const { world, open } = await worldInBrowser();

/** Somebody's home in a frame of their LMS, in a language. */
async function opens(username: string, language: keyof typeof chosen = "en"): Promise<Frame> {
  world.lms.setQuirks({ locale: chosen[language] });
  const { frame } = await open(username, linkId);
  await frame.locator("nav.areas").waitFor();
  return frame;
}

/** Another page of the same session. */
async function goTo(frame: Frame, path: string): Promise<void> {
  const folder = /^.*\/c\/[\w-]+/.exec(frame.url())?.[0] ?? "";
  await frame.goto(folder + path);
}

/** Which guides somebody reads. */
const readBy = (username: string) =>
  guides.filter(({ who }) => (username === "student7") === (who === "anybody")).map(({ name }) => name);

describe.each(["teacher1", "student7"])("The guides of %s", (username) => {
  test("are right on every screen", async () => {
    const frame = await opens(username);
    for (const name of readBy(username)) {
      await goTo(frame, `/guide/${name}`);
      expect([name, await findingsOnEveryScreen(frame)]).toEqual([name, []]);
    }
  });

  test.each(languages)("fit on a narrow phone, in %s", async (language) => {
    const frame = await opens(username, language);
    await frame.page().setViewportSize({ width: 320, height: 700 });
    for (const name of readBy(username)) {
      await goTo(frame, `/guide/${name}`);
      expect(await frame.locator("html").getAttribute("lang")).toBe(language);
      // What a picture draws is cut off at its edge, and would not widen the page.
      const cut = await frame.evaluate(
        `[...document.querySelectorAll(".shot, .shot *")].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).map((one) => one.outerHTML.slice(0, 90))`,
      );
      expect([name, cut, await frame.evaluate("document.documentElement.scrollWidth")]).toEqual([
        name,
        [],
        320,
      ]);
    }
  });
});

describe("The “?” of the settings", () => {
  test("shows the guide over the page, another one in its place, and keeps what was typed", async () => {
    const frame = await opens("teacher1");
    await goTo(frame, "/settings");
    await frame.locator("#mode").selectOption("embedded");
    const help = frame.getByRole("link", { name: "Help: Settings", exact: true });
    await help.click();
    const dialog = frame.getByRole("dialog", { name: "Settings", exact: true });
    await dialog.getByText("Choose where the classroom opens").waitFor();
    expect(await axeFindings(frame)).toEqual([]);
    await dialog.getByRole("link", { name: "Attendance grading", exact: true }).click();
    const other = frame.getByRole("dialog", { name: "Attendance grading", exact: true });
    await other.getByText("Set the credit for each status").waitFor();
    await other.getByRole("button", { name: "Close", exact: true }).click();
    await other.waitFor({ state: "hidden" });
    expect(at("/settings")(new URL(frame.url()))).toBe(true);
    expect(await frame.locator("#mode").inputValue()).toBe("embedded");
    expect(await frame.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Help: Settings");
  });

  test("opens the guide in a tab of its own by the middle button", async () => {
    const frame = await opens("teacher1");
    await goTo(frame, "/settings");
    const [guide] = await Promise.all([
      frame.page().context().waitForEvent("page"),
      frame.getByRole("link", { name: "Help: Settings", exact: true }).click({ button: "middle" }),
    ]);
    await guide.getByText("Choose where the classroom opens").waitFor();
    await guide.getByRole("link", { name: "Settings", exact: true }).last().click();
    await guide.waitForURL(at("/settings"));
  });
});
