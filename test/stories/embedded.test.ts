import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { JoinSettings } from "../../src/settings/options.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const button = 'action="/enter"';
const spacePage = '<main id="space"';
const learner = claimsOf({ sub: "ana", name: "Ana Example", roles: [learnerRole] });

const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  await world.launch({ claims: learner, framed: false });
});

/** From now on the course shows its Space this way; a link of it may differ. */
async function show(mode: JoinSettings["mode"]): Promise<void> {
  const { id, settings, settingsRevision, door, spaceAccess } = await world.courseOf("2");
  const to = { settings: { ...settings, mode }, door, spaceAccess };
  expect(await world.stores.courses.changeSettings(id, settingsRevision, to)).toBe(true);
}

type Enter = {
  shown?: string;
  inFrame: boolean;
  session: string;
  /** What the request, or the page's script, says about the device. */
  says?: Record<string, string>;
  device?: string;
};

/** Presses the button, and waits if necessary. */
async function enter({ shown, inFrame, session, says = {}, device = "" }: Enter) {
  const headers = { "Sec-Fetch-Dest": inFrame ? "iframe" : "document", ...says };
  const body = new URLSearchParams({ session, device, ...(shown === undefined ? {} : { shown }) });
  let answer = await fetch(`${world.toolUrl}/enter`, { method: "POST", redirect: "manual", headers, body });
  const ticket = /name="ticket" value="([^"]+)"/.exec(await answer.clone().text())?.[1];
  if (ticket !== undefined) {
    answer = await vi.waitFor(
      async () => {
        const form = { method: "POST", body: new URLSearchParams({ ticket }) };
        const looked = await fetch(`${world.toolUrl}/waiting`, { redirect: "manual", headers, ...form });
        expect(looked.status === 303 || (await looked.clone().text()).includes(spacePage)).toBe(true);
        return looked;
      },
      { timeout: 15_000, interval: 200 },
    );
  }
  const text = await answer.text();
  const policy = answer.headers.get("content-security-policy") ?? "";
  const location = answer.headers.get("location") ?? "";
  if (location.startsWith(`${world.classroom.appUrl}/spaces/`)) return { outcome: "tab", policy, text };
  const outcome = text.includes(spacePage)
    ? "embedded"
    : text.includes(button)
      ? "button"
      : text.slice(0, 900);
  return { outcome, policy, text };
}

const sessionOf = async () => hiddenField(await world.launch({ claims: learner }), "session");

describe("The way somebody is let in", () => {
  test.each<["tab" | "embedded", string | undefined, boolean, string]>([
    ["embedded", "embedded", true, "embedded"],
    ["embedded", "embedded", false, "embedded"],
    ["embedded", "tab", false, "tab"],
    // The Space itself is never sent into the LMS's frame, where it would get no camera.
    ["embedded", "tab", true, "embedded"],
    ["embedded", undefined, true, "embedded"],
    ["embedded", undefined, false, "tab"],
    ["embedded", "<odd>", false, "tab"],
    ["tab", "embedded", false, "tab"],
    ["tab", "embedded", true, "button"],
    ["tab", "tab", false, "tab"],
    ["tab", undefined, false, "tab"],
  ])("in a course set to %s, asked for %s, in a frame: %s -> %s", async (mode, shown, inFrame, outcome) => {
    await show(mode);
    const session = await sessionOf();
    const answer = await enter({ ...(shown === undefined ? {} : { shown }), inFrame, session });
    expect(answer.outcome).toBe(outcome);
    expect(/frame-src/.test(answer.policy)).toBe(outcome === "embedded");
  });

  test("at a top-level launch into a course that embeds is our page with the Space in it", async () => {
    await show("embedded");
    const answer = await world.launch({ claims: learner, framed: false });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(spacePage);
  });

  const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
  test.each([
    ["a phone by its user agent", { says: { "User-Agent": iPhone } }],
    ["a phone by its hint", { says: { "Sec-CH-UA-Mobile": "?1" } }],
    ["a tablet that the page's script detected", { device: "tablet" }],
  ])("%s gets a tab, and inside the LMS the button for one", async (_name, device) => {
    await show("embedded");
    const session = await sessionOf();
    const outcomes = [];
    for (const inFrame of [false, true]) {
      const { outcome, text } = await enter({ shown: "embedded", inFrame, session, ...device });
      outcomes.push(outcome);
      expect(text, "the page asks for nothing else").not.toContain("data-embeds");
    }
    expect(outcomes).toEqual(["tab", "button"]);
  });
});

