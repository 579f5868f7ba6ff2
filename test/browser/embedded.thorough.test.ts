import type { Browser, Frame, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { findingsOnEveryScreen, newProfile, type Screen, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { setCourses } from "../support/builders/embedded-course.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";
import { walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { firstInGate } from "../support/nightly.ts";

const link = "1";
const course = "Biology 101 – Spring";
const enterButton = { name: /^(Enter classroom|Join|Open again)$/ };

const [browser, canvas] = await Promise.all([
  forAllTests(startBrowser()),
  forAllTests(startHttpsWorld("canvas")),
]);
beforeAll(async () => {
  await walkIn(canvas, "teacher1", link);
  await setCourses(canvas, { mode: "embedded" });
});

afterEach(() => {
  for (const { spaceId } of canvas.classroom.spaces()) canvas.classroom.endSession({ spaceId });
});

// Below the hook above, so that nobody is inside when the session ends.
const profiles = watchProfiles();

/** A tab of somebody who is logged in at the LMS. */
async function tabOf(
  world: DemoWorld,
  person: string,
  options: { screen?: Screen; by?: Browser } = {},
): Promise<Page> {
  const { screen = { width: 1000 }, by = browser } = options;
  const context = await newProfile(by, {
    ignoreHTTPSErrors: true,
    viewport: { width: screen.width, height: screen.height ?? 700 },
    colorScheme: screen.scheme ?? "light",
  });
  // Pages that a test serves have no address; to the browser they are on the internet, which may not reach loopback.
  await context.grantPermissions(["local-network-access"]);
  profiles.watch(context, world.toolUrl);
  const [name = "", ...value] = world.lms.cookieFor(person).split("=");
  const cookie = { name, value: value.join("="), url: world.lms.url, secure: true };
  await context.addCookies([{ ...cookie, sameSite: "None" }]);
  return context.newPage();
}

/** Opens the activity as the LMS embeds it. @returns the LMS's frame with a page of ours. */
async function openActivity(world: DemoWorld, page: Page): Promise<Frame> {
  await page.goto(`${world.lms.url}/link/${link}?container=embed`);
  return launched(world, page);
}

/** The same in a page that has only that frame, with the rights that `allow` gives. */
async function openInFrame(world: DemoWorld, page: Page, allow: string, beside = ""): Promise<Frame> {
  await page.route(`${world.lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><style>body{margin:0}#contentframe{border:0;display:block;width:100vw;height:100vh}</style><iframe id="contentframe" name="contentframe" title="Tool" src="/link/${link}/launch?container=embed" allow="${allow}" allowfullscreen></iframe>${beside}</html>`,
    }),
  );
  await page.goto(`${world.lms.url}/frame`);
  return launched(world, page);
}

/** The LMS's frame after the launch. Looking into a page counts as pressing something there, so not before. */
async function launched(world: DemoWorld, page: Page): Promise<Frame> {
  const frame = await frameOf(page, "iframe#contentframe");
  await frame.waitForURL((url) => url.origin === world.toolUrl && url.pathname !== "/lti/login");
  return frame;
}

/** The frame of an element; the error shows what is there if there is none. */
async function frameOf(page: Page | Frame, selector: string): Promise<Frame> {
  try {
    const element = await page.waitForSelector(selector, { state: "attached" });
    const frame = await element.contentFrame();
    if (frame !== null) return frame;
    throw new Error(`${selector} is no frame`);
  } catch (thrown) {
    const text = await page.locator("body").innerText();
    const cause = { cause: thrown };
    throw new Error(`no ${selector}, but at ${page.url().slice(0, 60)}: ${text.slice(0, 500)}`, cause);
  }
}

const everything =
  "camera *; microphone *; display-capture *; clipboard-read *; clipboard-write *; autoplay *; fullscreen *; picture-in-picture *; compute-pressure *";

/** As in sandbox/stand-in-lms/moodle-manners.ts. */
const likeMoodle = "microphone *; camera *; geolocation *; midi *; encrypted-media *; autoplay *";

/** The Space in our page, once it is ready. */
async function spaceOf(world: DemoWorld, ours: Page | Frame): Promise<Frame> {
  const space = await frameOf(ours, "main#space iframe");
  await space.waitForURL(`${world.classroom.appUrl}/spaces/**`);
  await ours.locator('[data-sign="opening"]').waitFor({ state: "hidden" });
  return space;
}

/** The login with which a Space was entered; others may be authorized at any time. */
function loginIn(world: DemoWorld, space: Frame) {
  const token = new URL(space.url()).searchParams.get("token");
  const login = world.classroom.authorizations().find((one) => one.token === token);
  if (login === undefined) throw new Error(`${space.url()} carries no login of the classroom`);
  return login;
}

/** The Space in our page once it is there with another login than `before`. */
async function spaceAgain(world: DemoWorld, ours: Page | Frame, before: Frame): Promise<Frame> {
  const { token } = loginIn(world, before);
  const isNew = async (): Promise<boolean> => {
    const src = await ours.locator("main#space iframe").getAttribute("src", { timeout: 1_000 });
    return src !== null && !src.includes(token);
  };
  await expect.poll(() => isNew().catch(() => false)).toBe(true);
  return spaceOf(world, ours);
}

/** Presses one of the stand-in's buttons that raise an embed event. */
async function raise(space: Frame, label: string): Promise<void> {
  await space.getByRole("button", { name: label, exact: true }).click();
}

function said(ours: Page | Frame): Promise<string | null> {
  return ours.locator("#said").textContent();
}

/** The notices on the page, in words. */
function noticesOf(ours: Page | Frame): Promise<string[]> {
  return ours.locator(".notices [data-notice]:visible p").allInnerTexts();
}

/** A learner in the Space, in a frame with every right. */
async function enterEmbedded(
  person = "student1",
  screen?: Screen,
): Promise<{ page: Page; ours: Frame; space: Frame }> {
  const page = await tabOf(canvas, person, screen === undefined ? {} : { screen });
  const ours = await openInFrame(canvas, page, everything);
  return { page, ours, space: await spaceOf(canvas, ours) };
}

/**
 * The same with a clock that only the test moves: otherwise it would run on while a slow machine works. Setting it counts as pressing
 * something in the page, so the Space does not open on its own.
 */
async function enterWithClock(person = "student1"): Promise<{ page: Page; ours: Frame; space: Frame }> {
  const page = await tabOf(canvas, person);
  await page.clock.install();
  const ours = await openInFrame(canvas, page, everything);
  await stopClock(page);
  await ours.getByRole("button", enterButton).click();
  return { page, ours, space: await spaceOf(canvas, ours) };
}

/** From now on time passes only when the test moves it. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Number(await page.evaluate("Date.now()")) + 1_000);
}

describe("A learner who opens the link in a course that embeds its classroom", () => {
  const noScreen = "To share your screen, open a new tab.";

  test("is in the Space inside the LMS's page, without a click or a tab", async () => {
    const page = await tabOf(canvas, "student1");
    const ours = await openActivity(canvas, page);
    const space = await spaceOf(canvas, ours);
    expect(page.context().pages()).toHaveLength(1);
    expect(await space.getByRole("heading", { level: 1 }).innerText()).toContain(course);
    expect(await ours.getByRole("heading", { level: 1 }).innerText()).toBe(course);
    expect(loginIn(canvas, space).parameters).toMatchObject({ broadcastEvents: "true", standalone: "true" });
    expect(await ours.getByText(noScreen).isVisible()).toBe(false);
  });

  test("sees that a screen cannot be shared in a frame with Moodle's rights", async () => {
    const ours = await openInFrame(canvas, await tabOf(canvas, "student1"), likeMoodle);
    const space = await spaceOf(canvas, ours);
    for (const feature of ["camera", "microphone", "autoplay"])
      expect(await allows(space, feature)).toBe(true);
    expect(await ours.getByText(noScreen).isVisible()).toBe(true);
  });

  test("gives the Space every documented right, in a frame that has them, and the login nowhere else", async () => {
    const { page, ours, space } = await enterEmbedded();
    for (const feature of everything.split("; ").map((one) => one.replace(" *", ""))) {
      expect([feature, await allows(space, feature)]).toEqual([feature, true]);
    }
    const { token } = loginIn(canvas, space);
    expect(ours.url()).toBe(`${canvas.toolUrl}/space`);
    expect(await ours.evaluate("JSON.stringify(history.state)")).not.toContain(token);
    const html = await ours.content();
    expect(html.split(token)).toHaveLength(2);
    expect(await page.content()).not.toContain(token);
  });

  test("gets the whole window for it if the LMS opens the link at top level", async () => {
    const page = await tabOf(canvas, "student2");
    await page.goto(`${canvas.lms.url}/link/${link}?container=existing`);
    const space = await spaceOf(canvas, page);
    expect(new URL(page.url()).pathname).toBe("/space");
    for (const feature of everything.split("; ").map((one) => one.replace(" *", ""))) {
      expect([feature, await allows(space, feature)]).toEqual([feature, true]);
    }
    const box = await page.locator("main#space iframe").boundingBox();
    expect(box?.width).toBe(1000);
    expect(box?.height).toBeGreaterThan(620);
  });

  test("gets from Canvas the height that its frame asks for", async () => {
    const page = await tabOf(canvas, "student1");
    const heard: unknown[] = [];
    await page.exposeFunction("heardByLms", (data: unknown) => heard.push(data));
    const answering = `<script>document.getElementById("contentframe").style.height = "300px"; addEventListener("message", ({ data, source }) => {
      if (data?.subject === "lti.fetchWindowSize") source.postMessage({ subject: "lti.fetchWindowSize.response", height: 900, width: 1000, offset: { top: 100, left: 0 }, footer: 50, scrollY: 0 }, "*");
      if (data?.subject === "lti.frameResize") heardByLms(data);
    })</script>`;
    await spaceOf(canvas, await openInFrame(canvas, page, everything, answering));
    // The page before it has sent its own height.
    await expect.poll(() => heard.at(-1)).toEqual({ subject: "lti.frameResize", height: 750 });
  });
});

function allows(space: Frame, feature: string): Promise<unknown> {
  return space.evaluate(`document.featurePolicy.allowsFeature("${feature}")`);
}

describe("The bar above the Space", () => {
  test("shows how many people are there, a recording and a raised hand", async () => {
    const { page, ours, space } = await enterWithClock();
    const signs = ours.getByRole("list", { name: "Classroom status" });
    await expect.poll(() => signs.innerText()).toBe("People: 1");
    await raise(space, "Twelve people");
    await expect.poll(() => signs.innerText()).toBe("People: 12");
    await raise(space, "Recording started");
    await expect.poll(() => signs.innerText()).toMatch(/^● Recording/);
    expect(await said(ours)).toBe("The classroom is being recorded.");
    await raise(space, "Recording stopped");
    await expect.poll(() => signs.innerText()).not.toMatch(/Recording/);
    expect(await said(ours)).toBe("The recording has stopped.");
    await raise(space, "Hand raised");
    await expect.poll(() => signs.innerText()).toMatch(/✋ Hand raised/);
    await page.clock.runFor(5_000);
    await expect.poll(() => signs.innerText()).not.toMatch(/Hand/);
  });

  test("warns of an unstable connection and a slow device, until the connection is stable again", async () => {
    const { ours, space } = await enterEmbedded();
    await raise(space, "Connection unstable");
    await expect.poll(() => noticesOf(ours)).toEqual([expect.stringMatching(/connection is unstable/)]);
    expect(await said(ours)).toMatch(/connection is unstable/);
    await raise(space, "Device unstable");
    await expect.poll(() => noticesOf(ours)).toHaveLength(2);
    await raise(space, "Connection stable");
    await expect.poll(() => noticesOf(ours)).toEqual([expect.stringMatching(/at its limit/)]);
    expect(await said(ours)).toBe("Your connection is stable again.");
    expect(await ours.getByRole("list").innerText()).toContain("Your connection is stable again.");
    await ours.getByRole("button", { name: "Hide" }).click();
    expect(await noticesOf(ours)).toEqual([]);
    await raise(space, "Device stable");
    await raise(space, "Device unstable");
    await expect
      .poll(() => noticesOf(ours), { message: "it comes back when it happens again" })
      .toHaveLength(1);
  });
});

describe("Messages from elsewhere than the Space", () => {
  const forged = JSON.stringify({ type: "call_ended", detail: {} });

  test("change nothing: from the LMS, another frame of the Space's origin, a frame within the Space, our own page", async () => {
    const page = await tabOf(canvas, "student1");
    const { appUrl } = canvas.classroom;
    const other = `<iframe id="other" title="Other" src="${appUrl}/host"></iframe>`;
    const ours = await openInFrame(canvas, page, everything, other);
    const space = await spaceOf(canvas, ours);
    await page.evaluate(`frames.contentframe.postMessage(${forged}, "*")`);
    const stranger = await frameOf(page, "#other");
    await stranger.waitForURL(`${appUrl}/**`);
    await stranger.evaluate(`parent.frames.contentframe.postMessage(${forged}, "*")`);
    await ours.evaluate(`postMessage(${forged}, "*")`);
    await space.evaluate(
      `document.body.append(Object.assign(document.createElement("iframe"), { id: "within", title: "Within", src: "/host" }))`,
    );
    const within = await frameOf(space, "#within");
    await within.waitForURL(`${appUrl}/host`);
    await within.evaluate(`parent.parent.postMessage(${forged}, "*")`);
    await raise(space, "Twelve people");
    await ours.getByText("People: 12").waitFor();
    expect(await ours.locator("#end").isVisible()).toBe(false);
    await raise(space, "Call ended by another");
    await ours.locator("#end").waitFor();
  });

  test("change nothing when the Space's frame has navigated to another origin", async () => {
    const { ours } = await enterEmbedded();
    await ours.evaluate(`document.querySelector("iframe").src = "about:blank"`);
    const moved = await frameOf(ours, "main#space iframe");
    await moved.waitForURL("about:blank");
    await ours.evaluate(
      `window.heardLast = new Promise((heard) => addEventListener("message", ({ data }) => data === "last" && heard())); undefined`,
    );
    await moved.evaluate(`parent.postMessage(${forged}, "*"); parent.postMessage("last", "*")`);
    await ours.evaluate("heardLast");
    expect(await ours.locator("#end").isVisible()).toBe(false);
  });
});

describe("When the call is over", () => {
  test.each(
    firstInGate(1, [
      ["Call ended by another", "The call has ended."],
      ["I end the call", "You ended the call for everyone."],
    ]),
  )(
    "%s: the page says so (%s), waits for work in the Space, and continues after five seconds",
    async (label, words) => {
      const { page, ours, space } = await enterWithClock();
      await raise(space, label);
      await ours.getByText(words).and(ours.locator("strong")).waitFor();
      expect(await said(ours)).toBe(`${words} This page stays open while you use the classroom.`);
      // With the pointer, then with the keyboard alone.
      await page.clock.runFor(20_000);
      await page.mouse.move(20, 20);
      await page.clock.runFor(20_000);
      expect(await ours.locator("[data-seconds]").innerText()).toMatch(/stays open/);
      await ours.getByRole("heading", { level: 1 }).click();
      await page.clock.runFor(1_000);
      await expect.poll(() => ours.locator("[data-seconds]").innerText()).toMatch(/closes in [45] s/);
      const [request] = await Promise.all([
        page.waitForRequest((one) => one.method() === "POST" && one.url() === `${canvas.toolUrl}/ended`),
        page.clock.runFor(5_000),
      ]);
      expect(request.frame().parentFrame()).toBe(page.mainFrame());
      expect(new URLSearchParams(request.postData() ?? "").get("session")).toMatch(/^[\w-]{16}\.[\w-]{43}/);
      await expect.poll(() => ours.getByRole("heading", { level: 1 }).innerText()).not.toBe(course);
    },
  );

  test("somebody who leaves the call is offered the way out, and may stay as long as they like", async () => {
    const { page, ours, space } = await enterWithClock();
    await raise(space, "I leave the call");
    await ours.getByText("You left the call.").and(ours.locator("strong")).waitFor();
    await ours.getByRole("heading", { level: 1 }).click();
    await page.clock.runFor(60_000);
    expect(await ours.locator("#end").innerText()).not.toMatch(/closes|open/);
    expect(await said(ours)).toBe("You left the call.");
    await ours.getByRole("button", { name: "Continue" }).click();
    await ours.waitForURL("**/ended");
  });

  test("somebody may stay, on a page that looks right, and may come back into a call", async () => {
    const { page, ours, space } = await enterEmbedded();
    await page.mouse.move(0, 0);
    await raise(space, "Call ended by another");
    await ours.getByRole("button", { name: "Stay here" }).focus();
    expect(await findingsOnEveryScreen(ours)).toEqual([]);
    await ours.getByRole("button", { name: "Stay here" }).click();
    expect(await ours.locator("#end").isVisible()).toBe(false);
    await raise(space, "I join the call");
    await raise(space, "I leave the call");
    await ours.getByText("You left the call.").and(ours.locator("strong")).waitFor();
    await raise(space, "I join the call");
    await ours.locator("#end").waitFor({ state: "hidden" });
    expect(ours.url()).toBe(`${canvas.toolUrl}/space`);
  });

  test("the classroom's own redirect takes the whole window, and knows the person", async () => {
    canvas.classroom.setEndRedirect({ url: `${canvas.toolUrl}/ended/production` });
    try {
      const { page, ours, space } = await enterEmbedded("student4");
      const { spaceId } = loginIn(canvas, space);
      const [request] = await Promise.all([
        page.waitForRequest((one) => one.method() === "POST" && one.url().includes("/ended/")),
        space.getByRole("button", { name: "Leave Space" }).click(),
      ]);
      expect(request.frame()).toBe(ours);
      expect(new URL(request.url()).searchParams.get("spaceId")).toBe(spaceId);
      expect(new URLSearchParams(request.postData() ?? "").get("session")).toMatch(/^[\w-]{16}\.[\w-]{43}/);
      await ours.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => ours.childFrames().length).toBe(0);
    } finally {
      canvas.classroom.setEndRedirect({ url: null });
    }
  });
});

