import { type BrowserContextOptions, devices, type Frame, type Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { collectProblems, startBrowser } from "../support/browser/browser.ts";
import { setCourses } from "../support/builders/embedded-course.ts";
import { launchedFrame } from "../support/browser/open-in-frame.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const link = "1";
const safariOnMac =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15";

type Device = { name: string; options: BrowserContextOptions; touchPoints: number };
const phone: Device = { name: "a phone", options: devices["Pixel 7"], touchPoints: 5 };
/** iPadOS since version 13: a Macintosh by its user agent, but not by its screen. */
const tablet: Device = {
  name: "an iPad",
  options: { userAgent: safariOnMac, viewport: { width: 1024, height: 768 }, hasTouch: true },
  touchPoints: 5,
};
const computer: Device = {
  name: "a Mac",
  options: { userAgent: safariOnMac, viewport: { width: 1280, height: 768 } },
  touchPoints: 0,
};

const [browser, world] = await Promise.all([
  forAllTests(startBrowser({ whole: true })),
  forAllTests(startWorld({ learners: 4 })),
]);
beforeAll(async () => {
  await walkIn(world, "teacher1", link);
  await setCourses(world, { mode: "embedded", startLocalRecording: true });
});

/** A tab of somebody with such a device, and the addresses of Spaces that it requests in a frame. */
async function tabOn(device: Device, person: string): Promise<{ page: Page; framed: string[] }> {
  const context = await browser.newContext(device.options);
  context.setDefaultTimeout(30_000);
  await context.addInitScript(
    `Object.defineProperty(Navigator.prototype, "maxTouchPoints", { get: () => ${device.touchPoints} });`,
  );
  const [name = "", ...value] = world.lms.cookieFor(person).split("=");
  await context.addCookies([{ name, value: value.join("="), url: world.lms.url }]);
  problems = collectProblems(context, world.toolUrl);
  const page = await context.newPage();
  const framed: string[] = [];
  page.on("request", (request) => {
    const isSpace = request.url().startsWith(`${world.classroom.appUrl}/spaces/`);
    if (isSpace && request.isNavigationRequest() && request.frame() !== page.mainFrame())
      framed.push(request.url());
  });
  return { page, framed };
}
let problems: string[] = [];

/** The parameters sent to the classroom for the person in the Space of this page or frame. */
function parametersOf(space: Page | Frame): Readonly<Record<string, string>> {
  const token = new URL(space.url()).searchParams.get("token");
  const login = world.classroom.authorizations().find((one) => one.token === token);
  if (login === undefined) throw new Error(`${space.url()} carries no login of the classroom`);
  return login.parameters;
}

describe("A course that shows its classroom inside the LMS's page", () => {
  test("gives a phone the whole tab, and loads nothing in a frame", async () => {
    const { page, framed } = await tabOn(phone, "student1");
    await page.goto(`${world.lms.url}/link/${link}?container=existing`);
    await page.waitForURL(`${world.classroom.appUrl}/spaces/**`);
    expect(framed).toEqual([]);
    expect(parametersOf(page)).not.toHaveProperty("startLocalRecording");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test.each([phone, tablet])(
    "gives $name the whole tab from inside the LMS's page by one tap, if the Space cannot record there",
    async (device) => {
      const { page, framed } = await tabOn(device, "student2");
      await page.goto(`${world.lms.url}/link/${link}?container=embed`);
      const ours = await launchedFrame(page, world.toolUrl);
      await expect.poll(() => ours.locator("#lead").innerText()).toContain("in place of this page");
      expect(await ours.locator("[data-why]:visible").count(), "no right is missing").toBe(0);
      await ours.getByRole("button", { name: /^(Enter classroom|Join|Open again)$/ }).click();
      await page.waitForURL(`${world.classroom.appUrl}/spaces/**`);
      expect(page.context().pages(), "no window was asked for").toHaveLength(1);
      expect(framed).toEqual([]);
      expect(parametersOf(page)).not.toHaveProperty("startLocalRecording");
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  test("shows it on a Mac, which has the same user agent as an iPad, and lets it record", async () => {
    const { page, framed } = await tabOn(computer, "student3");
    await page.goto(`${world.lms.url}/link/${link}?container=existing`);
    await expect.poll(() => framed.length).toBe(1);
    await expect.poll(() => page.frames().at(-1)?.url()).toContain(`${world.classroom.appUrl}/spaces/`);
    const space = page.frames().at(-1);
    if (space === undefined) throw new Error("there is no frame");
    expect(parametersOf(space)).toMatchObject({ startLocalRecording: "true" });
    expect(new URL(page.url()).pathname).toBe("/space");
    await page.context().close();
  });

  test("leads an iPad back to the button when its page is reloaded inside the LMS", async () => {
    const { page } = await tabOn(tablet, "student4");
    await page.goto(`${world.lms.url}/link/${link}?container=embed`);
    const ours = await launchedFrame(page, world.toolUrl);
    // The address of an earlier visit, as a restored tab has it.
    const session = await ours.locator('#enter input[name="session"]').inputValue();
    await ours.evaluate(
      `history.replaceState({ session: ${JSON.stringify(session)} }, "", "/space"); void location.reload()`,
    );
    await ours.locator("#enter").waitFor();
    await expect.poll(() => ours.locator("#lead").innerText()).toContain("in place of this page");
    await page.context().close();
  });
});

test("A phone that keeps no cookie in the LMS's frame leaves it by one tap, without a new window", async () => {
  await setCourses(world, { mode: "tab", startLocalRecording: false });
  const { page } = await tabOn(phone, "student4");
  await page.addInitScript(
    `if (top !== window) Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => undefined });`,
  );
  await page.goto(`${world.lms.url}/link/${link}?container=embed`);
  const frame = page.frameLocator("iframe");
  await frame.locator("#stuck form.elsewhere button").click();
  await page.waitForURL(`${world.classroom.appUrl}/spaces/**`);
  expect(page.context().pages(), "no window was asked for").toHaveLength(1);
  await page.context().close();
});

test("A page inside an app says what to do if no file can be saved", async () => {
  const webView = devices["Pixel 7"].userAgent.replace(")", "; wv)");
  const { page } = await tabOn({ ...phone, options: { ...phone.options, userAgent: webView } }, "teacher1");
  await page.goto(`${world.lms.url}/link/${link}?container=existing`);
  await page.waitForURL(/\/home/);
  await page.goto(page.url().replace(/\/home.*/, "/grades"));
  await page.locator("details:has(form.take) > summary").click();
  await page.locator("form.take button").first().click();
  await page.getByText("this app can’t save files").waitFor();
  await page.context().close();
});
