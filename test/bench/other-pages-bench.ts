import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { Registration } from "../../src/domain/registration.ts";
import { freePort, startToolProcess } from "../../sandbox/tool-process.ts";
import { sessionsOf } from "../support/tool/sessions-of.ts";
import { logIn, rightPassword } from "../support/tool/console-tool.ts";
import { type GradingCourse, openGradingCourse } from "../support/builders/grading-course.ts";
import { eventId, personIdOf, seedGrading } from "../support/builders/seed-grading.ts";
import { closed, listening } from "../support/stand-ins/local-server.ts";
import {
  instructorRole,
  learnerRole,
  startPlatform,
  type TinyPlatform,
} from "../support/stand-ins/signed-launch.ts";
import { openFramed } from "./open-framed.ts";
import type { BenchRow } from "./bench-row.ts";
import { prepareLaunch } from "./walk-in.ts";

/** Milliseconds a page may take on the server. */
const limit = 100;
/** How often each page is asked for; the first ones compile the templates and do not count. */
const warmUp = 3;
const times = 25;
const instructor = "per_ina";
/** LMSs in the console's list. */
const registrations = 50;
const lti = "https://purl.imsglobal.org/spec/lti/claim";

type Size = { learners: number; sessions: number };
/** Asks for a page once. @returns the answer, and when asking began (ms by performance.now()). */
type Ask = () => Promise<{ response: Response; began: number }>;

/** Pages of a course as an instructor opens them: name, path and fields. */
const instructors: readonly [string, string, Record<string, string>][] = [
  ["instructor's home, opened again", "/course/home", {}],
  ["settings", "/course/settings", {}],
  ["how grades come about", "/course/grading", {}],
  ["grades, the last page", "/course/grades", { page: "100" }],
  ["grades, searched", "/course/grades", { search: "family 0009" }],
  ["grades of a section", "/course/grades", { section: "7" }],
  ["people, the last page", "/course/people", { page: "200" }],
  ["people, searched", "/course/people", { search: "family 0009" }],
  ["people of a section", "/course/people", { section: "7" }],
  ["sections and cohorts", "/course/people/sections", {}],
  ["recordings", "/course/recordings", {}],
  ["unmatched", "/course/unmatched", {}],
  ["trail of changes", "/course/audit", {}],
  ["alerts", "/course/alerts", {}],
];

/**
 * The pages that `benchPages` leaves out, at its three sizes: an instructor's other pages, a learner's, whole
 * launches that a frame waits for, and the console's list of LMSs. About two minutes.
 */
export async function benchOtherPages(
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
  const platform = await startPlatform();
  // A classroom that never answers: nobody is sent away from a page.
  const classroom = createServer(() => undefined);
  const classroomUrl = await listening(classroom);
  try {
    await seedGrading(course, size);
    const registration = await teaches(course, platform);
    await happened(course, size);
    await course.setPolicy((await course.course()).policy);
    await course.regrade();
    // As on most days: the gradebook has every score, and pages do not compete with what waits.
    await course.deliver();
    return await asked(course, { platform, registration, classroomUrl }, size);
  } finally {
    await closed(classroom);
    await platform.close();
    await course.close();
  }
}

/** The LMS of the course, others beside it, and somebody who is allowed to open the pages. */
async function teaches({ stores, key }: GradingCourse, platform: TinyPlatform): Promise<Registration> {
  const registration: Registration = {
    id: key.registrationId,
    issuer: platform.issuer,
    clientId: "client",
    name: "LMS",
    family: "canvas",
    authorizationUrl: `${platform.issuer}/auth`,
    tokenUrl: `${platform.issuer}/token`,
    jwksUrl: platform.jwksUrl,
    tokenAudience: null,
    environment: "production",
    active: true,
    newDeployments: "accept",
    createdAt: 0,
  };
  await stores.registrations.insert(registration);
  for (let n = 2; n <= registrations; n += 1) {
    const other = { id: `reg_${n}`, clientId: `client-${n}`, name: `LMS ${n}`, createdAt: n };
    await stores.registrations.insert({ ...registration, ...other });
  }
  await stores.people.record(
    { registrationId: key.registrationId, deploymentId: "1", sub: "ina" },
    { name: "Ina Instructor", givenName: "Ina", familyName: "Instructor", email: null },
    { id: instructor, environment: "production" },
  );
  const facts = { role: "instructor", testUser: false, listName: "ina", lastLaunchAt: 1 } as const;
  await stores.members.recordLaunch({ ...key, personId: instructor }, facts, null, "mem_ina");
  for (let n = 0; n < 40; n += 1) {
    await stores.sections.record(
      key,
      { lmsSectionId: String(n), lmsName: `Section ${n}`, lmsSetName: null },
      `sec_${n}`,
    );
  }
  await stores.courses.moveSetUp(key.courseId, ["open"], "done");
  return registration;
}