describe("The page around the Space of an instructor who had to wait", () => {
  const teacher = claimsOf({ sub: "tea", name: "Tea Example" });
  const coursePages = ["grades/sync", "link", "copied", "people", "people/names", "settings", "feedback"];

  async function posts(path: string, session: string) {
    const body = new URLSearchParams({ session, shown: "embedded" });
    const answer = await fetch(`${world.toolUrl}${path}`, { method: "POST", redirect: "manual", body });
    return { status: answer.status, text: await answer.text() };
  }

  test("lets them in again and out, but its ticket gives no rights in the course", async () => {
    await show("embedded");
    world.classroom.addFault({ operation: "authorize", kind: "429", retryAfterSeconds: 4 });
    const whole = hiddenField(await world.launch({ claims: teacher }), "session");
    const body = new URLSearchParams({ session: whole, shown: "embedded" });
    const sent = await fetch(`${world.toolUrl}/enter`, { method: "POST", redirect: "manual", body });
    const ticket = hiddenField({ text: await sent.text() }, "ticket");
    const text = await vi.waitFor(
      async () => {
        const form = { method: "POST", body: new URLSearchParams({ ticket }) };
        const looked = await (await fetch(`${world.toolUrl}/waiting`, form)).text();
        expect(looked).toContain(spacePage);
        return looked;
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(text).not.toMatch(/\/home"/);
    let session = hiddenField({ text }, "session");
    for (const round of ["first", "again"]) {
      for (const page of coursePages) {
        const answer = await posts(`/course/${page}`, session);
        expect([round, page, answer.status]).toEqual([round, page, 401]);
        expect(answer.text).toContain("This page has expired.");
      }
      const closed = await posts("/door", session);
      expect([closed.status, closed.text.includes("/course/")]).toEqual([200, false]);
      const ended = await posts("/ended", session);
      expect(ended.text).toContain('action="/enter"');
      for (const page of [closed, ended]) {
        expect((await posts("/course/people", hiddenField(page, "session"))).status).toBe(401);
      }
      const again = await enter({ shown: "embedded", inFrame: true, session });
      expect(again.outcome).toBe("embedded");
      session = hiddenField(again, "session");
    }
    expect((await posts("/course/people", whole)).status, "with the launch's own session").toBe(200);
    const tab = new URLSearchParams({ session, shown: "tab" });
    const inTab = await vi.waitFor(
      async () => {
        const answer = await fetch(`${world.toolUrl}/enter`, {
          method: "POST",
          redirect: "manual",
          body: tab,
        });
        expect(answer.headers.get("location")).toContain(world.classroom.appUrl);
        return new URL(answer.headers.get("location") ?? "");
      },
      { timeout: 15_000, interval: 500 },
    );
    const token = inTab.searchParams.get("token");
    const login = world.classroom.authorizations().find((one) => one.token === token);
    expect(login?.parameters, "as host").toMatchObject({ startCall: "true" });
  });
});

describe("The page around the Space", () => {
  test("gives the classroom's origin the documented rights, and nobody else any", async () => {
    await show("embedded");
    const answer = await enter({ shown: "embedded", inFrame: true, session: await sessionOf() });
    expect(answer.outcome).toBe("embedded");
    const { text, policy } = answer;
    const allow = /allow="([^"]*)"/.exec(text)?.[1] ?? "";
    const { appUrl } = world.classroom;
    const features = ["camera", "microphone", "display-capture", "clipboard-read", "clipboard-write"];
    const more = ["picture-in-picture", "autoplay", "fullscreen", "compute-pressure", "local-network-access"];
    expect(allow.split("; ")).toEqual([...features, ...more].map((feature) => `${feature} ${appUrl}`));
    expect(policy.split(";").at(-1)).toBe(`frame-src 'self' ${appUrl}`);
    expect(text).toMatch(/<iframe title="[^"]+"/);
    const src = /<iframe[^>]* src="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(z.url().parse(src).startsWith(`${appUrl}/spaces/`)).toBe(true);
  });

  test("leaves its login URL out of every line that the tool prints", async () => {
    await enter({ shown: "embedded", inFrame: true, session: await sessionOf() });
    for (const { token } of world.classroom.authorizations()) expect(world.output()).not.toContain(token);
  });

  test("lets a failed attempt be repeated in the same place", async () => {
    await show("embedded");
    const session = await sessionOf();
    const { id, settings, settingsRevision, door, spaceAccess } = await world.courseOf("2");
    const changed = { ...settings, galleryView: true };
    await world.stores.courses.changeSettings(id, settingsRevision, { settings: changed, door, spaceAccess });
    world.classroom.addFault({ operation: "authorize", kind: "garbage", times: 3 });
    const { text } = await enter({ shown: "embedded", inFrame: false, session });
    world.classroom.clearFaults();
    expect(text).toContain('name="shown" value="embedded"');
  });

  test("loaded again by its address has no session and frames nothing", async () => {
    const answer = await fetch(`${world.toolUrl}/space`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).not.toContain("frame-src");
    expect(await answer.text()).toContain('name="session" value=""');
  });
});
