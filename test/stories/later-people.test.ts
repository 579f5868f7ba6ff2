import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { startWorld, type Turns, walkIn } from "../support/tool/start-world.ts";

const biology = { id: "2", link: "1", name: "BIO101" };

/** Somebody comes through the link of biology, and presses the button if a page comes first. */
async function enters(world: DemoWorld, visitor: Visitor, username: string): Promise<Seen> {
  const seen = await openCourseLink(visitor, world.lms, username, biology.link);
  if (seen.status !== 200) return seen;
  return waitInQueue(visitor, await visitor.submit(seen, { action: "/enter" }));
}

/** The page of the Space for somebody who came through the link of biology. */
async function inSpace(world: DemoWorld, username: string): Promise<Seen> {
  const visitor = createVisitor();
  const entered = await enters(world, visitor, username);
  expect(entered.status, entered.text).toBe(303);
  return visitor.open(entered.location ?? "");
}

const roleIn = (page: Seen) => /id="role"\s*>(\w+)/.exec(page.text)?.[1];
const userIn = (page: Seen) => /id="user-id">([^<]+)/.exec(page.text)?.[1] ?? "";

function enrol(world: DemoWorld, username: string, role: "student" | "teacher"): void {
  const person = [...world.lms.world.people.values()].find((one) => one.username === username);
  if (person === undefined) throw new Error(`nobody is called ${username}`);
  world.lms.enrol(biology.id, { ...person, role });
}

/** What an instructor reads on the course's settings page. */
async function settingsOf(world: DemoWorld, username: string): Promise<string> {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, username, biology.link, { framed: true });
  const page = await visitor.submit(home, { action: "/course/settings" });
  expect(page.status).toBe(200);
  return page.text.replace(/\s+/g, " ");
}

const spaceOf = (world: DemoWorld) => {
  // A Space that was created while settings were saved stays unused.
  const space = world.classroom.spaces().findLast(({ name }) => name.startsWith(biology.name));
  if (space === undefined) throw new Error("biology has no Space");
  return space;
};

/** People who were added to the Space later, one entry for each successful call. */
const added = (world: DemoWorld) =>
  world.classroom
    .calls()
    .filter(({ operation, status }) => operation === "addToSpace" && status !== null && status < 300)
    .map(({ body }) => body);

/** The biology teacher enters first: the Space uses the list of hosts with which it is created. */
async function openWorld(turns: Turns): Promise<DemoWorld> {
  const world = await startWorld({ learners: 3, turns });
  world.lms.unenrol(biology.id, "12");
  const host = await walkIn(world, "teacher1", biology.link);
  expect(spaceOf(world).hostUserIds).toEqual([host]);
  return world;
}

describe("if the classroom adds nobody to a Space", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await openWorld({ addedWhenMade: false });
  });
  afterAll(() => world.close());

  test("an instructor who joins the course later enters as a participant", async () => {
    enrol(world, "teacher2", "teacher");
    expect(roleIn(await inSpace(world, "teacher2"))).toBe("participant");
    expect(added(world)).toEqual([]);
  });

  test("the course's settings say so, and list the people the Space knows", async () => {
    const text = await settingsOf(world, "teacher1");
    expect(text).toContain("Instructors the classroom knows: Tessa Lindqvist.");
    expect(text).toContain("Joined later: Ravi Anand. They may enter as participants");
    const warned = ["teacher1", "teacher2"].map(async (name) => {
      const home = await openCourseLink(createVisitor(), world.lms, name, biology.link, { framed: true });
      return home.text.includes("it may let you in as a participant");
    });
    expect(await Promise.all(warned), "on the later one’s home alone").toEqual([false, true]);
  });
});

describe("if the classroom adds people to a Space", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await openWorld({ addedWhenMade: true });
  });
  afterAll(() => world.close());

  test("an instructor who joins the course later enters as a host", async () => {
    enrol(world, "teacher2", "teacher");
    const page = await inSpace(world, "teacher2");
    expect(roleIn(page)).toBe("host");
    expect(spaceOf(world).hostUserIds).toContain(userIn(page));
  });

  test("the course's settings name both as hosts, and nobody as joined later", async () => {
    const text = await settingsOf(world, "teacher1");
    expect(text).toMatch(
      /Instructors the classroom knows: (Tessa Lindqvist, Ravi Anand|Ravi Anand, Tessa Lindqvist)\./,
    );
    expect(text).not.toContain("Joined later");
  });
});
