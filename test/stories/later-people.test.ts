import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../src/sandbox/visitor.ts";
import { waitInQueue } from "../../src/sandbox/wait-in-queue.ts";
import { patience } from "../support/patience.ts";
import { startWorld, type Turns, walkIn } from "../support/tool/start-world.ts";

const biology = { id: "2", link: "1", name: "BIO101" };
const history = { id: "3", link: "2" };
/** What the settings page has when nobody has changed anything. */
const usualSettings = {
  mode: "tab",
  instructors: "page",
  call: "host",
  skipDeviceSetup: "no",
  galleryView: "no",
  standalone: "yes",
  guests: "enter",
  language: "lms",
  startLocalRecording: "no",
  opens: "always",
  minutesBefore: "15",
  minutesAfter: "15",
  who: "all",
  access: "unknown",
};

/** Somebody comes through the link of biology, and presses the button where something is said first. */
async function enters(world: DemoWorld, visitor: Visitor, username: string): Promise<Seen> {
  const seen = await openCourseLink(visitor, world.lms, username, biology.link);
  if (seen.status !== 200) return seen;
  return waitInQueue(visitor, await visitor.submit(seen, { action: "/enter" }));
}

/** The Space's page of somebody who came through the link of biology. */
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
  // One that was made while settings were saved is left unused.
  const space = world.classroom.spaces().findLast(({ name }) => name.startsWith(biology.name));
  if (space === undefined) throw new Error("biology has no Space");
  return space;
};

/** Whom the Space was told of later, one entry for each call that was answered well. */
const added = (world: DemoWorld) =>
  world.classroom
    .calls()
    .filter(({ operation, status }) => operation === "addToSpace" && status !== null && status < 300)
    .map(({ body }) => body);

/** Who teaches biology enters first: the Space goes by the list of hosts that it is made with. */
async function openWorld(turns: Turns): Promise<DemoWorld> {
  const world = await startWorld({ learners: 3, turns });
  world.lms.unenrol(biology.id, "12");
  const host = await walkIn(world, "teacher1", biology.link);
  expect(spaceOf(world).hostUserIds).toEqual([host]);
  return world;
}

