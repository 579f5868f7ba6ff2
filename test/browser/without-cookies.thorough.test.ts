import type { BrowserContext, Frame, Page, Request } from "playwright-core";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { axeFindings, findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import {
  cookieBrowsers,
  cookieKinds,
  type Cookies,
  keeping,
  logInAt,
} from "../support/browser/cookie-profile.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";
import { firstInGate } from "../support/nightly.ts";

const link = "1";
const enterPage = "Your online classroom";
const windowPage = "Open the classroom in a new window";
const lostPage = "Your browser isn’t recognised";
/** A site that is neither the LMS nor the tool. */
const evil = "https://evil.test";
const windowButton = { name: "Open in a new window" };

/** The results of navigations in the test's tabs and frames, for a page that does not load. */
const visits: string[] = [];

const [canvas, moodle] = await Promise.all([
  forAllTests(startHttpsWorld("canvas")),
  forAllTests(startHttpsWorld("moodle")),
]);
const { profileOf, expects, ...tabs } = await cookieBrowsers(cookieKinds, [canvas, moodle], [`${evil}:443`]);
for (const cookies of cookieKinds) watchVisits(profileOf(cookies).context);
afterEach(() => {
  visits.length = 0;
});

/** A tab of a browser that keeps these cookies in frames, of somebody who is logged in at the LMS. */
async function tabOf(world: DemoWorld, cookies: Cookies, person = "student1", fresh = false): Promise<Page> {
  return onLightScreen(await tabs.tabOf(world, cookies, person, fresh));
}

async function onLightScreen(page: Page): Promise<Page> {
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.emulateMedia({ colorScheme: "light" });
  return page;
}

/** The frame in which the LMS's page shows the tool. */
async function toolFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector("iframe#contentframe");
  const frame = await element.contentFrame();
  if (frame === null) throw new Error("the LMS page has no frame");
  return frame;
}

/** Opens the activity as the LMS embeds it. */
async function openEmbedded(world: DemoWorld, page: Page): Promise<Frame> {
  await page.goto(`${world.lms.url}/link/${link}?container=embed`);
  return toolFrame(page);
}

/** Records the request and the answer for each page of a tab or frame. */
function watchVisits(context: BrowserContext): void {
  const note = (what: string, request: Request) => {
    if (request.isNavigationRequest())
      visits.push(`${new Date().toISOString()} ${what} ${request.method()} ${request.url().slice(0, 60)}`);
  };
  context.on("request", (request) => note("asks", request));
  context.on("response", (response) => note(String(response.status()), response.request()));
  context.on("requestfinished", (request) => note("all of", request));
  context.on("requestfailed", (request) => note(request.failure()?.errorText ?? "failed", request));
}

/** Waits for a page of ours by its heading; the error shows what is there instead. */
async function expectPage(page: Page | Frame, heading: string): Promise<void> {
  try {
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  } catch {
    // A frame that the browser has not filled has no body, which is worth knowing.
    const text = await page
      .locator("body")
      .innerText({ timeout: 2_000 })
      .catch(() => "nothing at all");
    const asked = visits.join("\n");
    throw new Error(
      `no page "${heading}", but at ${page.url().slice(0, 60)}: ${text.slice(0, 500)}\nIt went:\n${asked}`,
    );
  }
}

/** Presses the button and follows the window it opens into the Space. */
async function goOnInNewWindow(world: DemoWorld, page: Page, frame: Frame): Promise<Page> {
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    frame.getByRole("button", windowButton).click(),
  ]);
  await tab.waitForURL(`${world.classroom.appUrl}/**`);
  return tab;
}

/** The names of our cookies sent with each launch. */
function watchLaunches(page: Page): string[][] {
  const launches: string[][] = [];
  page.on("request", (request) => {
    if (request.method() !== "POST" || !request.url().endsWith("/lti/launch")) return;
    void request.allHeaders().then(({ cookie = "" }) => {
      launches.push(cookie.split("; ").filter((one) => one.startsWith("__Secure-lti_")));
    });
  });
  return launches;
}