describe("If the classroom cannot work inside the LMS's page", () => {
  test.each(
    firstInGate(1, [
      ["no right at all", "", /blocks the camera and microphone here/],
      ["the microphone only", "microphone *", /blocks the camera here, so/],
      ["the camera only", "camera *", /blocks the microphone here, so/],
      [
        "rights for another origin",
        "camera https://elsewhere.test; microphone https://elsewhere.test",
        /camera and microphone/,
      ],
    ] as const),
  )(
    "a frame with %s says why, and the button opens the Space itself in a new tab",
    async (_what, allow, why) => {
      const page = await tabOf(canvas, "student5");
      const ours = await openInFrame(canvas, page, allow);
      await ours.getByText(why).waitFor();
      expect(page.context().pages()).toHaveLength(1);
      if (allow === "") expect(await findingsOnEveryScreen(ours), "the page is well made").toEqual([]);
      const [tab] = await Promise.all([
        page.context().waitForEvent("page"),
        ours.getByRole("button", enterButton).click(),
      ]);
      await tab.waitForURL(`${canvas.classroom.appUrl}/spaces/**`);
      expect(await ours.locator("#entered").innerText()).toMatch(/is open in a new tab/);
      expect(ours.childFrames()).toEqual([]);
    },
  );

  test("a page without a secure context says so and opens a new tab", async () => {
    const page = await tabOf(canvas, "student5");
    await page.addInitScript(`Object.defineProperty(window, "isSecureContext", { value: false })`);
    const ours = await openInFrame(canvas, page, everything);
    await ours.getByText(/This page isn’t secure/).waitFor();
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      ours.getByRole("button", enterButton).click(),
    ]);
    await tab.waitForURL(`${canvas.classroom.appUrl}/spaces/**`);
  });

  test.each(
    firstInGate(1, [
      ["denied", /blocks the camera and microphone here/],
      ["granted", null],
    ] as const),
  )("a browser that reports no policy, but that the camera is %s, is believed", async (state, why) => {
    const page = await tabOf(canvas, "student5");
    await page.addInitScript(`
      delete Document.prototype.featurePolicy;
      navigator.permissions.query = async () => ({ state: "${state}" });`);
    const ours = await openInFrame(canvas, page, "");
    if (why === null) await spaceOf(canvas, ours);
    else await ours.getByText(why).waitFor();
  });

  test("a browser that reports nothing tries it here", async () => {
    const page = await tabOf(canvas, "student5");
    await page.addInitScript(`
      delete Document.prototype.featurePolicy;
      navigator.permissions.query = async () => { throw new TypeError("camera is no permission"); };`);
    await spaceOf(canvas, await openInFrame(canvas, page, ""));
  });
});

