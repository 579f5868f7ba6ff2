import { listen } from "../../../sandbox/listen.ts";
import { testAccounts } from "../../support/builders/test-accounts.ts";
import { createServer, type Server } from "node:http";
import express from "express";
import { Registry } from "prom-client";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Job } from "../../../src/modules/operations/rules/job.ts";
import { reportHealth } from "../../../src/modules/operations/health.ts";
import { createWebhookNotes } from "../../../src/inbox/webhook-arrivals.ts";
import { createBackground } from "../../../src/kernel/async.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores } from "../../../src/open-stores.ts";
import { healthRoutes } from "../../../src/modules/operations/pages/health-routes.ts";
import { eventOf } from "../../support/builders/event.ts";
import { folderForAll } from "../../support/folders.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const hour = 3_600_000;
const time = { now: Date.UTC(2026, 10, 21, 12) };
const clock = { now: () => time.now, sleep: () => Promise.resolve() };
const lines: string[] = [];
const logger = createLogger("info", { write: (line) => lines.push(line) });

const database = await forAllTests(openDatabase({ url: `file:${await folderForAll()}`, logger }));
const stores = await openStores(database.connection);

/** What a healthy report is made from, on the test's stores. */
type HealthStores = Parameters<typeof reportHealth>[0];

function deps(change: Partial<HealthStores> = {}): HealthStores {
  return {
    ...stores,
    jobs: { list: () => Promise.resolve([]) },
    ping: database.ping,
    storeTime: { lead: () => ({ ms: 0, doubtMs: 0 }) },
    unsentAlarmAfter: hour,
    silenceAlarmAfter: 6 * hour,
    accounts: testAccounts("production"),
    clock,
    logger,
    ...change,
  };
}

/** An ended session of a course, as the round that plans readings leaves it. */
async function ended(eventId: string, endsAt: number): Promise<void> {
  const event = await stores.events.save(
    eventOf({
      eventId,
      spaceId: "spc",
      title: null,
      startsAt: endsAt - hour,
      endsAt,
      courseId: "crs",
      readAt: endsAt,
    }),
  );
  await stores.events.markReadingPlanned(event);
}

let server: Server | undefined;
afterEach(() => {
  server?.close();
});
/** Asks the routes as a balancer and a monitor do. */
async function ask(
  change: Partial<HealthStores>,
  stopping = false,
): Promise<Record<string, [number, unknown]>> {
  const app = express();
  const report = reportHealth(deps(change));
  app.use(
    healthRoutes({ report, metrics: new Registry(), metricsToken: undefined, stopping: () => stopping }),
  );
  const started = createServer(app);
  server = started;
  const port = await listen(started);
  const answers: Record<string, [number, unknown]> = {};
  for (const path of ["healthz", "readyz"]) {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
    answers[path] = [answer.status, await answer.json()];
  }
  return answers;
}

/** Says not only what is wrong, but also what to do. */
const sentences: unknown = expect.stringMatching(/\. .*\w\.$/s);
const warnings = (what: string, about: { account?: string } = {}) => [
  200,
  { ready: true, problems: [], warnings: [{ what, message: sentences, ...about }] },
];

const allWell = [200, { ready: true, problems: [], warnings: [] }];