/** The names of the values that the LMS stores for the tool. */
async function keptBy(world: DemoWorld, page: Page): Promise<string[]> {
  const names = await page.evaluate(`Object.keys(localStorage).join("\\n")`);
  const prefix = `lti ${world.toolUrl} `;
  return String(names)
    .split("\n")
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/** A page of an LMS that answers messages as `body` does: with `asked`, `reply(more)` and a lasting `store`. */
function answering(body: string): string {
  return `<!doctype html><html lang="en"><title>LMS</title><script>
    const store = JSON.parse(localStorage.getItem("kept") ?? "{}");
    const heard = [];
    addEventListener("message", (event) => {
      const asked = event.data;
      if (typeof asked?.subject !== "string" || asked.subject.endsWith(".response")) return;
      heard.push(asked);
      const reply = (more, origin = event.origin) =>
        event.source.postMessage({ subject: asked.subject + ".response", message_id: asked.message_id, ...more }, origin);
      const put = () => {
        store[asked.key] = asked.value;
        localStorage.setItem("kept", JSON.stringify(store));
        reply({ key: asked.key, value: asked.value });
      };
      const get = () => reply({ key: asked.key, value: store[asked.key] ?? null });
      ${body}
    });
  </script>`;
}

const wellBehaved = `if (asked.subject === "lti.put_data") put(); if (asked.subject === "lti.get_data") get();`;
const onlyPuts = (get: string) =>
  `if (asked.subject === "lti.put_data") put(); if (asked.subject === "lti.get_data") { ${get} }`;

/** Replaces Canvas's frame for values by another. */
async function replaceStorage(page: Page, body: string): Promise<void> {
  await page.route(`${canvas.lms.url}/post_message_forwarding`, (route) =>
    route.fulfill({ contentType: "text/html", body: answering(body) }),
  );
}

/** Replaces the LMS's activity page by another: the tool's frame, the answering code, and other frames. */
async function replaceActivity(world: DemoWorld, page: Page, body: string, frames = ""): Promise<void> {
  const frame = `<style>body{margin:0}iframe{border:0;display:block;width:100vw;height:100vh}</style><iframe id="contentframe" title="Tool" src="/link/${link}/launch?container=embed"></iframe>`;
  await page.route(`${world.lms.url}/link/${link}?container=embed`, (route) =>
    route.fulfill({ contentType: "text/html", body: `${answering(body)}${frames}${frame}` }),
  );
}

/** A form that returns a token to the tool, as the LMS would post it. */
function tokenForm(world: DemoWorld, fields: { id_token: string; state: string }): string {
  return `<form method="post" action="${world.toolUrl}/lti/launch"><input name="id_token" value="${fields.id_token}"><input name="state" value="${fields.state}"></form><script>document.forms[0].submit()</script>`;
}

// Each test opens several pages in several processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

describe("The browsers of these tests", () => {
  const setThenRead = (attributes: string) =>
    `(document.cookie = "proof=1; Path=/; Secure; SameSite=None${attributes}", document.cookie.includes("proof=1"))`;

  for (const [cookies, plain, partitioned] of [
    ["all", true, true],
    ["partitioned", false, true],
    ["none", false, false],
  ] as const) {
    test(
      `keep ${cookies} cookies in the LMS's frame (plain: ${plain}, partitioned: ${partitioned})`,
      keeping(cookies),
      async () => {
        const page = await tabOf(moodle, cookies);
        await page.route(`${moodle.lms.url}/proof`, (route) =>
          route.fulfill({
            contentType: "text/html",
            body: `<iframe id="contentframe" src="${moodle.toolUrl}/proof"></iframe>`,
          }),
        );
        await page.route(`${moodle.toolUrl}/proof`, (route) =>
          route.fulfill({ contentType: "text/html", body: "<p>proof</p>" }),
        );
        await page.goto(`${moodle.lms.url}/proof`);
        const frame = await toolFrame(page);
        await frame.waitForURL(`${moodle.toolUrl}/**`);
        expect(await frame.evaluate(setThenRead(""))).toBe(plain);
        expect(await frame.evaluate(setThenRead("; Partitioned"))).toBe(partitioned);
        await page.goto(`${moodle.toolUrl}/proof`);
        expect(await page.evaluate(setThenRead("")), "in a window of its own").toBe(true);
      },
    );
  }
});

describe("If the browser keeps the cookie", () => {
  for (const [product, cookies] of firstInGate(2, [
    ["Moodle", "partitioned"],
    ["Canvas", "all"],
    ["Moodle", "all"],
    ["Canvas", "partitioned"],
  ] as const))
    test(
      `a link in ${product} opens embedded without a question (cookies: ${cookies})`,
      keeping(cookies),
      async () => {
        const world = product === "Moodle" ? moodle : canvas;
        const page = await tabOf(world, cookies);
        const launches = watchLaunches(page);
        const frame = await openEmbedded(world, page);
        await expectPage(frame, enterPage);
        expect(launches).toEqual([[expect.stringMatching(/^__Secure-lti_[\w-]{16}=/)]]);
      },
    );

  test(
    "the button opens nothing on its own after another page, even if frames have no storage",
    keeping("partitioned"),
    async () => {
      const page = await tabOf(moodle, "partitioned", "teacher1");
      const frame = await openEmbedded(moodle, page);
      const enter = frame.getByRole("button", { name: "Enter classroom" });
      const [space] = await Promise.all([page.context().waitForEvent("page"), enter.click()]);
      await space.waitForURL(`${moodle.classroom.appUrl}/**`);
      await frame.getByRole("link", { name: "Sessions", exact: true }).click();
      await frame.waitForURL(/\/sessions$/);
      await frame.getByRole("link", { name: "Home", exact: true }).click();
      await frame.getByRole("button", { name: "Open again" }).waitFor();
    },
  );

  test("everything works in its own window without a page of ours in between", keeping("none"), async () => {
    const page = await tabOf(moodle, "none");
    const pages: string[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/lti/login")) pages.push(String(response.status()));
    });
    await page.goto(`${moodle.lms.url}/link/${link}?container=existing`);
    await page.waitForURL(`${moodle.classroom.appUrl}/**`);
    expect(pages).toEqual(["302"]);
  });
});

