import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { sessionsOf } from "../support/tool/sessions-of.ts";
import { learnerRole, post } from "../support/stand-ins/signed-launch.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { claimsOf, startTinyWorld, textOf, type TinyWorld } from "../support/tool/tiny-world.ts";

const hour = 3_600_000;
const openAgain = /Open the (classroom )?link in your course again/;

describe("A session of a course", () => {
  let world: TinyWorld;
  beforeAll(async () => {
    world = await startTinyWorld();
  });
  afterAll(() => world.close());

  const opened = async (person: Parameters<typeof claimsOf>[0]): Promise<{ page: Seen; token: string }> => {
    const page = await world.launch({ claims: claimsOf(person) });
    return { page, token: hiddenField(page, "session") };
  };
  const press = async (path: string, token: string, fields: Record<string, string> = {}) => {
    const answer = await post(`${world.toolUrl}${path}`, { session: token, ...fields });
    return { status: answer.status, text: textOf({ text: await answer.text() }) };
  };
  /** The instructor's session as it would be after a launch so long ago (ms). */
  const begunBefore = async (ms: number, change: { only?: "entry" } = {}) => {
    const course = await world.courseOf("2");
    const [member] = await world.stores.members.listAfter(
      { registrationId: course.registrationId, courseId: course.id },
      "",
      1,
    );
    const facts = {
      registrationId: course.registrationId,
      courseId: course.id,
      courseLinkId: null,
      locale: "de",
    };
    const clock = { now: () => Date.now() - ms, sleep: () => Promise.resolve() };
    const sessions = sessionsOf(world.stores, { clock });
    return sessions.issue({
      ...facts,
      ...change,
      personId: member?.personId ?? "",
      role: "instructor",
      staffRole: "teacher",
    });
  };

  test("is carried by every page as it is, and is worth nothing with another secret", async () => {
    const { token } = await opened({ sub: "ina" });
    const answer = await post(`${world.toolUrl}/course/people`, { session: token });
    const carried = [...(await answer.text()).matchAll(/name="session" value="([^"]*)"/g)].map(
      ([, it]) => it,
    );
    expect(new Set(carried)).toEqual(new Set([token]));
    const [id = "", secret = ""] = token.split(".");
    const wrong = secret.startsWith("A") ? `B${secret.slice(1)}` : `A${secret.slice(1)}`;
    for (const made of [id, `${id}.`, `${id}.${wrong}`, `.${secret}`, `${wrong.slice(0, 16)}.${secret}`])
      expect([made, (await press("/course/people", made)).status]).toEqual([made, 401]);
    // Whoever reads the store cannot use it.
    const stored = await world.stores.browserSessions.find(id);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test("ends after two idle hours and says so in its own language", async () => {
    const late = await press("/course/people", await begunBefore(2 * hour + 1_000));
    expect(late.status).toBe(401);
    expect(late.text).toContain("Diese Seite ist abgelaufen.");
    expect((await press("/course/people", await begunBefore(2 * hour - 60_000))).status).toBe(200);
    expect((await press("/enter", await begunBefore(2 * hour + 1_000, { only: "entry" }))).status).toBe(401);
  });

  test("ends twelve hours after its launch, however much it is used", async () => {
    const token = await begunBefore(hour);
    const [id = ""] = token.split(".");
    // In use all the time since.
    const record = await world.stores.browserSessions.find(id);
    if (record === null) throw new Error("there is no such session");
    const aged = {
      ...record,
      launchedAt: Date.now() - 12 * hour,
      endsAt: Date.now() - 1,
      lastSeenAt: Date.now(),
    };
    await world.stores.browserSessions.insert({ ...aged, id: `${id.slice(0, -2)}--` });
    expect((await press("/course/people", token.replace(id, `${id.slice(0, -2)}--`))).status).toBe(401);
    expect((await press("/course/people", token)).status).toBe(200);
  });

  test("is moved on by use, once a minute", async () => {
    const token = await begunBefore(90 * 60_000);
    const [id = ""] = token.split(".");
    expect((await press("/course/people", token)).status).toBe(200);
    const seen = async () => (await world.stores.browserSessions.find(id))?.lastSeenAt ?? 0;
    await vi.waitFor(async () => expect(await seen()).toBeGreaterThan(Date.now() - 60_000), patience);
    const first = await seen();
    expect((await press("/course/people", token)).status).toBe(200);
    expect(await seen()).toBe(first);
  });

  test.each([
    ["instructor", {}],
    ["learner", { roles: [learnerRole] }],
  ])(
    "ends when its %s signs out, with all pages that carry it, and says how to come back",
    async (who, role) => {
      const { page, token } = await opened({ sub: `leaver ${who}`, ...role });
      expect(page.text).toMatch(/action="[^"]*\/sign-out"/);
      const out = await press("/course/sign-out", token);
      expect(out.status).toBe(200);
      expect(out.text).toContain("You have signed out");
      expect(out.text).toContain("To come back, open the classroom link in your course.");
      for (const path of ["/course/home", "/enter", "/course/my-sessions", "/course/grades.csv", "/alive"]) {
        const answer = await press(path, token);
        expect([path, answer.status]).toEqual([path, 401]);
        expect(answer.text).toMatch(openAgain);
      }
      // A new launch is a new session.
      const { token: next } = await opened({ sub: `leaver ${who}`, ...role });
      expect((await press("/course/home", next)).status).toBe(200);
    },
  );

  test("leaves the person's others alone at sign-out, and ends them when asked to", async () => {
    const { token } = await opened({ sub: "two tabs" });
    const { token: other } = await opened({ sub: "two tabs" });
    const { token: stranger } = await opened({ sub: "somebody else" });
    const out = await press("/course/sign-out", token);
    expect(out.text).toContain("You opened this classroom once more and are still signed in there.");
    expect((await press("/course/people", other)).status).toBe(200);
    const everywhere = await press("/course/signed-out", token);
    expect(everywhere.text).toContain("All your pages of this course are closed");
    expect((await press("/course/people", other)).status).toBe(401);
    expect((await press("/course/people", stranger)).status).toBe(200);
  });

  test("of an instructor ends with a later launch as a learner, and stays over when they teach again", async () => {
    const { token } = await opened({ sub: "demoted" });
    await opened({ sub: "demoted", roles: [learnerRole] });
    const answer = await press("/course/people", token);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("Your role in this course has changed");
    await opened({ sub: "demoted" });
    expect((await press("/course/people", token)).status).toBe(401);
  });

  test("is one of twenty at most: of more, those idle for longest end", async () => {
    const first = (await opened({ sub: "many" })).token;
    const others = [];
    for (let n = 0; n < 20; n += 1) others.push((await opened({ sub: "many" })).token);
    await vi.waitFor(async () => {
      const answer = await press("/course/people", first);
      expect([answer.status, answer.text]).toEqual([401, expect.stringContaining("too many pages open")]);
    }, patience);
    expect((await press("/course/people", others.at(-1) ?? "")).status).toBe(200);
  });

  test("ends when the person or the course is erased", async () => {
    const { token } = await opened({ sub: "erased", course: "gone" });
    const course = await world.courseOf("gone");
    await world.stores.personalRecords.remove(
      "BrowserSession",
      { registrationId: course.registrationId, courseId: course.id },
      10,
    );
    expect((await press("/course/people", token)).status).toBe(401);
  });
});

describe("A page that a Moodle teacher has open", () => {
  let world: DemoWorld;
  const visitor = createVisitor();
  beforeAll(async () => {
    world = await startWorld({ learners: 2 });
  });
  afterAll(() => world.close());

  const pageOf = (person: string, link: string) =>
    openCourseLink(visitor, world.lms, person, link, { framed: true });
  /** Another teacher has the roster read, and waits until it is. */
  const readRoster = async (person: string, link: string) => {
    const page = await pageOf(person, link);
    const token = hiddenField(page, "session");
    const send = (path: string) => post(`${world.toolUrl}${path}`, { session: token });
    const done = () =>
      vi.waitFor(async () => {
        const progress = await (await send("/course/people/progress")).text();
        expect(progress).toContain('"phase":"done"');
      }, patience);
    // What the launch itself has asked for may be under way.
    await done();
    expect((await send("/course/people/read")).status).toBe(200);
    await done();
  };

  test("is over once the roster lists them as a student, and their next launch is a student's", async () => {
    const { course, link } = { course: "2", link: "1" };
    world.lms.enrol(course, { id: "90", role: "manager", given: "Mona", family: "Manager" });
    const page = await pageOf("teacher1", link);
    await readRoster("user90", link);
    expect((await visitor.submit(page, { action: "/course/people" })).status).toBe(200);
    world.lms.enrol(course, { id: "3", role: "student" });
    await readRoster("user90", link);
    await vi.waitFor(async () => {
      const answer = await visitor.submit(page, { action: "/course/grading" });
      expect(answer.status).toBe(410);
      expect(answer.text).toMatch(openAgain);
    }, patience);
    const learner = await pageOf("teacher1", link);
    expect(learner.text).not.toMatch(/\/grading["?]/);
  });

  test("of a non-editing teacher goes on: the list never called them anything but a student", async () => {
    const page = await pageOf("teacher1", "2");
    await readRoster("teacher2", "2");
    expect((await visitor.submit(page, { action: "/course/people" })).status).toBe(200);
  });
});
