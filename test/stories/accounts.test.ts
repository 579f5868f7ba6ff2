import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { nothingTurned } from "../../sandbox/assumptions.ts";
import { demoSeed } from "../../sandbox/demo-seed.ts";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { type StandInLms, startStandInLms } from "../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { addOwnClassroom, type OwnClassroom } from "../support/tool/institution-world.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { startWorld } from "../support/tool/start-world.ts";

/** The Canvas's courses belong to two schools that share its client id; the Moodle is a third school's. */
const biology = { course: "2", link: "1" };
const chemistry = "3";

let world: DemoWorld;
let moodle: StandInLms;
let north: OwnClassroom;
let south: OwnClassroom;
let hill: OwnClassroom;
let canvasId: string;

const operator = (...command: string[]): Promise<unknown> => runCli(world.variables, command);
const platforms = async () =>
  z.array(z.object({ id: z.string(), issuer: z.string() })).parse(await operator("platform", "list"));
const linkOf = (lms: StandInLms, course: string) => lms.world.courses.get(course)?.links[0]?.id ?? "";
const enters = (lms: StandInLms, person: string, link: string) =>
  enterByCourseLink(createVisitor(), lms, person, link);
/** The user who was let in last, by the login in the redirect. */
const letInBy = ({ classroom }: OwnClassroom, { location }: Seen) => {
  const token = new URL(location ?? "http://nowhere.test").searchParams.get("token");
  return classroom.authorizations().find((one) => one.token === token);
};
const gradesOf = (lms: StandInLms, course: string, username: string) =>
  lms
    .gradebook(course)
    .learners.find((one) => one.username === username)
    ?.grades.map(({ value }) => value) ?? [];
/** A session is held in the only Space of a classroom, and a learner was in it. */
function holdLesson({ classroom }: OwnClassroom, userId: string, status: "PRESENT" | "LATE"): string {
  const [space] = classroom.spaces();
  const now = Date.now();
  const { eventId } = classroom.createEvent({
    spaceId: space?.spaceId ?? "",
    title: "Lesson",
    startsAt: now - 3_600_000,
    endsAt: now,
  });
  classroom.markAttendance({ eventId, userId, status });
  return eventId;
}

beforeAll(async () => {
  world = await startWorld({
    manners: "canvas",
    learners: 3,
    variables: { ADMIN_PASSWORD: "a password for one story only" },
  });
  moodle = await startStandInLms({
    port: await freePort(0),
    clock: systemClock,
    logger: createLogger("silent"),
    seed: demoSeed,
    manners: "moodle",
    turned: nothingTurned,
  });
  [north, south, hill] = await Promise.all(
    (["north", "south", "hill"] as const).map((id) => addOwnClassroom(world.variables, id)),
  ).then(([one, two, three]) => {
    if (one === undefined || two === undefined || three === undefined) throw new Error("three were added");
    return [one, two, three] as const;
  });
  const { url } = z.object({ url: z.url() }).parse(await operator("invite", "--account", "hill"));
  await createVisitor().open(await moodle.beginRegistration(url), { framed: true });

  canvasId = (await platforms()).find(({ issuer }) => issuer !== moodle.url)?.id ?? "";
  await operator("account", "bind", "north", "--registration", canvasId);
  await enters(world.lms, "teacher1", biology.link);
  // The second school's installation becomes known when one of its pages is opened first.
  const [tool] = world.lms.tools();
  const deployment = world.lms.installInCourse(tool?.id ?? "", chemistry);
  await operator("platform", "new-deployments", canvasId, "refuse");
  await enters(world.lms, "teacher1", linkOf(world.lms, chemistry));
  await operator("platform", "deployment", canvasId, deployment, "accept");
  await operator("account", "bind", "south", "--registration", canvasId, "--deployment", deployment);
});
afterAll(async () => {
  await Promise.all([north, south, hill].map(({ classroom }) => classroom.close()));
  await moodle.close();
  await world.close();
});

