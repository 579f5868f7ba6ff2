import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { freePort, startToolProcess, type ToolProcess, toolSource } from "../../src/sandbox/tool-process.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { createBrowserSessionStore } from "../../src/storage/browser-session-store.ts";
import { type Database, openDatabase } from "../../src/storage/open-database.ts";
import { sessionsOf } from "../support/tool/sessions-of.ts";

const releases = fileURLToPath(new URL("../releases/", import.meta.url));
const secretKey = "the key of every release in these tests";
const webhookSecret = "a-secret-of-these-tests";

const files = (await readdir(releases)).filter((name) => name.endsWith(".sqlite.gz"));

test("there is a database of every earlier release", () => {
  expect(files).toEqual(expect.arrayContaining(["main-job.sqlite.gz", "pages.sqlite.gz"]));
});

describe.each(files)("a tool whose database was written as %s", (file) => {
  let folder: string;
  let tool: ToolProcess;
  /** The same database, opened beside the tool. */
  let beside: Database;
  let sessions: ReturnType<typeof sessionsOf>;
  let url: string;
  const ids = { registrationId: "", courseId: "", learner: "", instructor: "", apiUser: "", event: "" };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "spaces-lti-upgrade-"));
    await writeFile(join(folder, "spaces.sqlite"), gunzipSync(await readFile(join(releases, file))));
    const [learner] = read(
      "people",
      z
        .object({
          ...{ _id: z.string(), name: z.literal("Zoë Åkesson") },
          ...{ apiUserId: z.string().nullish(), participantUserId: z.string().nullish() },
        })
        // Releases kept the one user of a person first, and the user of each role later.
        .transform(({ _id, apiUserId, participantUserId }) => ({
          _id,
          apiUser: participantUserId ?? apiUserId,
        })),
    );
    const [course] = read(
      "courses",
      z.object({ _id: z.string(), registrationId: z.string(), title: z.literal("Biology 101 – Spring") }),
    );
    const [instructor] = read(
      "members",
      z.object({
        courseId: z.literal(course?._id ?? ""),
        role: z.literal("instructor"),
        personId: z.string(),
      }),
    );
    const [event] = read("classroomevents", z.object({ eventId: z.string(), title: z.literal("Lesson 3") }));
    ids.learner = learner?._id ?? "";
    ids.apiUser = learner?.apiUser ?? "";
    ids.courseId = course?._id ?? "";
    ids.registrationId = course?.registrationId ?? "";
    ids.instructor = instructor?.personId ?? "";
    ids.event = event?.eventId ?? "";
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const variables = {
      PUBLIC_URL: url,
      PORT: String(port),
      SECRET_KEY: secretKey,
      DATABASE_URL: `file:${folder}`,
      CLASSROOM_BASE_URL: "http://127.0.0.1:9",
      CLASSROOM_APP_URL: "http://127.0.0.1:9",
      CLASSROOM_API_KEY: "an-api-key-nobody-uses",
      CLASSROOM_WEBHOOK_SECRET: webhookSecret,
      ALLOW_PRIVATE_PLATFORMS: "1",
    };
    tool = await startToolProcess(variables, toolSource);
    beside = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
    sessions = sessionsOf({ browserSessions: createBrowserSessionStore(beside.connection) });
  });

  afterAll(async () => {
    await beside.close();
    await tool.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  });

  /** The documents of a collection that have this shape. */
  function read<T extends z.ZodType>(collection: string, shape: T): z.infer<T>[] {
    const database = new DatabaseSync(join(folder, "spaces.sqlite"), { readOnly: true });
    try {
      const rows = database.prepare(`SELECT doc FROM "c:${collection}"`).all();
      return rows.flatMap(({ doc }) => shape.safeParse(JSON.parse(z.string().parse(doc))).data ?? []);
    } finally {
      database.close();
    }
  }

  async function open(
    path: string,
    fields: Record<string, string> = {},
    as = ids.instructor,
  ): Promise<string> {
    const session = await sessions.issue({
      registrationId: ids.registrationId,
      courseId: ids.courseId,
      personId: as,
      courseLinkId: null,
      role: as === ids.instructor ? "instructor" : "learner",
      staffRole: as === ids.instructor ? "teacher" : null,
      locale: "en",
    });
    const answer = await fetch(url + path, {
      method: "POST",
      body: new URLSearchParams({ session, ...fields }),
    });
    const text = await answer.text();
    expect(answer.status, `${path}: ${text.slice(0, 2_000)}`).toBe(200);
    return text;
  }

  test.each([
    ["/course/grid", "Zoë Åkesson"],
    ["/course/register", "Lesson 2"],
    ["/course/grades", "90"],
    ["/course/people", "Zoë Åkesson"],
    ["/course/sessions", "Lesson 3"],
    ["/course/grading", "100"],
    ["/course/settings", "Biology 101"],
    ["/course/set-up", "Biology 101"],
    ["/course/calendar", "Biology 101"],
    ["/course/recordings", "ecording"],
    ["/course/link", "Biology 101"],
    ["/course/audit", "Biology 101"],
    ["/course/alerts", "Biology 101"],
    ["/course/feedback", "Biology 101"],
  ])("shows the instructor %s with what was stored", async (path, text) => {
    expect(await open(path)).toContain(text);
  });

  test("keeps invitations as digests", () => {
    const invitations = read("invitations", z.object({ _id: z.string() }));
    expect(invitations.map(({ _id }) => _id.length)).toEqual([43]);
  });

  test("takes no page that was opened before the update, and says how to go on", async () => {
    const signed = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiaW5zdHJ1Y3RvciJ9.c2lnbmF0dXJl";
    const body = new URLSearchParams({ session: signed });
    const answer = await fetch(`${url}/course/grid`, { method: "POST", body });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("Open the link in your course again");
  });

  test("shows a learner's attendance and how the score came about", async () => {
    const page = await open("/course/learner", { person: ids.learner });
    expect(page).toContain("Lesson 1");
    expect(page).toContain("90");
  });

  test("turns a webhook about a session from before into the new score", async () => {
    const answer = await fetch(`${url}/webhooks/production`, {
      method: "POST",
      headers: { authorization: `Bearer ${webhookSecret}`, "content-type": "application/json" },
      body: JSON.stringify({
        eventId: ids.event,
        userId: ids.apiUser,
        timestamp: new Date(Date.now() + 60_000).toISOString(),
        updatedBy: "user_of_the_teacher",
        prevStatus: { status: "EXCUSED" },
        currentStatus: { status: "ABSENT" },
      }),
    });
    expect(answer.status).toBe(202);
    const delivery = z.object({ personId: z.literal(ids.learner), desired: z.object({ score: z.number() }) });
    await vi.waitFor(
      () => {
        expect(read("deliveries", delivery).map(({ desired }) => desired.score)).toEqual([60]);
      },
      { timeout: 30_000, interval: 100 },
    );
  });
});