describe("If the browser keeps no cookie, and the LMS stores values for us", keeping("none"), () => {
  test("the link opens embedded without any cookie, and leaves nothing in the LMS", async () => {
    const page = await tabOf(canvas, "none");
    const launches = watchLaunches(page);
    const frame = await openEmbedded(canvas, page);
    await expectPage(frame, enterPage);
    expect(launches, "the LMS's post and ours").toEqual([[], []]);
    await vi.waitFor(async () => {
      expect(await keptBy(canvas, page)).toEqual(["lti_kept"]);
    }, 30_000);
  });

  test("two tabs at the same time both get in", async () => {
    const [one, two] = [
      await tabOf(canvas, "none", "student1", true),
      await tabOf(canvas, "none", "student1", true),
    ];
    const frames = await Promise.all([openEmbedded(canvas, one), openEmbedded(canvas, two)]);
    await Promise.all(frames.map((frame) => expectPage(frame, enterPage)));
  });

  test("values of earlier launches are removed before there are too many", async () => {
    const page = await tabOf(canvas, "none");
    await page.goto(`${canvas.lms.url}/post_message_forwarding`);
    const old = Array.from({ length: 10 }, (_, index) =>
      ["a", "b"].map((one) => `${one.repeat(42)}${index}`),
    );
    const list = JSON.stringify(old.map((names) => [Date.now() - 3_600_000, ...names]));
    const kept = old.flatMap(([state = "", nonce = ""]) => [
      [`lti_state_${state}`, state],
      [`lti_nonce_${nonce}`, nonce],
      [`lti_browser_${state}`, "c".repeat(32)],
    ]);
    for (const [name = "", value = ""] of [...kept, ["lti_kept", list]]) {
      await page.evaluate(
        `localStorage.setItem(${JSON.stringify(`lti ${canvas.toolUrl} ${name}`)}, ${JSON.stringify(value)})`,
      );
    }
    await expectPage(await openEmbedded(canvas, page), enterPage);
    await vi.waitFor(async () => {
      expect(await keptBy(canvas, page)).toEqual(["lti_kept"]);
    }, 30_000);
  });

  test("an LMS whose login said nothing may report its capabilities, and name a frame", async () => {
    const page = await tabOf(moodle, "none");
    await page.route(`${moodle.lms.url}/values`, (route) =>
      route.fulfill({ contentType: "text/html", body: answering(wellBehaved) }),
    );
    await replaceActivity(
      moodle,
      page,
      `if (asked.subject === "lti.capabilities") reply({ supported_messages: [
         { subject: "lti.put_data", frame: "values" }, { subject: "lti.get_data", frame: "values" }] });`,
      `<iframe name="values" src="/values" title="Values" hidden></iframe>`,
    );
    await expectPage(await openEmbedded(moodle, page), enterPage);
  });
});

