import { afterAll, beforeAll, describe } from "vitest";
import { where } from "../support/browser/browser.ts";
import { type Driven, stepsIn, testFrame, type Way } from "../support/browser/driven.ts";
import { type FirefoxCookies, startFirefox } from "../support/browser/firefox.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const world = await forAllTests(startHttpsWorld("canvas"));

/** What Firefox does with cookies of frames, and what leads to a page's areas there. */
const kinds: readonly { cookies: FirefoxCookies; way: Way }[] = [
  { cookies: "default", way: "a" },
  { cookies: "all", way: "a" },
  { cookies: "blocked", way: "button" },
];

for (const { cookies, way } of kinds)
  describe(`In a frame of a Firefox whose cookies there are ${cookies}`, where("firefox"), () => {
    let firefox: Driven;
    beforeAll(async () => {
      firefox = await startFirefox(cookies);
    });
    afterAll(() => firefox.close());

    testFrame(
      stepsIn(
        () => firefox,
        () => world,
        way,
      ),
    );
  });
