import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { where } from "../support/browser/browser.ts";
import {
  type Driven,
  stepsIn,
  testFrame,
  type Way,
  windowButton,
  windowPage,
} from "../support/browser/driven.ts";
import { type HttpsWorld, startHttpsWorld } from "../support/browser/https-world.ts";
import { type FirefoxCookies, startFirefox } from "../support/browser/firefox.ts";
import { startWebkit, type Webkit, type WebkitCookies } from "../support/browser/webkit.ts";
import { patience } from "../support/patience.ts";
import { setCourses } from "../support/builders/embedded-course.ts";
import { arrive, post } from "../support/tool/pages.ts";
import { walkIn } from "../support/tool/start-world.ts";
import { firstInGate, isNightly } from "../support/nightly.ts";

/** Safari's engine as WebKitGTK has it on Linux. Safari itself is not tested. */

let canvas: HttpsWorld;
let moodle: HttpsWorld;
beforeAll(async () => {
  [canvas, moodle] = await Promise.all([
    startHttpsWorld("canvas", { classroom: "https" }),
    startHttpsWorld("moodle", { classroom: "https" }),
  ]);
  await Promise.all([startCheckIn(canvas), walkIn(moodle, "teacher1", "1")]);
});
afterAll(() => Promise.all([canvas.close(), moodle.close()]));

/** A session of the history course has begun, and its learners may check in. */
async function startCheckIn(world: HttpsWorld): Promise<void> {
  await walkIn(world, "teacher1", "1");
  await walkIn(world, "teacher2", "2");
  const space = world.classroom.spaces().find(({ name }) => name.startsWith("HIS205"));
  if (space === undefined) throw new Error("the history course has no Space");
  const startsAt = Date.now() - 60_000;
  const times = { startsAt, endsAt: startsAt + 3_600_000 };
  const { eventId: event } = world.classroom.createEvent({ spaceId: space.spaceId, title: "Maps", ...times });
  const teacher = await arrive(world, "teacher2", "2");
  await post(world, teacher, "/course/check-in/switch", { on: "on" });
  await vi.waitFor(async () => {
    const { text } = await post(world, teacher, "/course/check-in/start", { event, minutes: "30" });
    expect(text).toContain("Check-in has started.");
  }, patience);
}

/**
 * What stays of a cookie set in the tool's frame, and what leads to a page's areas there. The gate tests WebKit where it never keeps
 * anything, and Firefox where it keeps all. `npm run compatibility` tests every LMS in every engine, too.
 */
const kinds: readonly {
  cookies: WebkitCookies;
  plain: boolean;
  partitioned: boolean;
  way: Way;
  learner: string;
}[] = [
  { cookies: "all", plain: true, partitioned: true, way: "a", learner: "student3" },
  { cookies: "none", plain: false, partitioned: false, way: "button", learner: "student5" },
  { cookies: "ofTabs", plain: false, partitioned: false, way: "button", learner: "student4" },
];

