import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { Stores } from "../../src/open-stores.ts";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { manyInstitutions } from "../support/builders/many-institutions.ts";
import type { Registration } from "../../src/domain/registration.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { type GradingCourse, openGradingCourse } from "../support/builders/grading-course.ts";
import { eventId, personIdOf, seedGrading } from "../support/builders/seed-grading.ts";
import { closed, listening } from "../support/stand-ins/local-server.ts";
import {
  instructorRole,
  learnerRole,
  startPlatform,
  type TinyPlatform,
} from "../support/stand-ins/signed-launch.ts";
import { logIn } from "../support/tool/console-tool.ts";
import { type Ask, type BenchRow, consolePage, pageRow, startBenchTool } from "./bench-row.ts";
import { openFramed, prepareLaunch } from "./walk-in.ts";
import { sessionsOf } from "../support/tool/pages-app.ts";
import { collectionsByModel, type StoredDocument } from "../../src/storage/records.ts";

/** Milliseconds that the server may take for a page. */
const limit = 100;
const instructor = "per_ina";
/** Same as `limit`, for a page of the console. */
const consoleLimit = 500;
const lti = "https://purl.imsglobal.org/spec/lti/claim";

/** A course with this many learners and sessions. */
type Size = { learners: number; sessions: number };

/** Pages of a course as an instructor opens them: name, path and fields. */
const instructors: readonly [string, string, Record<string, string>][] = [
  ["table, 300 learners x 30 sessions", "/course/grid", { size: "300" }],
  ["table, 50 learners x 30 sessions", "/course/grid", {}],
  ["table, learners below 80 %", "/course/grid", { only: "low", order: "rate" }],
  ["one cell of the table", "/course/grid/cell", { person: personIdOf(7), event: eventId(0) }],
  ["register of a session", "/course/register", { event: eventId(0) }],
  ["registers to choose from", "/course/register", {}],
  ["one learner", "/course/learner", { person: personIdOf(7) }],
  ["sessions", "/course/sessions", {}],
  ["instructor's home, opened again", "/course/home", {}],
  ["settings", "/course/settings", {}],
  ["how grades come about", "/course/grading", {}],
  ["grades", "/course/grades", {}],
  ["grades, the last page", "/course/grades", { page: "100" }],
  ["grades, searched", "/course/grades", { search: "family 0009" }],
  ["grades of a section", "/course/grades", { section: "7" }],
  ["people", "/course/people", {}],
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
 * Pages as a browser gets them from a tool that runs as operators run it, beside an engine with one course: an instructor's, a learner's,
 * and whole launches that a frame waits for; and the console with many institutions. The limits apply to the usual size; 10,000 learners
 * and 60 sessions show how the time grows. About four minutes, most of it to write 600,000 records and to deliver their scores.
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
  for (const count of [20, 200]) rows.push(...(await benchConsole(count)));
  return rows;
}

async function benchSize(size: Size): Promise<BenchRow[]> {
  const course = await openGradingCourse();
  const platform = await startPlatform();
  // A classroom that never answers: nobody is redirected from a page.
  const classroom = createServer(() => undefined);
  const classroomUrl = await listening(classroom);
  try {
    await seedGrading(course, size);
    const registration = await teaches(course, platform);
    await happened(course, size);
    await course.setPolicy((await course.course()).policy);
    await course.regrade();
    await settled(course, size);
    return await asked(course, { platform, registration, classroomUrl }, size);
  } finally {
    await closed(classroom);
    await platform.close();
    await course.close();
  }
}

/**
 * A course as it is on most days: the gradebook has every score and every session's attendance was read, so that pages do not compete with
 * pending work. One learner in eight attended badly.
 */
async function settled({ connection, deliver, stores, key }: GradingCourse, size: Size): Promise<void> {
  await deliver();
  await collectionsByModel(connection)("ClassroomEvent").updateMany({}, { $set: { readingPlanned: true } });
  const weak = Array.from({ length: Math.ceil(size.learners / 8) }, (_none, n) => personIdOf(n * 8));
  for (let from = 0; from < weak.length; from += 100) {
    const summaries = await stores.attendanceSummaries.findMany(key, weak.slice(from, from + 100));
    const worse = summaries.map(({ personId, sub, revision, sessions }, n) => ({
      personId,
      sub,
      seen: revision,
      sessions: sessions.map((one, at) => (at < 4 + (n % 5) ? { ...one, status: "ABSENT" } : one)),
    }));
    await stores.attendanceSummaries.publish(key, worse, () => "none is new");
  }
}

/** Adds the course's LMS, and an instructor who may open the pages. */
async function teaches({ stores, key }: GradingCourse, platform: TinyPlatform): Promise<Registration> {
  const { issuer, jwksUrl } = platform;
  const registration = registrationOf({ id: key.registrationId, issuer, jwksUrl, family: "canvas" });
  await stores.registrations.insert(registration);
  await stores.people.record(
    { registrationId: key.registrationId, deploymentId: "1", sub: "ina" },
    { name: "Ina Instructor", givenName: "Ina", familyName: "Instructor", email: null },
    { id: instructor, environment: "production" },
  );
  const facts = { role: "instructor", testUser: false, listName: "ina", lastLaunchAt: 1 } as const;
  await stores.members.recordLaunch({ ...key, personId: instructor }, facts, null, "mem_ina");
  for (let n = 0; n < 40; n += 1) {
    const section = { lmsSectionId: String(n), lmsName: `Section ${n}`, lmsSetName: null };
    await stores.sections.record(key, section, `sec_${n}`);
  }
  await stores.courses.moveSetUp(key.courseId, ["open"], "done");
  return registration;
}

