import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { freePort, startToolProcess, type ToolProcess } from "../../src/sandbox/tool-process.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores } from "../../src/storage/open-stores.ts";
import { metric, startWorld, walkIn } from "../support/start-world.ts";

const minute = 60_000;
const biology = "1";
const patience = { timeout: 120_000, interval: 250 };
const learners = Array.from({ length: 30 }, (_, index) => `student${index + 1}`);

/** Launches somebody and looks at the tool's first answer, without waiting at the door. */
async function launch(world: DemoWorld, person: string, linkId: string): Promise<Seen> {
  const visitor = createVisitor();
  visitor.addCookie(world.lms.url, world.lms.cookieFor(person));
  const start = await visitor.open(`${world.lms.url}${world.lms.launchPath(linkId, "existing")}`);
  const toAuthorization = await visitor.submit(start);
  return visitor.submit(await visitor.open(toAuthorization.location ?? ""));
}

/** A world whose teacher has come once, so that there is a Space and everybody of the roster is known. */
async function worldWithClass(): Promise<DemoWorld> {
  const world = await startWorld();
  await walkIn(world, "teacher1", biology);
  await vi.waitFor(() => {
    expect(world.classroom.users()).toHaveLength(31);
  }, patience);
  return world;
}

function lessonSoon(world: DemoWorld): void {
  const space = world.classroom.spaces().find(({ name }) => name.startsWith("BIO101"));
  const lesson = { title: "Lesson", spaceId: space?.spaceId ?? "", startsAt: Date.now() + 3 * minute };
  world.classroom.createEvent(lesson);
}

const tokenOf = ({ location }: Seen) => new URL(location ?? "http://nowhere.test").searchParams.get("token");

describe("a class whose session begins in three minutes", () => {
  let world: DemoWorld;
  const ready = () => metric(world, "spaces_lti_ready_logins");
  const tokens = () => world.classroom.authorizations().map(({ token }) => token);
  beforeAll(async () => {
    world = await worldWithClass();
    lessonSoon(world);
    // Everybody but the teacher, who is inside.
    await vi.waitFor(async () => {
      expect(await ready()).toBe(30);
    }, patience);
  }, 240_000);
  afterAll(() => world.close());

  test("is authorized, each once, and nothing of it stands in the log", () => {
    const ahead = world.classroom.authorizations().slice(1);
    expect(ahead).toHaveLength(30);
    expect(new Set(ahead.map(({ userId }) => userId)).size).toBe(30);
    for (const token of tokens()) expect(world.output()).not.toContain(token);
  });

  test("gets new logins when the settings change, and nobody enters with an old one", async () => {
    const old = tokens();
    const database = await openDatabase({
      url: world.variables.DATABASE_URL ?? "",
      logger: createLogger("silent"),
    });
    const { courses } = await openStores(database.connection);
    const space = world.classroom.spaces()[0]?.spaceId ?? "";
    for (const course of await courses.findBySpace("production", space)) {
      const { door, spaceAccess, settings } = course;
      const to = { door, spaceAccess, settings: { ...settings, galleryView: true } };
      expect(await courses.changeSettings(course.id, course.settingsRevision, to)).toBe(true);
    }
    await database.close();
    const answers = await Promise.all(
      ["student1", "student2"].map((person) => launch(world, person, biology)),
    );
    for (const answer of answers) expect(old).not.toContain(tokenOf(answer));
    await vi.waitFor(async () => {
      const fresh = world.classroom.authorizations().slice(old.length);
      expect(fresh.length).toBeGreaterThanOrEqual(30);
      expect(fresh.every(({ parameters }) => parameters.gv === "true")).toBe(true);
      expect(await ready()).toBe(28);
    }, patience);
  }, 150_000);

  test("gives the login of one person out once, in fifty launches at the same moment", async () => {
    const before = tokens();
    const answers = await Promise.all(Array.from({ length: 50 }, () => launch(world, "student3", biology)));
    const given = answers.map(tokenOf).filter((token) => token !== null);
    expect(given.filter((token) => before.includes(token))).toHaveLength(1);
    expect(new Set(given).size).toBe(given.length);
  }, 60_000);

  test("enters at once, all together, and costs no call", async () => {
    const rest = learners.slice(3);
    const known = tokens();
    const answers = await Promise.all(rest.map((person) => launch(world, person, biology)));
    expect(answers.map(({ status }) => status)).toEqual(rest.map(() => 303));
    expect(answers.every((answer) => known.includes(tokenOf(answer) ?? ""))).toBe(true);
    expect(new Set(answers.map(tokenOf)).size).toBe(27);
    expect(world.classroom.callCounts()).toMatchObject({ refusedByLimit: 0 });
    expect(await metric(world, 'spaces_lti_entries_total{way="ahead"}')).toBe(28);
  }, 60_000);
});

test("three processes share the work; when one is killed in the middle the others go on, and somebody who comes meanwhile is let in", async () => {
  const world = await worldWithClass();
  const others: (ToolProcess & { url: string })[] = [];
  try {
    for (let n = 0; n < 2; n += 1) {
      const port = String(await freePort());
      const tool = await startToolProcess({ ...world.variables, PORT: port });
      others.push({ ...tool, url: `http://127.0.0.1:${port}` });
    }
    const ready = () => metric({ ...world, toolUrl: others[0]?.url ?? "" }, "spaces_lti_ready_logins");
    lessonSoon(world);
    await vi.waitFor(async () => {
      expect(await ready()).toBeGreaterThan(5);
    }, patience);
    // The door goes before all that is fetched ahead.
    const before = Date.now();
    await walkIn(world, "teacher1", biology);
    expect(Date.now() - before).toBeLessThan(5_000);
    expect(await ready()).toBeLessThan(30);
    const killedAt = Date.now();
    await world.tool().end("SIGKILL");
    await vi.waitFor(async () => {
      expect(await ready()).toBe(30);
    }, patience);
    const hosts = world.classroom.users().filter(({ role }) => role === "host");
    const ahead = world.classroom.authorizations().filter(({ userId }) => userId !== hosts[0]?.userId);
    expect(new Set(ahead.map(({ userId }) => userId)).size).toBe(30);
    // What the killed process was being answered is lost, and fetched again.
    expect(ahead.length).toBeLessThanOrEqual(32);
    const refused = world.classroom.calls().filter(({ refusedByLimit }) => refusedByLimit);
    expect(
      refused.map(({ at, operation }) => `${operation} ${String(at - killedAt)} ms after the kill`),
    ).toEqual([]);
  } finally {
    for (const tool of others) await tool.end("SIGTERM");
    await world.close();
  }
}, 400_000);