for (const { cookies, plain, partitioned, way, learner } of firstInGate(2, kinds))
  describe(`In a frame of a WebKit that keeps there ${cookies}`, where("webkit"), () => {
    let webkit: Webkit;
    beforeAll(async () => {
      webkit = await startWebkit(cookies);
    });
    afterAll(() => webkit.close());
    const inCanvas = stepsIn(
      () => webkit,
      () => canvas,
      way,
    );
    const inMoodle = stepsIn(
      () => webkit,
      () => moodle,
      way,
    );

    test(`keeps cookies (plain: ${plain}, partitioned: ${partitioned})`, async () => {
      const frame = await inCanvas.opens("student1");
      expect(await inCanvas.keeps(frame, "")).toBe(String(plain));
      expect(await inCanvas.keeps(frame, "; Partitioned")).toBe(String(partitioned));
    });

    if (way === "button" || isNightly) describe("in Canvas", () => testFrame(inCanvas));
    if (way === "a" && isNightly) describe("in Moodle", () => testFrame(inMoodle));
    if (way === "button")
      test("in Moodle, which stores no values for us, a new window leads into the course", async () => {
        const { launches, shows, opensTab } = inMoodle;
        const frame = await launches("student1");
        await shows(frame, windowPage, "no cookie, no value");
        const tab = await opensTab(frame, "button", windowButton);
        await expect.poll(() => inMoodle.says(tab, "location.href")).toContain(moodle.classroom.appUrl);
      });

    describe.each(
      way === "a"
        ? [
            { lms: "Canvas", steps: inCanvas },
            { lms: "Moodle", steps: inMoodle },
          ]
        : [{ lms: "Canvas", steps: inCanvas }],
    )("in a course of $lms that embeds its classroom", ({ steps }) => {
      const { launches, frameIn, presses, says, world } = steps;

      beforeAll(() => setCourses(world(), { mode: "embedded" }));
      afterAll(() => setCourses(world(), { mode: "tab" }));

      test("a learner is in the Space within the frame, and its events arrive", async () => {
        const frame = await launches("student2");
        await expect.poll(() => says(frame, "location.pathname")).toBe("/space");
        const space = await frameIn(frame, `${world().classroom.appUrl}/spaces/`);
        await expect
          .poll(() => says(space, `document.querySelector("h1").textContent`))
          .toContain("Biology 101");
        await presses(space, "button", "Twelve people");
        await expect.poll(() => says(frame, "document.body.innerText")).toContain("People: 12");
      });
    });

    if (way === "a" && !isNightly) return;

    test("a file is saved, and the page stays", async () => {
      const { opens, area, shows, presses } = inCanvas;
      const frame = await opens("teacher1");
      await area(frame, "Grades");
      await shows(frame, "Grades", "an area");
      await presses(frame, ".menu-list button", "CSV\nGrades and how they’re calculated");
      const files = async () => (await readdir(webkit.folder)).filter((name) => name.endsWith(".csv"));
      await expect
        .poll(files)
        .toEqual([expect.stringMatching(/^Biology 101 – Spring grades [\d-]{10}\.csv$/)]);
      const [name = ""] = await files();
      // The browser creates the file before it writes it.
      await expect.poll(() => readFile(join(webkit.folder, name), "utf8")).toMatch(/^\uFEFF?"?Learner,/);
      await shows(frame, "Grades", "the page");
    });

    test("a learner checks in with the code on the screen in the room", async () => {
      const { launches, presses, says } = inCanvas;
      const ofHistory = (address: string) => webkit.openTab(address.replace("/link/1?", "/link/2?"));
      const screen = await launches("teacher2", ofHistory);
      await expect.poll(() => says(screen, "document.body.innerText")).toContain("Show check-in code");
      await presses(screen, way, "Show check-in code");
      const shown = `document.querySelector("#code-now span").textContent`;
      await expect.poll(() => says(screen, shown)).toMatch(/^\w{3} \w{3}$/);
      const code = await says(screen, shown);

      const mine = await launches(learner, ofHistory);
      await expect.poll(() => says(mine, "document.body.innerText")).toContain("Are you in the room?");
      await webkit.textIn(mine, `document.querySelector("input[name=code]").value = ${JSON.stringify(code)}`);
      await presses(mine, "button", "Check in");
      await expect.poll(() => says(mine, "document.body.innerText")).toMatch(/You checked in at \d\d:\d\d\./);
    });
  });

/** What Firefox does with cookies in frames, and what leads to a page's areas there. The gate tests the first: the others are like WebKit's. */
const inFirefox: readonly { cookies: FirefoxCookies; way: Way }[] = [
  { cookies: "default", way: "a" },
  { cookies: "all", way: "a" },
  { cookies: "blocked", way: "button" },
];

for (const { cookies, way } of firstInGate(1, inFirefox))
  describe(`In a frame of a Firefox whose cookies there are ${cookies}`, where("firefox"), () => {
    let firefox: Driven;
    beforeAll(async () => {
      firefox = await startFirefox(cookies);
    });
    afterAll(() => firefox.close());

    testFrame(
      stepsIn(
        () => firefox,
        () => canvas,
        way,
      ),
    );
  });
