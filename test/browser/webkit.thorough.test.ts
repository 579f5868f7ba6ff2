import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { where } from "../support/browser/browser.ts";
import { stepsIn, testFrame, type Way } from "../support/browser/driven.ts";
import { type HttpsWorld, startHttpsWorld } from "../support/browser/https-world.ts";
import { startWebkit, type Webkit, type WebkitCookies } from "../support/browser/webkit.ts";
import { setCourses } from "../support/builders/embedded-course.ts";

/** Safari's engine, as WebKitGTK brings it to Linux. Safari itself is not driven. */

let canvas: HttpsWorld;
let moodle: HttpsWorld;
beforeAll(async () => {
  [canvas, moodle] = await Promise.all([
    startHttpsWorld("canvas", { classroom: "https" }),
    startHttpsWorld("moodle", { classroom: "https" }),
  ]);
});
afterAll(() => Promise.all([canvas.close(), moodle.close()]));

/** What stays of a cookie that is set in the tool's frame, and what leads to a page's areas there. */
const kinds: readonly { cookies: WebkitCookies; plain: boolean; partitioned: boolean; way: Way }[] = [
  { cookies: "all", plain: true, partitioned: true, way: "a" },
  { cookies: "ofTabs", plain: false, partitioned: false, way: "button" },
  { cookies: "none", plain: false, partitioned: false, way: "button" },
];

for (const { cookies, plain, partitioned, way } of kinds)
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
      const keeps = (name: string, attributes: string) =>
        webkit.textIn(
          frame,
          `(document.cookie = "${name}=1; Path=/; Secure; SameSite=None${attributes}", document.cookie.includes("${name}=1"))`,
        );
      expect(await keeps("plain", "")).toBe(String(plain));
      expect(await keeps("partitioned", "; Partitioned")).toBe(String(partitioned));
    });

    describe("in Canvas", () => testFrame(inCanvas));

    if (way === "a") describe("in Moodle", () => testFrame(inMoodle));
    else
      test("in Moodle, which keeps no values for us, a new window leads into the course", async () => {
        const { launches, shows, opensTab } = inMoodle;
        const frame = await launches("student1");
        await shows(frame, "Open the classroom in a new window", "no cookie, no value");
        const tab = await opensTab(frame, "button", "Open in a new window");
        await expect.poll(() => inMoodle.says(tab, "location.href")).toContain(moodle.classroom.appUrl);
      });

    test("a file is saved, and the page stays", async () => {
      const { opens, area, shows, presses } = inCanvas;
      const frame = await opens("teacher1");
      await area(frame, "Grades");
      await shows(frame, "Grades", "an area");
      await presses(frame, ".menu-list button", "CSV\nGrades and how they are worked out");
      const files = async () => (await readdir(webkit.folder)).filter((name) => name.endsWith(".csv"));
      await expect
        .poll(files)
        .toEqual([expect.stringMatching(/^Biology 101 – Spring grades [\d-]{10}\.csv$/)]);
      const [name = ""] = await files();
      expect(await readFile(join(webkit.folder, name), "utf8")).toMatch(/^\uFEFF?"?Learner,/);
      await shows(frame, "Grades", "the page");
    });

    test("a learner is in the Space within the frame, and its events arrive", async () => {
      const { launches, frameIn, presses, says } = inCanvas;
      await setCourses(canvas, { mode: "embedded" });
      try {
        const frame = await launches("student2");
        await expect.poll(() => says(frame, "location.pathname")).toBe("/space");
        const space = await frameIn(frame, `${canvas.classroom.appUrl}/spaces/`);
        await expect
          .poll(() => says(space, `document.querySelector("h1").textContent`))
          .toContain("Biology 101");
        await presses(space, "button", "Twelve people");
        await expect.poll(() => says(frame, "document.body.innerText")).toContain("People: 12");
      } finally {
        await setCourses(canvas, { mode: "tab" });
      }
    });
  });