/** The contents of the lists in a course that has been taught for a while. */
async function happened({ stores, connection, key }: GradingCourse, { sessions }: Size): Promise<void> {
  const now = Date.now();
  const insert = async (model: string, documents: readonly StoredDocument[]) => {
    await collectionsByModel(connection)(model).insertMany([...documents]);
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
      toldAt: now,
      asideAt: null,
      revision: 1,
      history: [{ status: "PRESENT", notes: null, at: now - n * 1_000, updatedBy: null }],
    })),
  );
  await insert(
    "ClassroomAlert",
    range(sessions).map((n) => ({
      _id: `production:alert-${n}`,
      environment: "production",
      alertId: `alert-${n}`,
      eventId: eventId(n),
      alertType: "NO_SHOW",
      status: "OPEN",
      priority: null,
      assigneeId: null,
      closed: false,
      raisedAt: now - n * 60_000,
      changedAt: now - n * 60_000,
      readAt: null,
      seen: null,
      revision: 1,
      history: [{ at: now - n * 60_000, status: "OPEN", kind: "created" }],
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

async function asked({ databaseUrl, key, stores }: GradingCourse, world: World, size: Size) {
  const tool = await startBenchTool({
    DATABASE_URL: databaseUrl,
    CLASSROOM_BASE_URL: world.classroomUrl,
    CLASSROOM_APP_URL: world.classroomUrl,
  });
  const { url } = tool;
  try {
    const sessions = sessionsOf(stores);
    const { registrationId, courseId } = key;
    const course = { registrationId, courseId, courseLinkId: null, locale: "en" };
    const ina = { personId: instructor, role: "instructor", staffRole: "teacher" } as const;
    const teacher = await sessions.issue({ ...course, ...ina });
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
    const asks: [string, Ask][] = [
      ["a launch of an instructor in a frame", launchOf(world, url, "ina", instructorRole)],
      ...instructors.map(([name, path, fields]): [string, Ask] => [name, page(path, teacher, fields)]),
      ["a launch of a learner in a frame", launchOf(world, url, "sub-7", learnerRole)],
      ["learner's home, opened again", page("/course/home", learner)],
      ["my attendance", page("/course/my-sessions", learner)],
    ];
    const rows: BenchRow[] = [];
    for (const [name, ask] of asks) {
      const of = `course of ${size.learners.toLocaleString("en")} x ${size.sessions}`;
      rows.push(await pageRow(`${name}; ${of}`, ask, limit));
    }
    return rows;
  } finally {
    await tool.end("SIGTERM");
  }
}

/** A signed launch, timed from the moment when the LMS has signed it. */
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

function range(count: number): number[] {
  return Array.from({ length: count }, (_none, at) => at);
}

/** Pages of the console that show every institution, each with an LMS, an account and a year of usage. */
async function benchConsole(count: number): Promise<BenchRow[]> {
  const opened = await openEmptyStores();
  const secretKey = randomBytes(48).toString("base64");
  await manyInstitutions(opened, { count, now: Date.now(), secretKey, scores: 50 });
  await sums(opened.stores, count);
  const tool = await startBenchTool({ SECRET_KEY: secretKey, DATABASE_URL: opened.databaseUrl });
  try {
    const { cookie } = await logIn(tool.url);
    const rows: BenchRow[] = [];
    for (const [name, path] of consolePages)
      rows.push(
        await pageRow(
          `${name}; ${count} LMSs and accounts`,
          consolePage(tool.url + path, cookie),
          consoleLimit,
        ),
      );
    return rows;
  } finally {
    await tool.end("SIGTERM");
    await opened.close();
  }
}

/** A year of every LMS's usage. */
async function sums({ usage }: Stores, count: number): Promise<void> {
  const week = weekOf(Date.now());
  for (let n = 0; n < count * 52; n += 1)
    await usage.setWeek({
      registrationId: `reg_${n % count}`,
      account: `school-${n % count}`,
      week: week - Math.floor(n / count) * 7 * 24 * 3_600_000,
      courses: 5,
      sessions: 20,
      people: 200,
      minutes: 9_000,
      grades: 150,
      failedLaunches: 1,
      refusedScores: 0,
    });
}

const consolePages: readonly [string, string][] = [
  ["console: overview", "/admin"],
  ["console: registrations", "/admin/registrations"],
  ["console: courses", "/admin/courses"],
  ["console: accounts", "/admin/accounts"],
  ["console: usage of all, 52 weeks", "/admin/usage?weeks=52"],
  ["console: usage of one LMS, 52 weeks", "/admin/usage?weeks=52&lms=reg_3"],
];
