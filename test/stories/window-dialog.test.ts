import { describe, expect, test } from "vitest";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { answerOf, hiddenField, pick } from "../support/browser/dialog.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const course = "2";
const formType = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };

const world = await forAllTests(startWorld({ learners: 2 }));

/** The LMS's dialog, whose browser keeps no cookie of the tool in a frame: the page there offers a window. */
async function openFrame(person: string): Promise<{ visitor: Visitor; page: Seen }> {
  const visitor = createVisitor();
  visitor.addCookie(world.lms.url, world.lms.cookieFor(person));
  const [tool] = world.lms.tools();
  const start = await visitor.open(
    `${world.lms.url}/course/${course}/select-content/${tool?.id ?? ""}/launch`,
    { framed: true },
  );
  return { visitor, page: await visitor.submit(start, { framed: true }) };
}

/** The fields of the form with which the frame's page opens a window. */
function fieldsOfWindow(page: Seen): URLSearchParams {
  const form = /<form class="elsewhere"[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? "";
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
  return new URLSearchParams(
    fields.map(([, name = "", value = ""]): [string, string] => [
      name,
      value.replaceAll("&amp;", "&").replaceAll("&#34;", '"'),
    ]),
  );
}

/** The window that the form opens, up to the picker. */
async function openWindow(visitor: Visitor, page: Seen, site = "same-origin"): Promise<Seen> {
  const login = await fetch(`${world.toolUrl}/lti/login`, {
    method: "POST",
    body: fieldsOfWindow(page),
    redirect: "manual",
    headers: { ...formType, "sec-fetch-site": site, "sec-fetch-dest": "document" },
  });
  for (const cookie of login.headers.getSetCookie()) visitor.addCookie(world.toolUrl, cookie);
  const idToken = await visitor.open(login.headers.get("location") ?? "");
  return visitor.submit(idToken);
}

async function askFrom(page: Seen, path: string, key = hiddenField(page, "key")): Promise<Response> {
  return fetch(`${world.toolUrl}${path}`, {
    method: "POST",
    body: new URLSearchParams({ key }),
    headers: { ...formType, "sec-fetch-site": "same-origin" },
  });
}
const stateFor = async (page: Seen, key?: string): Promise<unknown> =>
  (await askFrom(page, "/choose/answer/state", key)).json();
const linksOf = () => (world.lms.world.courses.get(course)?.links ?? []).map(({ title }) => title);

describe("An instructor whose browser keeps no cookie in the LMS's dialog", () => {
  test("chooses in a separate window, and the dialog sends the choice to the LMS", async () => {
    const before = linksOf();
    const { visitor, page } = await openFrame("teacher1");
    expect(await stateFor(page)).toEqual({ state: "none" });
    const picker = await openWindow(visitor, page);
    expect(await stateFor(page)).toEqual({ state: "choosing" });

    const done = await pick(world, hiddenField(picker, "dialog"), { title: "Our room" });
    expect(done.text).toContain("Your choice is on its way");
    expect(linksOf()).toEqual(before);
    expect(await stateFor(page)).toEqual({ state: "ready" });

    const fetched = await askFrom(page, "/choose/answer");
    const answer = { status: fetched.status, url: world.toolUrl, location: null, text: await fetched.text() };
    expect((await answerOf(world, answer)).payload).toMatchObject({ iss: world.lms.tools()[0]?.clientId });
    expect((await visitor.submit(answer, { framed: true })).status).toBe(200);
    expect(linksOf()).toEqual([...before, "Our room"]);
  });

  test("is told that nothing is chosen yet if they continue by hand too early", async () => {
    const { visitor, page } = await openFrame("teacher1");
    await openWindow(visitor, page);
    const early = await askFrom(page, "/choose/answer");
    expect(early.status).toBe(404);
    const text = await early.text();
    expect(text).toContain("Nothing chosen yet");
    expect(hiddenField({ text }, "key")).toBe(hiddenField(page, "key"));
  });

  test("cancels in the window, and the dialog learns of it", async () => {
    const { visitor, page } = await openFrame("teacher1");
    const picker = await openWindow(visitor, page);
    await pick(world, hiddenField(picker, "dialog"), { act: "cancel" });
    const fetched = await askFrom(page, "/choose/answer");
    const { payload } = await answerOf(world, { text: await fetched.text() });
    expect(payload["https://purl.imsglobal.org/spec/lti-dl/claim/content_items"]).toEqual([]);
  });
});

describe("A choice made in another window", () => {
  test("is given to nobody with another key", async () => {
    const { visitor, page } = await openFrame("teacher1");
    const picker = await openWindow(visitor, page);
    await pick(world, hiddenField(picker, "dialog"), {});
    const digest = fieldsOfWindow(page).get("answer_to") ?? "";
    expect(digest).toMatch(/^[\w-]{16}$/);
    for (const key of [digest, "", "x".repeat(24)]) {
      expect(await stateFor(page, key)).toEqual({ state: "none" });
      expect((await askFrom(page, "/choose/answer", key)).status).toBe(404);
    }
  });

  test("is not stored when another site's page began the login", async () => {
    const { visitor, page } = await openFrame("teacher1");
    const picker = await openWindow(visitor, page, "cross-site");
    const done = await pick(world, hiddenField(picker, "dialog"), {});
    expect(done.text).toContain("Adding your choice to the course …");
    expect(await stateFor(page)).toEqual({ state: "none" });
  });
});
