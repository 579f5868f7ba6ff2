import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { createVisitor, formOf, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { type MortalStore, outages } from "../support/tool/store-outage.ts";
import { wantedInstances } from "../support/tool/tool-cluster.ts";
import { isNightly } from "../support/nightly.ts";

const biology = "1";
/** Each worker may log once a minute that it fails. */
const workers = 14;

let store: MortalStore;
let world: DemoWorld;
let user: string;
let visitor: Visitor;
let home: Seen;

/** A page of the LMS whose form goes to the tool. */
type Sent = { learner: Visitor; page: Seen };

/** The first request that the LMS has a learner's browser send to the tool. */
async function login(): Promise<Sent> {
  const learner = createVisitor();
  learner.addCookie(world.lms.url, world.lms.cookieFor("student1"));
  const start = await learner.open(`${world.lms.url}${world.lms.launchPath(biology, "existing")}`);
  return { learner, page: start };
}

/** The request after the tool's answer to that, and the LMS's answer to the tool. */
async function launch(): Promise<Sent> {
  const { learner, page } = await login();
  const answered = await learner.submit(page);
  return { learner, page: await learner.open(answered.location ?? "") };
}

function send({ learner, page }: Sent, language = "en"): Promise<Response> {
  const form = formOf(page);
  return fetch(form.action, {
    method: "POST",
    redirect: "manual",
    headers: { accept: "text/html", "accept-language": language, cookie: learner.cookiesFor(form.action) },
    body: new URLSearchParams(form.fields),
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
    // Like a classroom; see `answerWithinMs`.
    signal: AbortSignal.timeout(20_000),
  });
}

// test/walls/storage/storage-away.test.ts also tests a silent server.
const kinds = Object.keys(outages).filter((kind) => isNightly || kind !== "silent");

describe.each(kinds)("A store that is %s", (kind) => {
  beforeAll(async () => {
    store = await (outages[kind] ?? (() => Promise.reject(new Error(kind))))();
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

  test("gives 503 with a time to come back, in the reader's language, and the tool survives", async () => {
    const printed = world.output().length;
    const said = () => world.output().slice(printed).split("\n");
    const failed = () => said().filter((line) => line.includes("a worker's step failed;"));
    const began = performance.now();
    const isReadable = kind === "locked by another process";
    const [first, second, begun] = [await launch(), await launch(), await login()];
    store.begin();
    const [german, english, started, page, hook, alive] = await Promise.all([
      send(first, "de"),
      send(second),
      send(begun),
      visitor.submit(home, { action: "/course/settings" }),
      webhook(),
      fetch(`${world.toolUrl}/healthz`),
    ]);
    const refused = [german, english, hook];
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
    // A locked file can still be read.
    expect([started.status, page.status]).toEqual(isReadable ? [302, 200] : [503, 503]);
    if (!isReadable) refused.push(started);
    for (const answer of refused) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(alive.status).toBe(200);
    expect(await german.text()).toContain("Ihre Daten sind nicht erreichbar");
    expect(await english.text()).toContain("We can’t reach your data");
    expect(await hook.json()).toMatchObject({ error: "not-stored" });
    // The outage lasts until the background work has met it, too.
    await vi.waitFor(() => {
      expect(failed()).not.toEqual([]);
    }, patience);
    const minutes = (performance.now() - began) / 60_000;
    expect(failed().length).toBeLessThanOrEqual(wantedInstances * workers * (1 + 2 * minutes));
    expect(said().filter((line) => line.includes("unexpected failure"))).toEqual([]);
    expect(world.tool().child.exitCode).toBeNull();
  });

  test("is used again automatically as soon as it is back, and nothing that was acknowledged is missing", async () => {
    store.end();
    await vi.waitFor(async () => {
      const hook = await webhook();
      const why = `${await hook.text()}\n${world.output().slice(-2_000)}`;
      expect(hook.status, why).toBe(202);
      // Each may reach another instance, which notices later.
      expect((await send(await launch())).status).toBe(303);
      expect((await visitor.submit(home, { action: "/course/settings" })).status).toBe(200);
    }, patience);
    holdSession(world, "BIO101", user, "LATE");
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, "2", "student1")).toBe(80);
    }, patience);
    expect((await fetch(`${world.toolUrl}/readyz`)).status).toBe(200);
  });
});