describe("an operator sees", () => {
  test("nothing while all is well", async () => {
    expect(await ask({})).toEqual({ healthz: [200, { alive: true }], readyz: allWell });
  });

  test("that the database is down while the process itself is alive", async () => {
    const away = () => Promise.reject(new Error("connection refused"));
    const { healthz, readyz } = await ask({ ping: away });
    expect(healthz?.[0]).toBe(200);
    expect(readyz?.[0]).toBe(503);
    expect(JSON.stringify(readyz?.[1])).toMatch(/"what":"store".*Check DATABASE_URL.*connection refused/);
  });

  test("that work waits too long, by a warning that takes no process out of service", async () => {
    const oldestWaiting = () => Promise.resolve(time.now - 2 * hour);
    const { readyz } = await ask({
      receipts: { ...stores.receipts, oldestWaiting },
      deliveries: { ...stores.deliveries, oldestWaiting },
    });
    expect(readyz?.[0]).toBe(200);
    expect(readyz?.[1]).toMatchObject({ ready: true, warnings: [{ what: "receipts" }, { what: "scores" }] });
  });

  test("within two seconds that the database is back, however long it was down", async () => {
    let away = true;
    const silent = () => {
      time.now += away ? 3_000 : 1;
      return away ? Promise.reject(new Error("no answer within 3000 ms")) : Promise.resolve();
    };
    const report = reportHealth(deps({ ping: silent }));
    expect((await report()).ready).toBe(false);
    away = false;
    time.now += 2_000;
    expect((await report()).ready).toBe(true);
    // A store that took three seconds to answer is not trusted for a minute either.
    away = true;
    time.now += 2_000;
    expect((await report()).ready).toBe(false);
  });

  test("that the disk is full, as soon as it has refused something, until it accepts writes again", async () => {
    const client: unknown = database.connection.getClient();
    if (!(client instanceof EmbeddedClient)) throw new Error("not the embedded engine");
    const { db } = client.engine.file;
    const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
    const fill = (bytes: number) =>
      database.connection.collection<{ _id: string }>("fill").insertOne({ _id: "x".repeat(bytes) });
    await fill(1);
    db.exec(`PRAGMA max_page_count=${String(pages + 20)}`);
    await database.ping();
    await expect(fill(500_000)).rejects.toMatchObject({ code: "storage-full" });
    const { readyz } = await ask({});
    expect(readyz?.[0]).toBe(503);
    expect(JSON.stringify(readyz?.[1])).toContain("is full");
    // A write of a few bytes still fits, and proves nothing.
    await fill(2);
    await expect(database.ping()).rejects.toMatchObject({ code: "storage-full" });
    db.exec("PRAGMA max_page_count=1000000");
    expect((await ask({}))["readyz"]?.[0]).toBe(200);
    await fill(500_000);
  });

  test("that the file cannot be written, even if nothing else has tried", async () => {
    const client: unknown = database.connection.getClient();
    if (!(client instanceof EmbeddedClient)) throw new Error("not the embedded engine");
    const { db } = client.engine.file;
    // The last commit counts as proof for a moment.
    await vi.waitFor(
      async () => {
        db.exec("PRAGMA query_only=1");
        await expect(database.ping()).rejects.toMatchObject({ code: "storage-failed" });
      },
      { timeout: 10_000, interval: 200 },
    );
    db.exec("PRAGMA query_only=0");
    await database.ping();
  });

  test("that a process is stopping, which takes it out of the balancer", async () => {
    const { healthz, readyz } = await ask({}, true);
    expect(healthz).toEqual([503, { alive: false }]);
    expect(readyz?.[0]).toBe(503);
  });

  test.each([
    { ms: 3_001, doubtMs: 0, said: "3.0 s ahead of the database’s. Set" },
    { ms: -15_000, doubtMs: 20, said: "15.0 s behind the database’s. Set" },
    { ms: 0, doubtMs: 3_500, said: "0.0 ± 3.5 s behind the database’s. Set" },
  ])("that this machine's clock is $ms ms off, give or take $doubtMs", async ({ said, ...lead }) => {
    const { readyz } = await ask({ storeTime: { lead: () => lead } });
    expect(readyz).toMatchObject([503, { problems: [{ what: "clock", message: sentences }] }]);
    expect(JSON.stringify(readyz)).toContain(`This machine’s clock is ${said}`);
    const borne = { ms: 2_900, doubtMs: 100 };
    expect((await ask({ storeTime: { lead: () => borne } }))["readyz"]?.[0]).toBe(200);
  });

  test("which job is late, and which failed", async () => {
    const job = (change: Partial<Job>): Job => ({
      name: "purge",
      dueAt: time.now,
      runs: [],
      succeededAt: null,
      ...change,
    });
    const list = (...jobs: Job[]) => ({ jobs: { list: () => Promise.resolve(jobs) } });
    expect((await ask(list(job({ dueAt: time.now - 60_000 }))))["readyz"]?.[1]).toMatchObject({
      warnings: [],
    });
    expect((await ask(list(job({ dueAt: time.now - hour }))))["readyz"]).toEqual(warnings("jobs"));
  });

  test("that sessions end and no webhook comes, until one comes", async () => {
    for (const [n, ago] of [20, 15, 10].entries()) await ended(`evt${n}`, time.now - ago * hour);
    const report = reportHealth(deps());
    lines.length = 0;
    const { readyz } = await ask({});
    expect(readyz).toEqual(warnings("webhooks", { account: "production" }));
    expect((await report()).warnings).toHaveLength(1);
    time.now += 20_000;
    expect((await report()).warnings).toHaveLength(1);

    const background = createBackground(logger);
    const note = createWebhookNotes({ ...stores, background, clock });
    for (let n = 0; n < 50; n += 1) note("production", "current");
    await background.settle();
    expect(await stores.webhookArrivals.lastAt("production")).toBe(time.now);
    time.now += 20_000;
    expect((await report()).warnings).toEqual([]);
    // Two reports looked: each logged once that it began, and the one that kept looking logged the end.
    const said = (text: string) => lines.filter((line) => line.includes(text)).length;
    expect([said("something needs an operator"), said("is over")]).toEqual([2, 1]);
  });

  test("everything else when looking for warnings fails", async () => {
    const broken = { list: () => Promise.reject(new Error("broken")) };
    expect((await ask({ jobs: broken }))["readyz"]).toEqual(allWell);
  });
});

test("a hundred requests at the same time cost one check", async () => {
  const ping = vi.fn(() => Promise.resolve());
  const report = reportHealth(deps({ ping }));
  await Promise.all(Array.from({ length: 100 }, () => report()));
  expect(ping).toHaveBeenCalledTimes(1);
});
