import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createLogger } from "../../src/kernel/logger.ts";
import { recordingReadings } from "../../src/modules/recordings/recording-readings.ts";
import { openStores, type Stores } from "../../src/open-stores.ts";
import type { StandInClassroom } from "../../src/sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freePort, startToolProcess, type ToolProcess, toolSource } from "../../src/sandbox/tool-process.ts";
import { type Database, openDatabase } from "../../src/storage/open-database.ts";
import { quickClassroom } from "../support/stand-ins/quick-classroom.ts";

/** A database of an earlier release that was killed while work of every kind was waiting (see its README). */
const release = fileURLToPath(new URL("../releases/waiting.sqlite.gz", import.meta.url));
/** When the work is due that was planned for later (ms): in the year 2100. */
const later = 4_102_444_800_000;

let folder: string;
let classroom: StandInClassroom;
let tool: ToolProcess;
/** The same database, opened beside the tool. */
let beside: Database;
let stores: Stores;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spaces-lti-waiting-"));
  await writeFile(join(folder, "spaces.sqlite"), gunzipSync(await readFile(release)));
  classroom = await quickClassroom({ apiKey: "key-of-the-classroom" });
  const port = await freePort();
  const variables = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
    SECRET_KEY: "the key of every release in these tests",
    DATABASE_URL: `file:${folder}`,
    CLASSROOM_BASE_URL: classroom.apiUrl,
    CLASSROOM_APP_URL: classroom.appUrl,
    CLASSROOM_API_KEY: "key-of-the-classroom",
    CLASSROOM_WEBHOOK_SECRET: "a-secret-of-these-tests",
    ALLOW_PRIVATE_PLATFORMS: "1",
    LOG_LEVEL: "info",
  };
  tool = await startToolProcess(variables, toolSource);
  beside = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
  stores = await openStores(beside.connection);
}, 60_000);
afterAll(async () => {
  await beside.close();
  await tool.end("SIGTERM");
  await classroom.close();
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

/** Calls to the classroom whose path or query has a text in it. */
const callsFor = (text: string) =>
  classroom.calls().filter(({ path, query }) => `${path} ${JSON.stringify(query)}`.includes(text));
/** What the tool has logged under a message. */
const logged = (message: string) =>
  tool
    .output()
    .split("\n")
    .filter((line) => line.includes(`"${message}"`));
const soon = (look: () => void) => vi.waitFor(look, { timeout: 30_000, interval: 100 });

const personIds = (collection: string) =>
  read(collection, z.object({ personId: z.string() })).map(({ personId }) => personId);

describe("work that waited when the tool was updated is done by the new release:", () => {
  test.each([
    ["attendance that was to be read by the timetable", "/attendance/waiting-due"],
    ["attendance that an instructor waited for", "/attendance/waiting-wish"],
    ["a list of recordings after news of it", "space-due"],
    ["a list of recordings that somebody waited for", "space-wish"],
    ["a session that was to be made in the classroom", "/events"],
    ["logins of a class that is walking in", "/authorize"],
  ])("%s", async (_what, path) => {
    await soon(() => {
      expect(callsFor(path).length, `calls of ${path}`).toBeGreaterThan(0);
    });
  });

  test("a roster that an instructor asked for", async () => {
    await soon(() => {
      expect(logged("roster read").length).toBeGreaterThan(0);
    });
  });

  test("scores of a course that were to be computed anew", async () => {
    await soon(() => {
      expect(personIds("standings")).toContain("per-Rosa");
    });
  });

  test("a score that was still to be computed when its process ended", async () => {
    await soon(() => {
      expect(personIds("standings")).toContain("per-Owen");
    });
  });

  test("what an instructor had marked", async () => {
    const corrected = z.object({
      personId: z.literal("per-Mara"),
      corrections: z.tuple([z.object({ status: z.string(), by: z.string() })]),
    });
    await soon(() => {
      expect(read("attendances", corrected).map(({ corrections: [one] }) => one)).toEqual([
        { status: "LATE", by: "per-Ina" },
      ]);
    });
  });

  test("the attendance of somebody whom an instructor had matched", async () => {
    await soon(() => {
      expect(personIds("attendances")).toContain("per-Max");
    });
  });

  test("a session that an instructor had claimed", async () => {
    const claimed = z.object({ eventId: z.literal("waiting-stray"), courseId: z.string() });
    await soon(() => {
      expect(read("classroomevents", claimed)).toHaveLength(1);
    });
  });

  test("an erasure", async () => {
    await soon(() => {
      expect(read("people", z.object({ _id: z.literal("per-Erik") }))).toEqual([]);
    });
  });
});

test("work that was planned for later is still planned for then", async () => {
  const reading = await stores.attendanceReadings.find("production", "waiting-later");
  const recordings = await stores.tasks.find(recordingReadings, {
    ...{ environment: "production", spaceId: "space-later" },
  });
  const registrationId = reading?.registrationId ?? "";
  const roster = await stores.rosterSyncs.find(registrationId, "crs_waiting_history");
  expect([reading?.dueAt, recordings?.dueAt, roster?.dueAt]).toEqual([later, later, later]);
});
