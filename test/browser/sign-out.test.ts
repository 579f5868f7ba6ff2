import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../../src/kernel/logger.ts";
import { type DemoWorld, startDemoWorld } from "../../src/sandbox/demo-world.ts";
import { findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { openInFrame, pressed } from "../support/browser/open-in-frame.ts";

let world: DemoWorld;
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  world = await startDemoWorld({ logger: createLogger("silent") });
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

test.each(["teacher1", "student1"])(
  "%s signs out in the LMS's frame, and neither Back nor a kept form leads anywhere",
  async (username) => {
    const { context, page, frame } = await openInFrame(browser, world, { username, linkId: "1" });
    const token = await frame.locator('input[name="session"]').first().inputValue();
    await pressed(frame, frame.getByRole("button", { name: "Sign out" }));
    expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("You have signed out");
    await frame.getByText("To come back, open the classroom link in your course.").waitFor();
    const way = frame.getByRole("link", { name: "Back to the course" });
    expect(await way.getAttribute("href")).toContain(world.lms.url);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await page.goBack({ waitUntil: "commit", timeout: 3_000 }).catch(() => null);
    await expect.poll(() => frame.locator("nav.areas").count()).toBe(0);
    const answer = await fetch(`${world.toolUrl}/course/home`, {
      method: "POST",
      body: new URLSearchParams({ session: token }),
    });
    expect(answer.status).toBe(401);
    await context.close();
  },
  120_000,
);
