import { beforeAll, describe, expect, test, vi } from "vitest";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { metric, startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const minute = 60_000;
/** Links by subject; all learners take biology and eighteen of them history. */
const biology = "1";
const classSize = 20;
const patience = { timeout: 120_000, interval: 100 };
const learners = Array.from({ length: classSize }, (_, index) => `student${index + 1}`);

/** Launches as somebody and returns the tool's first answer, without waiting in the queue. */
async function launch(person: string, linkId: string): Promise<Seen> {
  const visitor = createVisitor();
  visitor.addCookie(world.lms.url, world.lms.cookieFor(person));
  const start = await visitor.open(`${world.lms.url}${world.lms.launchPath(linkId, "existing")}`);
  const toAuthorization = await visitor.submit(start);
  return visitor.submit(await visitor.open(toAuthorization.location ?? ""));
}

const ready = () => metric(world, "spaces_lti_ready_logins");
const world = await forAllTests(startWorld({ learners: classSize }));

/** The teacher comes once, so that a Space exists, and everybody on the roster is known and has an API user. */
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
    // Everybody except the teacher, who is inside.
    await vi.waitFor(async () => {
      expect(await ready()).toBe(classSize);
    }, patience);
  }, 240_000);

  test("is authorized once each, without a trace in the log", () => {
    const ahead = world.classroom.authorizations().slice(1);
    expect(ahead).toHaveLength(classSize);
    expect(new Set(ahead.map(({ userId }) => userId)).size).toBe(classSize);
    for (const token of tokens()) expect(world.output()).not.toContain(token);
  });

  test("enters immediately and together, without a call", async () => {
    const rest = learners;
    const known = tokens();
    const answers = await Promise.all(rest.map((person) => launch(person, biology)));
    expect(answers.map(({ status }) => status)).toEqual(rest.map(() => 303));
    expect(answers.every((answer) => known.includes(tokenOf(answer) ?? ""))).toBe(true);
    expect(new Set(answers.map(tokenOf)).size).toBe(classSize);
    expect(world.classroom.callCounts()).toMatchObject({ refusedByLimit: 0 });
    expect(await metric(world, 'spaces_lti_entries_total{way="ahead"}')).toBe(classSize);
  }, 60_000);
});
