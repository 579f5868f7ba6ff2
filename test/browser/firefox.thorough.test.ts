import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { where } from "../support/browser/browser.ts";
import { type Firefox, type FirefoxCookies, startFirefox } from "../support/browser/firefox.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";

const home = "Your online classroom";
const settings = "Settings";

let world: DemoWorld;
beforeAll(async () => {
  world = await startHttpsWorld("canvas");
});
afterAll(() => world.close());

/** What Firefox does with cookies of frames, and what leads to a page's areas there. */
const kinds: readonly { cookies: FirefoxCookies; way: "a" | "button" }[] = [
  { cookies: "default", way: "a" },
  { cookies: "all", way: "a" },
  { cookies: "blocked", way: "button" },
];

for (const { cookies, way } of kinds)
  describe(`In a frame of a Firefox whose cookies there are ${cookies}`, where("firefox"), () => {
    let firefox: Firefox;
    beforeAll(async () => {
      firefox = await startFirefox(cookies);
    });
    afterAll(() => firefox.close());

    /** Somebody opens the course link on the LMS's page. @returns the tool's frame. */
    async function opens(person: string): Promise<string> {
      await firefox.logIn(world.lms.url, world.lms.cookieFor(person));
      const tab = await firefox.openTab(`${world.lms.url}/link/1?container=embed`);
      await expect.poll(() => firefox.frameOf(tab, world.toolUrl)).not.toBeNull();
      const frame = (await firefox.frameOf(tab, world.toolUrl)) ?? "";
      await shows(frame, home, "the launch");
      await expect.poll(() => firefox.addressOf(frame)).toMatch(/\/c\/[\w-]{16}\/home(\?launched=1)?$/);
      return frame;
    }

    const says = (place: string, expression: string) => firefox.textIn(place, expression).catch(() => "");
    /** Waits until the page that is called so is there, with its scripts. */
    const shows = (place: string, title: string, how: string) =>
      expect
        .poll(
          () => says(place, `document.readyState + " " + document.querySelector("h1")?.textContent.trim()`),
          {
            message: how,
          },
        )
        .toBe(`complete ${title}`);
    const news = (frame: string) =>
      says(frame, `document.querySelector('[role="status"]')?.textContent.trim()`);

    const presses = (frame: string, kind: string, name: string) =>
      firefox.textIn(
        frame,
        `[...document.querySelectorAll("${kind}")].find((one) => one.textContent.trim() === "${name}").click()`,
      );
    const area = (frame: string, name: string) => presses(frame, `nav.areas ${way}`, name);
    const moves = (frame: string, by: number) =>
      firefox.textIn(frame, `setTimeout(() => history.go(${String(by)}))`);
    /** Marks the document, so that the page that comes can be told from the one before. */
    const reloads = async (place: string): Promise<void> => {
      await firefox.textIn(
        place,
        `(document.documentElement.dataset.before = "yes", setTimeout(() => location.reload()))`,
      );
      await expect
        .poll(() => says(place, `document.documentElement.dataset.before ?? document.readyState`))
        .toBe("complete");
    };

    test("pages come back by Back, Forward and F5, and a change is sent once", async () => {
      const frame = await opens("teacher1");
      await area(frame, "Grades");
      await shows(frame, "Grades", "an area");
      await reloads(frame);
      await shows(frame, "Grades", "F5");
      await area(frame, "Settings");
      await shows(frame, settings, "another area");
      await moves(frame, -1);
      await shows(frame, "Grades", "Back");
      await moves(frame, -1);
      await shows(frame, home, "Back to the first page");
      await moves(frame, 2);
      await shows(frame, settings, "Forward");
      await presses(frame, "button", "Save");
      await expect.poll(() => news(frame)).toMatch(/^Saved/);
      const forms = firefox.formsSent();
      expect(forms).toBeGreaterThan(0);
      await reloads(frame);
      await shows(frame, settings, "F5 after a change");
      expect(await news(frame)).not.toMatch(/^Saved/);
      await moves(frame, -1);
      await shows(frame, settings, "Back to the form");
      expect(firefox.formsSent(), "no form is sent again").toBe(forms);
    });

    const teachers = ["Sessions", "Attendance", "Grades", "Recordings", "People"];

    test("each area is there again after F5, in a tab of its own, and by Back", async () => {
      const frame = await opens("teacher1");
      for (const name of teachers) {
        await area(frame, name);
        await shows(frame, name, "an area");
        await reloads(frame);
        await shows(frame, name, "F5");
        const before = await firefox.tabs();
        await presses(frame, "#own-tab button", "Open in new tab");
        await expect.poll(async () => (await firefox.tabs()).length).toBe(before.length + 1);
        await shows((await firefox.tabs()).find((one) => !before.includes(one)) ?? "", name, "its own tab");
      }
      for (const name of [...teachers.slice(0, -1).reverse(), home]) {
        await moves(frame, -1);
        await shows(frame, name, "Back");
      }
    });

    test("a page opens in a tab of its own", async () => {
      const frame = await opens("teacher1");
      await area(frame, "Grades");
      await shows(frame, "Grades", "an area");
      const before = await firefox.tabs();
      await presses(frame, "#own-tab button", "Open in new tab");
      await expect.poll(async () => (await firefox.tabs()).length).toBe(before.length + 1);
      const tab = (await firefox.tabs()).find((one) => !before.includes(one)) ?? "";
      await shows(tab, "Grades", "its own tab");
      await reloads(tab);
      await shows(tab, "Grades", "F5 in the tab");
    });

    test("once signed out, Back shows nothing", async () => {
      const frame = await opens("student1");
      await area(frame, "Recordings");
      await shows(frame, "Recordings", "an area");
      await presses(frame, "button", "Sign out");
      await shows(frame, "You have signed out", "signing out");
      await moves(frame, -1);
      await shows(frame, "Open the link in your course again", "Back");
      expect(await says(frame, `document.querySelectorAll("nav.areas").length`)).toBe("0");
    });
  });