describe("A page around the Space that is reloaded", () => {
  test("in the LMS's frame enters again with a new login", async () => {
    const { ours, space } = await enterEmbedded("student7");
    await ours.evaluate("void location.reload()");
    await spaceAgain(canvas, ours, space);
    expect(new URL(ours.url()).pathname).toBe("/space");
  });

  test("is restored by going back", async () => {
    const page = await tabOf(canvas, "student7");
    await page.goto(`${canvas.lms.url}/link/${link}?container=existing`);
    await spaceOf(canvas, page);
    await page.goto(`${canvas.lms.url}/course/2`);
    await page.goBack();
    await spaceOf(canvas, page);
    expect(new URL(page.url()).origin).toBe(canvas.toolUrl);
  });

  test("at its address alone says to open the link in the course", async () => {
    const page = await tabOf(canvas, "student7");
    await page.goto(`${canvas.toolUrl}/space`);
    const heading = page.getByRole("heading", { level: 1, name: "Open the link in your course again" });
    await heading.waitFor();
    expect(await page.title()).toBe("Open the link in your course again");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("with an ended session says so", async () => {
    const { ours } = await enterEmbedded("student7");
    await ours.evaluate(`history.replaceState({ session: "eyJhbGciOiJub25lIn0.e30." }, "")`);
    await ours.evaluate("void location.reload()");
    await ours.getByRole("heading", { level: 1, name: "Open the link in your course again" }).waitFor();
  });
});

describe("A Space that does not report being ready", () => {
  test("is explained after twenty seconds, with a way into a new tab, until it is ready", async () => {
    const [there] = canvas.classroom.spaces();
    if (there === undefined) throw new Error("there is no Space");
    there.enableWaitingRoom = true;
    try {
      const page = await tabOf(canvas, "student8");
      await page.clock.install();
      const ours = await openInFrame(canvas, page, everything);
      await stopClock(page);
      await ours.getByRole("button", enterButton).click();
      const space = await frameOf(ours, "main#space iframe");
      await space.getByText("You are in the waiting room").waitFor();
      expect(await ours.locator('[data-sign="opening"]').isVisible()).toBe(true);
      await page.clock.runFor(19_000);
      expect(await noticesOf(ours)).toEqual([]);
      await page.clock.runFor(1_500);
      await expect
        .poll(() => noticesOf(ours))
        .toEqual([expect.stringMatching(/new tab.*waiting room.*private/)]);
      expect(await space.getByText("You are in the waiting room").isVisible()).toBe(true);
      canvas.classroom.admit({ spaceId: there.spaceId, userId: loginIn(canvas, space).userId });
      await space.evaluate("void location.reload()");
      await expect.poll(() => noticesOf(ours)).toEqual([]);
      await ours.getByText("People: 1").waitFor();
    } finally {
      there.enableWaitingRoom = false;
    }
  });
});

describe("Leaving the page and coming back", () => {
  test("opens a new tab with a new login, leaves the Space here, and comes back", async () => {
    const { page, ours, space } = await enterEmbedded("student9");
    const first = loginIn(canvas, space).token;
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      ours.getByRole("button", { name: "Open in a new tab" }).click(),
    ]);
    await tab.waitForURL(`${canvas.classroom.appUrl}/spaces/**`);
    expect(await tab.evaluate("window.opener")).toBeNull();
    expect(loginIn(canvas, tab.mainFrame()).token).not.toBe(first);
    await ours.getByText("The classroom is open in a new tab.").and(ours.locator("section p")).waitFor();
    expect(ours.childFrames()).toEqual([]);
    await expect.poll(() => tab.locator("#people li").count()).toBe(1);
    await tab.close();
    await ours.getByRole("button", { name: "Show it here" }).click();
    await spaceOf(canvas, ours);
  });

  test("fills the screen if the frame may", async () => {
    const { ours } = await enterEmbedded("student9");
    await ours.getByRole("button", { name: "Full screen" }).click();
    await ours.getByRole("button", { name: "Leave full screen" }).click();
    await ours.getByRole("button", { name: "Full screen", exact: true }).waitFor();
    const page = await tabOf(canvas, "student9");
    await page.route(`${canvas.lms.url}/bare`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><html lang="en"><title>Course</title><iframe id="contentframe" title="Tool" src="/link/${link}/launch?container=embed" allow="camera *; microphone *"></iframe></html>`,
      }),
    );
    await page.goto(`${canvas.lms.url}/bare`);
    const bare = await frameOf(page, "#contentframe");
    await spaceOf(canvas, bare);
    expect(await bare.locator("#full").isVisible()).toBe(false);
  });

  test("an instructor gets to grades and people in a new tab, from a page that looks right", async () => {
    const page = await tabOf(canvas, "teacher1");
    const ours = await openInFrame(canvas, page, everything);
    await ours.getByText("It opens here.").waitFor();
    await ours.getByRole("button", enterButton).click();
    await spaceOf(canvas, ours);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      ours.getByRole("button", { name: "Grades and people" }).click(),
    ]);
    await tab.getByRole("heading", { name: "Your online classroom", level: 1 }).waitFor();
    expect(await tab.getByRole("link", { name: "Grades", exact: true }).count()).toBeGreaterThan(0);
    await tab.getByText("It opens here.").waitFor();
    await tab.getByRole("button", enterButton).click();
    await spaceOf(canvas, tab);
    expect(page.context().pages()).toHaveLength(2);
    await tab.close();
    const learner = await enterEmbedded("student9");
    expect(await learner.ours.getByRole("button", { name: "Grades and people" }).count()).toBe(0);
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the page around the Space looks right with all messages that it may show together", async () => {
    const { page, ours, space } = await enterEmbedded("student11");
    await page.mouse.move(0, 0);
    const all = ["I join the call", "Recording started", "Connection unstable", "Device unstable"];
    for (const label of [...all, "microphone PERMISSION_DENIED", "camera NOT_FOUND"])
      await raise(space, label);
    await expect.poll(() => noticesOf(ours)).toHaveLength(4);
    await ours.evaluate("document.querySelector('h1').textContent = 'With everything'");
    expect(await findingsOnEveryScreen(ours)).toEqual([]);
  });
});