describe("If the browser keeps no cookie, and the LMS stores nothing", keeping("none"), () => {
  test("a learner opens a new window from the frame and is in the Space, and the frame says so", async () => {
    const page = await tabOf(moodle, "none");
    const frame = await openEmbedded(moodle, page);
    await expectPage(frame, windowPage);
    const tab = await goOnInNewWindow(moodle, page, frame);
    expect(await tab.evaluate("window.opener")).toBeNull();
    expect(await frame.getByRole("status").innerText()).toMatch(/is open in a new window/);
  });

  test("an instructor who adds content chooses in that window, and the LMS's dialog gets the choice", async () => {
    const page = await tabOf(moodle, "none", "teacher1");
    const [tool] = moodle.lms.tools();
    const links = () => moodle.lms.world.courses.get("2")?.links.length ?? 0;
    const before = links();
    await page.goto(`${moodle.lms.url}/course/2/select-content/${tool?.id ?? ""}`);
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    if (frame === null) throw new Error("the LMS page has no frame");
    await expectPage(frame, windowPage);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      frame.getByRole("button", windowButton).click(),
    ]);
    await frame.getByRole("button", { name: "Continue here" }).waitFor();
    await tab.getByRole("button", { name: "Add to the course" }).click();
    await expectPage(tab, "Your choice is on its way");
    expect(await axeFindings(tab)).toEqual([]);
    await page.waitForURL(`${moodle.lms.url}/course/2`);
    expect(links()).toBe(before + 1);
  });

  test("an LMS that does not accept our origin leads to the new window", async () => {
    const page = await tabOf(canvas, "none");
    await replaceStorage(page, `reply({ error: { code: "wrong_origin", message: "no" } });`);
    await expectPage(await openEmbedded(canvas, page), windowPage);
  });
});

describe("When the launch comes back and the browser cannot be recognized", keeping("none"), () => {
  test("the person sees what to do when the LMS returns the values of another launch", async () => {
    const page = await tabOf(canvas, "none");
    await replaceStorage(page, onlyPuts(`reply({ key: asked.key, value: "f".repeat(50) });`));
    const frame = await openEmbedded(canvas, page);
    await expectPage(frame, lostPage);
    const text = await frame.getByRole("alert").innerText();
    expect(text).toMatch(/open the link in a new window/i);
    expect(await frame.locator("main").innerText()).toContain("Code: browser-unknown");
    expect(await frame.getByRole("link", { name: "Back to the course" }).count()).toBe(1);
  });
});

