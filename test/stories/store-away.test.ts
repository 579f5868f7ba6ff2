import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { createVisitor, type Seen, type Visitor } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { type MortalStore, openMortalStore } from "../support/tool/store-outage.ts";
import { wantedInstances } from "../support/tool/tool-cluster.ts";

const biology = "1";
/** An outage as long as the election of a new primary takes. */
const lasts = process.env["QUICK"] === "1" ? 0 : 12_000;
/** Each worker may say once a minute that it fails. */
const workers = 14;

let store: MortalStore;
let world: DemoWorld;
let user: string;
let visitor: Visitor;
let home: Seen;
beforeAll(async () => {
  store = await openMortalStore();
  world = await startWorld({ learners: 2, databaseUrl: store.databaseUrl });
  user = await walkIn(world, "student1", biology);
  visitor = createVisitor();
  home = await openCourseLink(visitor, world.lms, "teacher1", biology, { framed: true });
});
afterAll(async () => {
  store.end();
  await world.close();
  await store.discard();
});

/** A learner opens the course link; the tool's answer to the launch. The login before it needs no store. */
async function launch(language: string): Promise<Response> {
  const learner = createVisitor();
  learner.addCookie(world.lms.url, world.lms.cookieFor("student1"));
  const start = await learner.open(`${world.lms.url}${world.lms.launchPath(biology, "existing")}`);
  const login = await learner.submit(start);
  const { text } = await learner.open(login.location ?? "");
  const fields = [...text.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
  return fetch(`${world.toolUrl}/lti/launch`, {
    method: "POST",
    redirect: "manual",
    headers: {
      accept: "text/html",
      "accept-language": language,
      cookie: learner.cookiesFor(`${world.toolUrl}/lti/launch`),
    },
    body: new URLSearchParams(Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]))),
  });
}

let sent = 0;
function webhook(): Promise<Response> {
  sent += 1;
  return fetch(`${world.toolUrl}/webhooks/production`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.variables["CLASSROOM_WEBHOOK_SECRET"] ?? ""}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ _type: "NOBODY_KNOWS", eventType: "HAPPENED", number: sent }),
  });
}

const kinds =
  process.env["MONGODB_URL"] === undefined ? ["locked by another process"] : ["cut off", "silent"];

describe.each(kinds)("A store that is %s", (kind) => {
  test("is told of with 503 and a time to come back, in the reader's language, and the tool lives", async () => {
    const printed = world.output().length;
    store.outages.get(kind)?.();
    const [german, english, hook, alive] = await Promise.all([
      launch("de"),
      launch("en"),
      webhook(),
      fetch(`${world.toolUrl}/healthz`),
    ]);
    expect([german, english, hook, alive].map(({ status }) => status)).toEqual([503, 503, 503, 200]);
    for (const answer of [german, english, hook])
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await german.text()).toContain("Ihre Daten sind nicht erreichbar");
    expect(await english.text()).toContain("We can’t reach your data");
    expect(await hook.json()).toMatchObject({ error: "not-stored" });
    // A file that is locked can still be read.
    expect([200, 503]).toContain((await visitor.submit(home, { action: "/course/settings" })).status);
    await new Promise((resolve) => setTimeout(resolve, lasts));
    const failed = world
      .output()
      .slice(printed)
      .split("\n")
      .filter((line) => line.includes("a worker's step failed; it goes on"));
    expect(failed.length).toBeLessThanOrEqual(wantedInstances * workers * (1 + lasts / 30_000));
    expect(world.tool().child.exitCode).toBeNull();
  });

  test("is used again by itself as soon as it is back, and nothing that was acknowledged is missing", async () => {
    store.end();
    await vi.waitFor(async () => {
      expect((await webhook()).status).toBe(202);
    }, patience);
    expect((await launch("en")).status).toBe(303);
    expect((await visitor.submit(home, { action: "/course/settings" })).status).toBe(200);
    holdSession(world, "BIO101", user, "LATE");
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, "2", "student1")).toBe(80);
    }, patience);
    expect((await fetch(`${world.toolUrl}/readyz`)).status).toBe(200);
  });
});
