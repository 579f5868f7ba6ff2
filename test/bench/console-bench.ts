import { monitorEventLoopDelay } from "node:perf_hooks";
import { randomBytes } from "node:crypto";
import type { Stores } from "../../src/open-stores.ts";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import { freePort, startToolProcess } from "../../sandbox/tool-process.ts";
import { giveSpace } from "../support/builders/approve-space.ts";
import { testAccounts } from "../support/builders/test-accounts.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { countUsage } from "../../src/modules/usage/count-usage.ts";
import { type OpenedStores, openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { manyInstitutions } from "../support/builders/many-institutions.ts";
import { logIn, rightPassword } from "../support/tool/console-tool.ts";
import type { BenchRow } from "./bench-row.ts";

/** Milliseconds a page may take on the server. */
const limit = 500;
/** The first ones compile the templates and do not count. */
const warmUp = 3;
const times = 25;
const hourMs = 3_600_000;

/** Pages of the console that look at every institution, each with an LMS and an account, and the count of usage. A minute. */
export async function benchConsole(counts: readonly number[] = [20, 200]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const count of counts) rows.push(...(await benchCount(count)));
  return rows;
}

async function benchCount(count: number): Promise<BenchRow[]> {
  const opened = await openEmptyStores();
  const secretKey = randomBytes(48).toString("base64");
  await manyInstitutions(opened, { count, now: Date.now(), secretKey, scores: 50 });
  await sums(opened.stores, count);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tool = await startToolProcess({
    PUBLIC_URL: url,
    PORT: String(port),
    SECRET_KEY: secretKey,
    DATABASE_URL: opened.databaseUrl,
    CLASSROOM_BASE_URL: "http://127.0.0.1:9",
    CLASSROOM_APP_URL: "http://127.0.0.1:9",
    CLASSROOM_API_KEY: "an-api-key-nobody-uses",
    CLASSROOM_WEBHOOK_SECRET: "a-webhook-secret-nobody-uses",
    ADMIN_PASSWORD: rightPassword,
    ALLOW_PRIVATE_PLATFORMS: "1",
    LOG_LEVEL: "error",
  });
  try {
    const { cookie } = await logIn(url);
    const rows: BenchRow[] = [];
    for (const [name, path] of pages)
      rows.push(await measured(`${name}; ${count} LMSs and accounts`, url + path, cookie));
    rows.push(await countedWeek(opened, count));
    return rows;
  } finally {
    await tool.end("SIGTERM");
    await opened.close();
  }
}

/** A year of every LMS. */
async function sums({ usage }: Stores, count: number): Promise<void> {
  const week = weekOf(Date.now());
  for (let n = 0; n < count * 52; n += 1)
    await usage.setWeek({
      ...{ registrationId: `reg_${n % count}`, account: `school-${n % count}` },
      week: week - Math.floor(n / count) * 7 * 24 * 3_600_000,
      ...{
        courses: 5,
        sessions: 20,
        people: 200,
        minutes: 9_000,
        grades: 150,
        failedLaunches: 1,
        refusedScores: 0,
      },
    });
}

/** A week of each LMS: ten sessions of thirty people, who were in the Space for an hour. */
async function countedWeek({ stores, connection }: OpenedStores, count: number): Promise<BenchRow> {
  const monday = weekOf(Date.now()) - 7 * 24 * hourMs;
  const insert = async (model: string, rows: readonly Record<string, unknown>[]) => {
    await connection.model(model).collection.insertMany([...rows]);
  };
  for (let n = 0; n < count; n += 1) {
    const place = { registrationId: `reg_${n}`, courseId: `crs_${n}` };
    const space = { environment: `school-${n}`, spaceId: `space-${n}` };
    await giveSpace(stores, { id: place.courseId, ...place, environment: space.environment }, space.spaceId);
    for (let session = 0; session < 10; session += 1) {
      const startsAt = monday + (session % 5) * 24 * hourMs + (9 + session) * hourMs;
      const eventId = `event-${n}-${session}`;
      const told = { title: "Lesson", cancelled: false, planned: true, readingPlanned: true, readAt: 0 };
      const event = {
        ...space,
        ...told,
        eventId,
        courseId: place.courseId,
        startsAt,
        endsAt: startsAt + hourMs,
      };
      await insert("ClassroomEvent", [{ _id: `${space.environment}:${eventId}`, ...event }]);
      const people = Array.from({ length: 30 }, (_none, at) => `${n}-${at}`);
      const seen = { status: "PRESENT", notes: null, at: startsAt, updatedBy: null };
      await insert(
        "Attendance",
        people.map((id) => ({
          ...{ _id: `${eventId} ${id}`, ...place, eventId, personId: `per_${id}`, history: [seen] },
          ...{ corrections: [], revision: 1 },
        })),
      );
      const sign = { tab: "tab", room: "" };
      const signs = [
        { at: startsAt, kind: "join", ...sign },
        { at: startsAt + hourMs, kind: "leave", ...sign },
      ];
      await insert(
        "Presence",
        people.map((id) => ({
          ...{ _id: `presence ${eventId} ${id}`, ...space, sessionId: eventId, userId: `user-${id}`, signs },
          ...{ firstAt: startsAt, lastAt: startsAt + hourMs, open: false, endedAt: null, revision: 1 },
        })),
      );
    }
  }
  const accounts = testAccounts(...Array.from({ length: count }, (_none, n) => `school-${n}`));
  const stalls = monitorEventLoopDelay({ resolution: 10 });
  stalls.enable();
  const began = performance.now();
  await countUsage({ ...stores, accounts, clock: systemClock });
  const seconds = (performance.now() - began) / 1000;
  stalls.disable();
  return {
    measure: `a night's count of usage; ${count * 300} people in sessions of a week`,
    value: `${seconds.toFixed(1)} s, longest stall ${(stalls.max / 1e6).toFixed(0)} ms`,
    limit: "600 s",
    ratio: `${((seconds / 600) * 100).toFixed(1)}%`,
  };
}

const pages: readonly [string, string][] = [
  ["console: overview", "/admin"],
  ["console: registrations", "/admin/registrations"],
  ["console: accounts", "/admin/accounts"],
  ["console: usage of all, 52 weeks", "/admin/usage?weeks=52"],
  ["console: usage of one LMS, 52 weeks", "/admin/usage?weeks=52&lms=reg_3"],
];

async function measured(measure: string, url: string, cookie: string): Promise<BenchRow> {
  const took: number[] = [];
  let bytes = 0;
  for (let n = 0; n < warmUp + times; n += 1) {
    const began = performance.now();
    const response = await fetch(url, { headers: { cookie, accept: "text/html" } });
    bytes = (await response.arrayBuffer()).byteLength;
    if (response.status !== 200) throw new Error(`${measure} answered ${response.status}`);
    if (n >= warmUp) took.push(performance.now() - began);
  }
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return {
    measure,
    value: `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, ${Math.round(bytes / 1024)} kB`,
    limit: `${limit} ms`,
    ratio: `${((at(0.5) / limit) * 100).toFixed(0)}%`,
  };
}

if (import.meta.main) {
  const counts = process.argv.slice(2).map(Number);
  console.table(await benchConsole(counts.length === 0 ? undefined : counts));
}