describe("Three schools on one tool, two of them behind one client id", { timeout: 180_000 }, () => {
  const users = { north: "", south: "", hill: "" };

  test("a learner of each school enters its own classroom", async () => {
    const seen = {
      north: await enters(world.lms, "student1", biology.link),
      south: await enters(world.lms, "student1", linkOf(world.lms, chemistry)),
      hill: await enters(moodle, "student1", biology.link),
    };
    for (const school of [north, south, hill]) {
      const name = z.enum(["north", "south", "hill"]).parse(school.account);
      const login = letInBy(school, seen[name]);
      expect(login, `${name} let them in`).toBeDefined();
      users[name] = login?.userId ?? "";
      expect(school.classroom.spaces(), `${name} has its one Space`).toHaveLength(1);
    }
    expect(world.classroom.spaces(), "the operator's own classroom was asked for none").toHaveLength(0);
  });

  test("a learner is somebody else in each school: no classroom knows a user of another", () => {
    const known = [north, south, hill].map(
      ({ classroom }) => new Set(classroom.users().map(({ userId }) => userId)),
    );
    expect(new Set([users.north, users.south, users.hill]).size).toBe(3);
    expect(known[0]?.has(users.south)).toBe(false);
    expect(known[1]?.has(users.north)).toBe(false);
  });

  test("attendance in each school becomes a grade only in its own gradebook", async () => {
    holdLesson(north, users.north, "PRESENT");
    holdLesson(south, users.south, "LATE");
    holdLesson(hill, users.hill, "LATE");
    await vi.waitFor(() => {
      expect(gradesOf(world.lms, biology.course, "student1")).toContain(100);
      expect(gradesOf(world.lms, chemistry, "student1")).toContain(80);
      expect(gradesOf(moodle, biology.course, "student1")).toContain(80);
    }, patience);
  });

  test("a page links to its own school's classroom and names no other", async () => {
    const page = await openCourseLink(createVisitor(), world.lms, "teacher1", biology.link);
    expect(page.status).toBe(200);
    expect(page.policy ?? "").toContain(new URL(north.classroom.appUrl).origin);
    for (const { classroom } of [south, hill])
      expect(`${page.policy ?? ""} ${page.text}`).not.toContain(new URL(classroom.appUrl).host);
  });

  test("one school's secret is refused at another's address, and at an unknown one", async () => {
    const send = (account: string, secret: string) =>
      fetch(`${world.toolUrl}/webhooks/${account}`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: "{}",
      });
    expect((await send("south", north.webhookSecret)).status).toBe(401);
    expect((await send("nobody", north.webhookSecret)).status).toBe(404);
    expect((await send("north", north.webhookSecret)).status).toBe(202);
  });

  test("one school's report about another's session and learner changes nothing there", async () => {
    const eventId = holdLesson(south, users.south, "PRESENT");
    await vi.waitFor(() => expect(gradesOf(world.lms, chemistry, "student1")).toContain(90), patience);
    const forged = await fetch(`${world.toolUrl}/webhooks/north`, {
      method: "POST",
      headers: { authorization: `Bearer ${north.webhookSecret}`, "content-type": "application/json" },
      body: JSON.stringify({
        eventId,
        userId: users.south,
        timestamp: new Date().toISOString(),
        updatedBy: users.south,
        prevStatus: { status: "PRESENT" },
        currentStatus: { status: "ABSENT" },
      }),
    });
    expect(forged.status).toBe(202);
    holdLesson(north, users.north, "LATE");
    await vi.waitFor(() => expect(gradesOf(world.lms, biology.course, "student1")).toContain(90), patience);
    expect(gradesOf(world.lms, chemistry, "student1")).toContain(90);
  });

  test("a paused account lets nobody in and says so, while the others continue", async () => {
    await operator("account", "pause", "south");
    await vi.waitFor(async () => {
      const shut = await enters(world.lms, "student2", linkOf(world.lms, chemistry));
      expect(shut.location).toBeNull();
      expect(shut.text).toMatch(/paused/i);
    }, patience);
    const open = await enters(world.lms, "student2", biology.link);
    expect(letInBy(north, open)).toBeDefined();
    await operator("account", "resume", "south");
    await vi.waitFor(async () => {
      expect(letInBy(south, await enters(world.lms, "student2", linkOf(world.lms, chemistry)))).toBeDefined();
    }, patience);
  });
});
