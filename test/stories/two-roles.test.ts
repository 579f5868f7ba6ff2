import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, startWorld } from "../support/tool/start-world.ts";

const biology = { id: "2", link: "1", name: "BIO101" };
const history = { id: "3", link: "2", name: "HIS205" };

function enrol(world: DemoWorld, courseId: string, username: string, role: "student" | "teacher"): void {
  const person = [...world.lms.world.people.values()].find((one) => one.username === username);
  if (person === undefined) throw new Error(`nobody is called ${username}`);
  world.lms.enrol(courseId, { ...person, role });
}

/** The Space's page of somebody who came through a course's link. */
async function inSpace(world: DemoWorld, username: string, link: string): Promise<Seen> {
  const visitor = createVisitor();
  const entered = await enterByCourseLink(visitor, world.lms, username, link);
  expect(entered.status, entered.text).toBe(303);
  return visitor.open(entered.location ?? "");
}

const shownIn = (page: Seen) => ({
  role: /id="role"\s*>(\w+)/.exec(page.text)?.[1],
  userId: /id="user-id">([^<]+)/.exec(page.text)?.[1] ?? "",
  startedCall: page.text.includes("You started the call by joining."),
});

/** Where each address is taken once, the dialect file writes another one for hosts. */
const addressOf = ({ email }: { email: string | null }) => email?.replace("+host@", "@");

const spaceOf = (world: DemoWorld, course: string) =>
  world.classroom.spaces().find(({ name }) => name.startsWith(course))?.spaceId ?? "";

function mark(world: DemoWorld, course: string, userId: string, status: "PRESENT" | "LATE" | "ABSENT") {
  const startsAt = Date.now() - 3_600_000;
  const lesson = { title: "Lesson", startsAt, endsAt: Date.now(), spaceId: spaceOf(world, course) };
  const { eventId } = world.classroom.createEvent(lesson);
  world.classroom.markAttendance({ eventId, userId, status });
  return eventId;
}

async function everyWebhookProcessed(world: DemoWorld): Promise<void> {
  await world.classroom.webhooksSettled();
  await vi.waitFor(async () => {
    const metrics = await (await fetch(new URL("/metrics", world.toolUrl))).text();
    const counts = [...metrics.matchAll(/^spaces_lti_receipts{state="(\w+)"} (\d+)$/gm)];
    const open = counts.filter(
      ([, state, count]) => !["done", "kept"].includes(state ?? "") && count !== "0",
    );
    expect(open.map(([line]) => line)).toEqual([]);
  }, patience);
}

describe("who teaches one course and learns another", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    // Whatever else is turned round: what is told here is about a classroom whose users have roles.
    world = await startWorld({ learners: 2, turns: { aUserForEachRole: false } });
    // Who teaches history learns biology; a student of biology teaches history.
    enrol(world, biology.id, "teacher2", "student");
    enrol(world, history.id, "student1", "teacher");
    // A Space is told its hosts when it is made: whoever teaches is ready by then.
    await openCourseLink(createVisitor(), world.lms, "teacher2", history.link, { framed: true });
    await vi.waitFor(() => {
      const hosts = world.classroom.users().filter(({ role }) => role === "host");
      expect(hosts.map(addressOf)).toContain("student1@example.test");
    }, patience);
  });
  afterAll(() => world.close());

  test("who teaches history is a host there and a participant of the biology they learn", async () => {
    const taught = shownIn(await inSpace(world, "teacher2", history.link));
    const learned = shownIn(await inSpace(world, "teacher2", biology.link));
    expect([taught.role, taught.startedCall]).toEqual(["host", true]);
    expect([learned.role, learned.startedCall]).toEqual(["participant", false]);
    world.classroom.endSession({ spaceId: spaceOf(world, history.name) });
  });

  test("who learned biology first starts the call of the history they teach", async () => {
    const learned = shownIn(await inSpace(world, "student1", biology.link));
    const taught = shownIn(await inSpace(world, "student1", history.link));
    expect([learned.role, learned.startedCall]).toEqual(["participant", false]);
    expect([taught.role, taught.startedCall]).toEqual(["host", true]);
  });

  test("they keep these two users, however often they come", async () => {
    const ofPerson = (username: string) =>
      world.classroom
        .users()
        .filter((user) => addressOf(user) === `${username}@example.test`)
        .map(({ role }) => role)
        .toSorted();
    await inSpace(world, "student1", history.link);
    await inSpace(world, "student1", biology.link);
    expect([ofPerson("student1"), ofPerson("teacher2")]).toEqual([
      ["host", "participant"],
      ["host", "participant"],
    ]);
  });

  test("what is marked of the participant becomes their grade, and what is marked of the host nobody's", async () => {
    const learned = shownIn(await inSpace(world, "student1", biology.link)).userId;
    const taught = shownIn(await inSpace(world, "student1", history.link)).userId;
    mark(world, biology.name, learned, "LATE");
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.id, "student1")).toBe(80);
    }, patience);
    mark(world, history.name, taught, "PRESENT");
    await everyWebhookProcessed(world);
    expect(world.lms.scores()).toHaveLength(1);
  });
});