/** What the lists of a course that has been taught for a while hold. */
async function happened({ stores, connection, key }: GradingCourse, { sessions }: Size): Promise<void> {
  const now = Date.now();
  const insert = async (model: string, documents: readonly Record<string, unknown>[]) => {
    await connection.model(model).collection.insertMany([...documents]);
  };
  await stores.courseAudit.insert(
    range(500).map((n) => ({
      id: `aud_${String(n).padStart(5, "0")}`,
      ...key,
      at: now - n * 60_000,
      by: { personId: instructor, name: "Ina Instructor" },
      what: "score-resent" as const,
      on: { personId: personIdOf(n % 300), name: `Given ${n % 300} Family` },
      session: null,
      before: null,
      after: null,
      count: null,
      reason: null,
    })),
  );
  await insert(
    "UnmatchedAttendance",
    range(200).map((n) => ({
      _id: `unm_${n}`,
      environment: "production",
      eventId: eventId(n % sessions),
      userId: `guest-${n % 40}`,
      courseId: key.courseId,
      history: [{ status: "PRESENT", notes: null, at: now - n * 1_000, updatedBy: null }],
      toldAt: now,
      asideAt: null,
      revision: 1,
    })),
  );
  await insert(
    "ClassroomAlert",
    range(sessions).map((n) => ({
      _id: `production:alert-${n}`,
      environment: "production",
      alertId: `alert-${n}`,
      alertType: "NO_SHOW",
      status: "OPEN",
      priority: null,
      assigneeId: null,
      eventId: eventId(n),
      closed: false,
      raisedAt: now - n * 60_000,
      changedAt: now - n * 60_000,
      readAt: null,
      history: [{ at: now - n * 60_000, status: "OPEN", kind: "created" }],
      seen: null,
      revision: 1,
    })),
  );
  await insert(
    "SpaceRecording",
    range(sessions).map((n) => ({
      _id: `production:rec-${n}`,
      environment: "production",
      recordingId: `rec-${n}`,
      spaceId: "space",
      firstSeenAt: now - n * 60_000,
      availableAt: now - n * 60_000,
    })),
  );
}

type World = { platform: TinyPlatform; registration: Registration; classroomUrl: string };

async function asked(
  { databaseUrl, key, stores }: GradingCourse,
  world: World,
  size: Size,
): Promise<BenchRow[]> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tool = await startToolProcess({
    PUBLIC_URL: url,
    PORT: String(port),
    SECRET_KEY: randomBytes(48).toString("base64"),
    DATABASE_URL: databaseUrl,
    CLASSROOM_BASE_URL: world.classroomUrl,
    CLASSROOM_APP_URL: world.classroomUrl,
    CLASSROOM_API_KEY: "an-api-key-nobody-uses",
    CLASSROOM_WEBHOOK_SECRET: "a-webhook-secret-nobody-uses",
    ADMIN_PASSWORD: rightPassword,
    ALLOW_PRIVATE_PLATFORMS: "1",
    LOG_LEVEL: "error",
  });
  try {
    const sessions = sessionsOf(stores);
    const { registrationId, courseId } = key;
    const course = { registrationId, courseId, courseLinkId: null, locale: "en" };
    const teacher = await sessions.issue({
      ...course,
      personId: instructor,
      role: "instructor",
      staffRole: "teacher",
    });
    const learner = await sessions.issue({
      ...course,
      personId: personIdOf(7),
      role: "learner",
      staffRole: null,
    });
    const page =
      (path: string, session: string, fields: Record<string, string> = {}): Ask =>
      async () => {
        const began = performance.now();
        const body = new URLSearchParams({ session, ...fields });
        return { response: await fetch(url + path, { method: "POST", body }), began };
      };
    const { cookie } = await logIn(url);
    const asks: [string, Ask][] = [
      ["a launch of an instructor in a frame", launchOf(world, url, "ina", instructorRole)],
      ...instructors.map(([name, path, fields]): [string, Ask] => [name, page(path, teacher, fields)]),
      ["a launch of a learner in a frame", launchOf(world, url, "sub-7", learnerRole)],
      ["learner's home, opened again", page("/course/home", learner)],
      ["my attendance", page("/course/my-sessions", learner)],
      [`console: ${registrations} LMSs`, () => opened(`${url}/admin/registrations`, cookie)],
    ];
    const rows: BenchRow[] = [];
    for (const [name, ask] of asks) {
      rows.push(
        await measured(`${name}; course of ${size.learners.toLocaleString("en")} x ${size.sessions}`, ask),
      );
    }
    return rows;
  } finally {
    await tool.end("SIGTERM");
  }
}

/** A signed launch, timed from the moment the LMS has signed it. */
function launchOf({ platform, registration }: World, url: string, sub: string, role: string): Ask {
  return async () => {
    const claims = {
      sub,
      [`${lti}/roles`]: [role],
      [`${lti}/context`]: { id: "ctx", label: "BIO", title: "Biology" },
    };
    const prepared = await prepareLaunch({ platform, registration }, { url }, claims);
    const began = performance.now();
    return { response: await openFramed(url, prepared), began };
  };
}

async function opened(url: string, cookie = ""): ReturnType<Ask> {
  const began = performance.now();
  return { response: await fetch(url, { headers: { cookie, accept: "text/html" } }), began };
}

async function measured(measure: string, ask: Ask): Promise<BenchRow> {
  const took: number[] = [];
  let bytes = 0;
  for (let n = 0; n < warmUp + times; n += 1) {
    const { response, began } = await ask();
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

function range(count: number): number[] {
  return Array.from({ length: count }, (_none, at) => at);
}

if (import.meta.main) {
  const [learners = 300, sessions = 30] = process.argv.slice(2).map(Number);
  console.table(await benchOtherPages([{ learners, sessions }]));
}