describe("where the classroom adds nobody to a Space", () => {
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

  test("the course's settings say so, and whom the Space knows", async () => {
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

describe("where the classroom adds somebody to a Space", () => {
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

  test("the course's settings name both as hosts, and nobody who joined later", async () => {
    const text = await settingsOf(world, "teacher1");
    expect(text).toMatch(
      /Instructors the classroom knows: (Tessa Lindqvist, Ravi Anand|Ravi Anand, Tessa Lindqvist)\./,
    );
    expect(text).not.toContain("Joined later");
  });

  test("a learner who joins it later stands among its participants", async () => {
    enrol(world, "student2", "student");
    const page = await inSpace(world, "student2");
    expect(roleIn(page)).toBe("participant");
    expect(spaceOf(world).participantUserIds).toContain(userIn(page));
    expect(spaceOf(world).hostUserIds).not.toContain(userIn(page));
  });

  test("nobody is added twice: not by coming again, not by opening the link five times at once", async () => {
    enrol(world, "student3", "student");
    const opened = Array.from({ length: 5 }, () =>
      openCourseLink(createVisitor(), world.lms, "student3", biology.link),
    );
    // The newest of five tabs has the place in the line; the others are told so.
    expect((await Promise.all(opened)).map(({ status }) => status)).toContain(303);
    const userId = userIn(await inSpace(world, "student3"));
    await inSpace(world, "student2");
    await inSpace(world, "teacher2");
    const told = added(world);
    expect(told.filter((body) => JSON.stringify(body).includes(`"${userId}"`))).toHaveLength(1);
    expect(new Set(told.map((body) => JSON.stringify(body))).size).toBe(told.length);
  });

  test("who was told when the Space was made is not added", async () => {
    const before = added(world).length;
    expect(roleIn(await inSpace(world, "teacher1"))).toBe("host");
    expect(added(world)).toHaveLength(before);
  });

  test("a learner who becomes a teacher is told again, as a host", async () => {
    await inSpace(world, "student2");
    enrol(world, "student2", "teacher");
    const page = await inSpace(world, "student2");
    expect(roleIn(page)).toBe("host");
    expect(added(world)).toContainEqual({ userId: userIn(page), role: "host" });
  });

  test("a service that fails to add locks nobody out, and is asked again at the next entry", async () => {
    enrol(world, "student4", "student");
    world.classroom.addFault({ operation: "addToSpace", kind: "500", times: 1 });
    const page = await inSpace(world, "student4");
    expect(roleIn(page)).toBe("participant");
    expect(spaceOf(world).participantUserIds).not.toContain(userIn(page));
    expect(await settingsOf(world, "teacher1")).toContain("didn’t add Łukasz Żółkiewski");
    await vi.waitFor(() => {
      expect(world.output()).toContain("somebody could not be added to their Space");
    }, patience);
    await inSpace(world, "student4");
    expect(spaceOf(world).participantUserIds).toContain(userIn(page));
  });
});

describe("a Private Space whose lists the classroom adds to", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld({ learners: 3, turns: { addedWhenMade: true } });
    // The launch takes a place in the line, so the Space is being made while the instructor reads and saves.
    world.classroom.addFault({ operation: "createSpace", kind: "429", times: 1_000 });
    const visitor = createVisitor();
    const home = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
    const settings = await visitor.submit(home, { action: "/course/settings" });
    const fields = { ...usualSettings, newAccess: "Private", newWaiting: "no" };
    const saved = await visitor.submit(settings, { action: "/course/settings/save", fields });
    expect(saved.text).toContain("Saved");
    expect(saved.text).not.toContain("was made while this page was open");
    world.classroom.clearFaults();
    await walkIn(world, "teacher1", biology.link);
    expect(spaceOf(world).access).toBe("Private");
  });
  afterAll(() => world.close());

  test("lets in a learner who joins the course later", async () => {
    enrol(world, "student4", "student");
    expect(roleIn(await inSpace(world, "student4"))).toBe("participant");
  });

  test("tells a learner in plain words that they were not put on its list, and lets them in once they are", async () => {
    enrol(world, "student5", "student");
    world.classroom.addFault({ operation: "addToSpace", kind: "garbage", times: 1 });
    const refused = await enters(world, createVisitor(), "student5");
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("is by invitation, and you’re not invited yet");
    expect(refused.text).not.toContain("dialect");
    expect(roleIn(await inSpace(world, "student5"))).toBe("participant");
  });

  test("is told of people of another course, too, whose instructor links it", async () => {
    const teacher = [...world.lms.world.people.values()].find(({ username }) => username === "teacher1");
    if (teacher === undefined) throw new Error("nobody teaches biology");
    world.lms.enrol(history.id, { ...teacher, role: "teacher" });
    // Else history's own Space may be made between the pages, which the second one would notice.
    await walkIn(world, "teacher1", history.link);
    const visitor = createVisitor();
    const home = await openCourseLink(visitor, world.lms, "teacher1", history.link, { framed: true });
    const settings = await visitor.submit(home, { action: "/course/settings" });
    const { spaceId } = spaceOf(world);
    const action = "/course/settings/space";
    const asked = await visitor.submit(settings, { action });
    const looked = await visitor.submit(asked, { action, fields: { act: "look", space: spaceId } });
    const linked = await visitor.submit(looked, {
      action,
      fields: { act: "link", space: spaceId, share: "yes" },
    });
    expect(linked.text).toContain("Space linked,");
    const learner = await walkIn(world, "student1", history.link);
    expect(spaceOf(world).participantUserIds).toContain(learner);
    expect(world.classroom.authorizations().at(-1)).toMatchObject({ userId: learner, spaceId });
  });
});