describe("An attacker who wants into another person's browser", () => {
  /** A genuine token of the attacker, not yet used. */
  async function tokenOf(person: string): Promise<{ id_token: string; state: string }> {
    const visitor = createVisitor();
    visitor.addCookie(canvas.lms.url, canvas.lms.cookieFor(person));
    const start = await visitor.open(`${canvas.lms.url}${canvas.lms.launchPath(link, "embed")}`);
    const { location } = await visitor.submit(start);
    const { text } = await visitor.open(location ?? "");
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? "";
    return { id_token: field("id_token"), state: field("state") };
  }

  test(
    "and posts their own token there, from a page that answers every question, is refused",
    keeping("none"),
    async () => {
      expects(/Failed to execute 'postMessage'/);
      const token = await tokenOf("student2");
      const page = await tabOf(canvas, "none");
      await page.route(`${evil}/**`, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: route.request().url().endsWith("/post")
            ? tokenForm(canvas, token)
            : `${answering(`reply({ key: asked.key, value: "A".repeat(32), supported_messages: [{ subject: "lti.put_data" }, { subject: "lti.get_data" }] });`)}<iframe id="contentframe" title="Tool" src="/post"></iframe>`,
        }),
      );
      await page.goto(`${evil}/`);
      const frame = await toolFrame(page);
      await expectPage(frame, lostPage);
      expect(await page.evaluate("heard.length"), "nothing is asked of a foreign origin").toBe(0);

      await page.goto(`${evil}/post`);
      await expectPage(page, lostPage);
    },
  );

  test("and frames a login of ours gets no value from it", keeping("none"), async () => {
    expects(/Failed to execute 'postMessage'/);
    for (const world of [canvas, moodle]) {
      const page = await tabOf(world, "none");
      const login = new URL(`${world.toolUrl}/lti/login`);
      const { clientId } = world.lms.tools()[0] ?? { clientId: "" };
      const fields = {
        iss: world.lms.url,
        client_id: clientId,
        login_hint: "1",
        target_link_uri: world.toolUrl,
      };
      login.search = new URLSearchParams({
        ...fields,
        ...(world === canvas ? { lti_storage_target: "_parent" } : {}),
      }).toString();
      const body = `${answering(`reply({ key: asked.key, value: asked.value, supported_messages: [{ subject: "lti.put_data" }, { subject: "lti.get_data" }] });`)}<iframe id="contentframe" title="Tool" src="${login.href.replaceAll("&", "&amp;")}"></iframe>`;
      await page.route(`${evil}/`, (route) => route.fulfill({ contentType: "text/html", body }));
      await page.goto(`${evil}/`);
      await expectPage(await toolFrame(page), windowPage);
      const heard = JSON.stringify(await page.evaluate("heard"));
      expect(heard).not.toMatch(/lti_state|lti_nonce|lti_browser|put_data/);
      expect(heard.includes("lti.capabilities")).toBe(world === moodle);
    }
  });
});

describe("Without scripts", () => {
  test("the page offers both ways, and each works", async () => {
    const browser = await startBrowser({ scripts: false });
    try {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      context.setDefaultTimeout(30_000);
      await logInAt(context, canvas, "student3");
      const page = await context.newPage();
      const start = `${canvas.lms.url}/link/${link}?container=existing`;
      const onward = { name: "Continue", exact: true };

      await page.goto(start);
      await page.getByRole("button", onward).click();
      await page.getByRole("link", { name: "Continue here" }).click();
      await page.getByRole("button", onward).click();
      await page.waitForURL(`${canvas.classroom.appUrl}/**`);

      await page.goto(start);
      await page.getByRole("button", onward).click();
      const [tab] = await Promise.all([
        context.waitForEvent("page"),
        page.getByRole("button", windowButton).click(),
      ]);
      await tab.getByRole("button", onward).click();
      await tab.waitForURL(`${canvas.classroom.appUrl}/**`);
    } finally {
      await browser.close();
    }
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", keeping("none"), () => {
  /** Nothing sticks out at the side, axe finds nothing, and the page has the person's colours, with its details open. */
  async function expectWellMade(frame: Frame): Promise<void> {
    await frame.locator("summary").click();
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  }

  test("the page that offers a new window looks right", async () => {
    const page = await tabOf(moodle, "none");
    await replaceActivity(moodle, page, "");
    const frame = await openEmbedded(moodle, page);
    await expectPage(frame, windowPage);
    await expectWellMade(frame);
  });

  test("the page for a browser that cannot be recognized looks right", async () => {
    const page = await tabOf(canvas, "none");
    await replaceActivity(canvas, page, onlyPuts(`reply({ value: null });`));
    const frame = await openEmbedded(canvas, page);
    await expectPage(frame, lostPage);
    await expectWellMade(frame);
  });
});
