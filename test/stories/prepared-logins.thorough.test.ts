import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { freePort, startToolProcess, type ToolProcess } from "../../src/sandbox/tool-process.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores } from "../../src/open-stores.ts";
import { metric, startWorld, walkIn } from "../support/tool/start-world.ts";

const minute = 60_000;
/** Links by what is taught; all learners take biology and eighteen of them history. */
const biology = "1";
const history = "2";
const classSize = 20;
const patience = { timeout: 120_000, interval: 100 };
const learners = Array.from({ length: classSize }, (_, index) => `student${index + 1}`);

/** Launches somebody and looks at the tool's first answer, without waiting in the queue. */
async function launch(person: string, linkId: string): Promise<Seen> {
  const visitor = createVisitor();
  visitor.addCookie(world.lms.url, world.lms.cookieFor(person));
  const start = await visitor.open(`${world.lms.url}${world.lms.launchPath(linkId, "existing")}`);
  const toAuthorization = await visitor.submit(start);
  return visitor.submit(await visitor.open(toAuthorization.location ?? ""));
}

let world: DemoWorld;
const ready = () => metric(world, "spaces_lti_ready_logins");
beforeAll(async () => {
  world = await startWorld({ learners: classSize });
}, 60_000);
afterAll(() => world.close());

/** The teacher comes once, so that there is a Space, and everybody of the roster becomes known and has an API user. */
async function teacherComes(teacher: string, link: string, users: number): Promise<void> {
  await walkIn(world, teacher, link);
  await vi.waitFor(() => {
    expect(world.classroom.users()).toHaveLength(users);
  }, patience);
}

function lessonSoon(course: string): void {
  const space = world.classroom.spaces().find(({ name }) => name.startsWith(course));
  const lesson = { title: "Lesson", spaceId: space?.spaceId ?? "", startsAt: Date.now() + 3 * minute };
  world.classroom.createEvent(lesson);
}

const tokenOf = ({ location }: Seen) => new URL(location ?? "http://nowhere.test").searchParams.get("token");

describe("a class whose session begins in three minutes", () => {
  const tokens = () => world.classroom.authorizations().map(({ token }) => token);
  beforeAll(async () => {
    await teacherComes("teacher1", biology, classSize + 1);
    lessonSoon("BIO101");
    // Everybody but the teacher, who is inside.
    await vi.waitFor(async () => {
      expect(await ready()).toBe(classSize);
    }, patience);
  }, 240_000);

  test("is authorized, each once, and nothing of it stands in the log", () => {
    const ahead = world.classroom.authorizations().slice(1);
    expect(ahead).toHaveLength(classSize);
    expect(new Set(ahead.map(({ userId }) => userId)).size).toBe(classSize);
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
    const answers = await Promise.all(["student1", "student2"].map((person) => launch(person, biology)));
    for (const answer of answers) expect(old).not.toContain(tokenOf(answer));
    // Within a minute the class is looked at again, and at once when its lesson changes; a login that fits would stay.
    const [lesson] = world.classroom.events();
    world.classroom.updateEvent({
      eventId: lesson?.eventId ?? "",
      startsAt: (lesson?.startsAt ?? 0) + minute,
    });
    await vi.waitFor(async () => {
      const fresh = world.classroom.authorizations().slice(old.length);
      expect(fresh.length).toBeGreaterThanOrEqual(classSize);
      expect(fresh.every(({ parameters }) => parameters.gv === "true")).toBe(true);
      expect(await ready()).toBe(classSize - 2);
    }, patience);
  }, 150_000);

  test("gives the login of one person out once, in fifty launches at the same moment", async () => {
    const before = tokens();
    const answers = await Promise.all(Array.from({ length: 50 }, () => launch("student3", biology)));
    const given = answers.map(tokenOf).filter((token) => token !== null);
    expect(given.filter((token) => before.includes(token))).toHaveLength(1);
    expect(new Set(given).size).toBe(given.length);
  }, 60_000);

  test("enters at once, all together, and costs no call", async () => {
    const rest = learners.slice(3);
    const known = tokens();
    const answers = await Promise.all(rest.map((person) => launch(person, biology)));
    expect(answers.map(({ status }) => status)).toEqual(rest.map(() => 303));
    expect(answers.every((answer) => known.includes(tokenOf(answer) ?? ""))).toBe(true);
    expect(new Set(answers.map(tokenOf)).size).toBe(classSize - 3);
    expect(world.classroom.callCounts()).toMatchObject({ refusedByLimit: 0 });
    expect(await metric(world, 'spaces_lti_entries_total{way="ahead"}')).toBe(classSize - 2);
  }, 60_000);
});

test("three processes share the work; when one is killed in the middle the others go on, and somebody who comes meanwhile is let in", async () => {
  // Eighteen learners and a second teacher, all of whom have an API user from biology.
  const expected = 19;
  const rosters = () => world.lms.log().filter(({ service }) => service === "memberships").length;
  const readBefore = rosters();
  await teacherComes("teacher2", history, classSize + 3);
  await vi.waitFor(() => {
    expect(rosters()).toBeGreaterThan(readBefore);
  }, patience);
  const earlier = world.classroom.authorizations().length;
  const readyEarlier = await ready();
  const others: (ToolProcess & { url: string })[] = [];
  try {
    for (let n = 0; n < 2; n += 1) {
      const port = String(await freePort());
      const tool = await startToolProcess({ ...world.variables, PORT: port });
      others.push({ ...tool, url: `http://127.0.0.1:${port}` });
    }
    const readyNow = async () =>
      (await metric({ ...world, toolUrl: others[0]?.url ?? "" }, "spaces_lti_ready_logins")) - readyEarlier;
    lessonSoon("HIS205");
    await vi.waitFor(async () => {
      expect(await readyNow()).toBeGreaterThan(2);
    }, patience);
    // Who enters goes before all that is prepared.
    const before = Date.now();
    const host = await walkIn(world, "teacher2", history);
    expect(Date.now() - before).toBeLessThan(5_000);
    expect(await readyNow()).toBeLessThan(expected);
    const killedAt = Date.now();
    await world.tool().end("SIGKILL");
    await vi.waitFor(async () => {
      expect(await readyNow()).toBe(expected);
    }, patience);
    const ahead = world.classroom
      .authorizations()
      .slice(earlier)
      .filter(({ userId }) => userId !== host);
    expect(new Set(ahead.map(({ userId }) => userId)).size).toBe(expected);
    // What the killed process was being answered is lost, and fetched again.
    expect(ahead.length).toBeLessThanOrEqual(expected + 2);
    const refused = world.classroom.calls().filter(({ refusedByLimit }) => refusedByLimit);
    expect(
      refused.map(({ at, operation }) => `${operation} ${String(at - killedAt)} ms after the kill`),
    ).toEqual([]);
  } finally {
    for (const tool of others) await tool.end("SIGTERM");
  }
}, 400_000);
