import { randomBytes } from "node:crypto";
import { freePort, startToolProcess } from "../../sandbox/tool-process.ts";
import { sessionsOf } from "../support/tool/sessions-of.ts";
import { type GradingCourse, openGradingCourse } from "../support/builders/grading-course.ts";
import { eventId, personIdOf, seedGrading } from "../support/builders/seed-grading.ts";
import type { BenchRow } from "./bench-row.ts";

/** Milliseconds a page may take on the server. */
const limit = 100;
/** How often each page is asked for; the first ones compile the templates and do not count. */
const warmUp = 3;
const times = 25;
const instructor = "per_ina";

/** A course with so many learners, sessions, and learners on a page of its table. */
type Size = { learners: number; sessions: number };

/** Pages of a course as an instructor opens them: path and fields. */
const pages: readonly [string, string, Record<string, string>][] = [
  ["table, 300 learners x 30 sessions", "/course/grid", { size: "300" }],
  ["table, 50 learners x 30 sessions", "/course/grid", {}],
  ["table, learners below 80 %", "/course/grid", { only: "low", order: "rate" }],
  ["one cell of the table", "/course/grid/cell", { person: personIdOf(7), event: eventId(7) }],
  ["register of a session", "/course/register", { event: eventId(7) }],
  ["registers to choose from", "/course/register", {}],
  ["one learner", "/course/learner", { person: personIdOf(7) }],
  ["grades", "/course/grades", {}],
  ["sessions", "/course/sessions", {}],
  ["people", "/course/people", {}],
];

/**
 * Pages as a browser gets them from a tool that runs as operators run it, beside an engine with one course: its usual
 * size, and one with 10,000 learners and 60 sessions. What a page may take is said for the first; the second shows how
 * it grows. About two minutes, most of it to write 600,000 records and to deliver their scores.
 */
export async function benchPages(
  sizes: readonly Size[] = [
    { learners: 300, sessions: 30 },
    { learners: 1_000, sessions: 60 },
    { learners: 10_000, sessions: 60 },
  ],
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of sizes) rows.push(...(await benchSize(size)));
  return rows;
}

async function benchSize(size: Size): Promise<BenchRow[]> {
  const course = await openGradingCourse();
  try {
    await seedGrading(course, size);
    await teaches(course);
    await course.setPolicy((await course.course()).policy);
    await course.regrade();
    await settled(course, size);
    return await asked(course, size);
  } finally {
    await course.close();
  }
}

/**
 * As a course is on most days: the gradebook has every score and every session's attendance was read, so that pages do not
 * compete with work that waits. One learner in eight attended badly.
 */
async function settled({ connection, deliver, stores, key }: GradingCourse, size: Size): Promise<void> {
  await deliver();
  await connection.model("ClassroomEvent").updateMany({}, { $set: { readingPlanned: true } });
  const weak = Array.from({ length: Math.ceil(size.learners / 8) }, (_none, n) => personIdOf(n * 8));
  for (let from = 0; from < weak.length; from += 100) {
    const summaries = await stores.attendanceSummaries.findMany(key, weak.slice(from, from + 100));
    const worse = summaries.map(({ personId, sub, revision, sessions }, n) => ({
      ...{ personId, sub, seen: revision },
      sessions: sessions.map((one, at) => (at < 4 + (n % 5) ? { ...one, status: "ABSENT" } : one)),
    }));
    await stores.attendanceSummaries.publish(key, worse, () => "none is new");
  }
}

/** Somebody has to be allowed to open the pages. */
async function teaches({ stores, key }: GradingCourse): Promise<void> {
  await stores.registrations.insert({
    id: key.registrationId,
    issuer: "https://lms.example",
    clientId: "client",
    name: "LMS",
    family: "canvas",
    authorizationUrl: "https://lms.example/auth",
    tokenUrl: "https://lms.example/token",
    jwksUrl: "https://lms.example/jwks",
    tokenAudience: null,
    environment: "production",
    active: true,
    newDeployments: "accept",
    createdAt: 0,
  });
  const facts = { role: "instructor", testUser: false, listName: "ina", lastLaunchAt: 1 } as const;
  await stores.members.recordLaunch({ ...key, personId: instructor }, facts, null, "mem_ina");
}

async function asked({ databaseUrl, key, stores }: GradingCourse, size: Size): Promise<BenchRow[]> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tool = await startToolProcess({
    PUBLIC_URL: url,
    PORT: String(port),
    SECRET_KEY: randomBytes(48).toString("base64"),
    DATABASE_URL: databaseUrl,
    CLASSROOM_BASE_URL: "http://127.0.0.1:9",
    CLASSROOM_APP_URL: "http://127.0.0.1:9",
    CLASSROOM_API_KEY: "an-api-key-nobody-uses",
    CLASSROOM_WEBHOOK_SECRET: "a-webhook-secret-nobody-uses",
    ALLOW_PRIVATE_PLATFORMS: "1",
    LOG_LEVEL: "error",
  });
  try {
    const sessions = sessionsOf(stores);
    const { registrationId, courseId } = key;
    const who = {
      personId: instructor,
      courseLinkId: null,
      role: "instructor",
      staffRole: "teacher",
      locale: "en",
    } as const;
    const session = await sessions.issue({ registrationId, courseId, ...who });
    const rows: BenchRow[] = [];
    for (const [name, path, fields] of pages) {
      const took: number[] = [];
      let bytes = 0;
      for (let n = 0; n < warmUp + times; n += 1) {
        const started = performance.now();
        const answer = await fetch(url + path, {
          method: "POST",
          body: new URLSearchParams({ session, ...fields }),
        });
        bytes = (await answer.arrayBuffer()).byteLength;
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        if (n >= warmUp) took.push(performance.now() - started);
      }
      rows.push(
        rowOf(`${name}; course of ${size.learners.toLocaleString("en")} x ${size.sessions}`, took, bytes),
      );
    }
    return rows;
  } finally {
    await tool.end("SIGTERM");
  }
}

function rowOf(measure: string, took: number[], bytes: number): BenchRow {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  const [median, slow] = [at(0.5), at(0.95)];
  return {
    measure,
    value: `p50 ${median.toFixed(0)} ms, p95 ${slow.toFixed(0)} ms, ${Math.round(bytes / 1024)} kB`,
    limit: `${limit} ms`,
    ratio: `${((median / limit) * 100).toFixed(0)}%`,
  };
}
