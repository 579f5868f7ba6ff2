import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { learnerRole, post } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf, type TinyWorld } from "../support/tool/tiny-world.ts";
import { sessionsOf } from "../support/tool/pages-app.ts";

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
  /** The instructor's session as if launched that long ago (ms). */
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

  test("is in the forms of every page, and is worthless with another secret", async () => {
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
    // Nobody who reads the store can use it.
    const stored = await world.stores.browserSessions.find(id);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test("is prolonged by use, once a minute", async () => {
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
  ])("ends with all its pages when its %s signs out, and says how to come back", async (who, role) => {
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
  });

  test("of an instructor ends with a later launch as a learner, and stays invalid when they teach again", async () => {
    const { token } = await opened({ sub: "demoted" });
    await opened({ sub: "demoted", roles: [learnerRole] });
    const answer = await press("/course/people", token);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("Your role in this course has changed");
    await opened({ sub: "demoted" });
    expect((await press("/course/people", token)).status).toBe(401);
  });
});
