import { describe, expect, test } from "vitest";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { approveSpaceFor } from "../support/builders/approve-space.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { type Page, press } from "../support/tool/pages.ts";

const world = await forAllTests(startTinyWorld());

function comes(who: "teacher" | "learner", course: string): Promise<Page> {
  const roles = who === "teacher" ? {} : { roles: [learnerRole] };
  return world.launch({ claims: claimsOf({ sub: who, name: "Tess Teacher", course, ...roles }) });
}

/** Somebody enters; what the classroom was asked for. */
async function entersWith(page: Page): Promise<Readonly<Record<string, string>>> {
  const answer = await waitInQueue(page.visitor, await page.visitor.submit(page, { action: "/enter" }));
  expect(answer.status, answer.text).toBe(303);
  const token = new URL(answer.location ?? "").searchParams.get("token");
  return world.classroom.authorizations().find((one) => one.token === token)?.parameters ?? {};
}

describe("another Space for a course", () => {
  const spaceOf = async (course: string) => (await world.courseOf(course)).spaceId ?? "";

  test("is made once, however many press, and the old one's sessions stay", async () => {
    const course = "40";
    const teacher = await comes("teacher", course);
    await entersWith(teacher);
    const old = await spaceOf(course);
    const made = world.classroom.spaces().length;
    const settings = await press(teacher, "/course/settings");
    const asked = await press(await press(settings, "/course/settings/space"), "/course/settings/space", {
      act: "look-new",
      newAccess: "Public",
      newWaiting: "yes",
    });
    expect(textOf(asked)).toContain("Past sessions, attendance and grades stay");
    expect(await spaceOf(course), "only asked").toBe(old);
    const fields = { act: "make", seen: old, newAccess: "Public", newWaiting: "yes" };
    const pages = await Promise.all([1, 2, 3].map(() => press(asked, "/course/settings/space", fields)));
    for (const page of pages) expect(textOf(page)).toContain("New Space made,");
    expect(world.classroom.spaces()).toHaveLength(made + 1);
    expect(await spaceOf(course)).not.toBe(old);
    expect((await world.courseOf(course)).spaceAccess).toBe("waiting-room");
    const owners = await world.stores.courses.findBySpace("production", old);
    expect(owners.map(({ contextId }) => contextId)).toEqual([course]);
    const trail = await press(settings, "/course/audit");
    expect(textOf(trail).match(/Classroom changed/g)).toHaveLength(1);
    expect(textOf(trail)).toContain(`/spaces/${old} →`);
  });

  test("may be one that exists, when it is one, is nobody else's, and somebody says so of a shared one", async () => {
    const course = "41";
    await entersWith(await comes("teacher", "42"));
    const others = await spaceOf("42");
    const teacher = await comes("teacher", course);
    await entersWith(teacher);
    const seen = await spaceOf(course);
    const settings = await press(teacher, "/course/settings");
    const choice = await press(settings, "/course/settings/space");
    const look = (space: string) => press(choice, "/course/settings/space", { act: "look", space });
    const app = world.classroom.appUrl;
    for (const [typed, said] of [
      ["https://elsewhere.test/spaces/x", "That isn’t a Space."],
      ["", "Paste a Space’s address"],
    ] as const) {
      const refused = await look(typed);
      expect(refused.status).toBe(422);
      expect(textOf(refused)).toContain(said);
      expect(refused.text).toContain(`value="${typed}"`);
    }
    const shared = await look(`${app}/spaces/${others}?language=de`);
    expect(textOf(shared)).toContain("Other courses use this Space too: Course 42");
    const fields = { act: "link", seen, space: others, share: "" };
    expect((await press(shared, "/course/settings/space", fields)).status).toBe(422);
    expect(await spaceOf(course)).toBe(seen);
    await press(shared, "/course/settings/space", { ...fields, share: "yes" });
    expect(await spaceOf(course)).toBe(others);

    await approveSpaceFor(world.stores, await world.courseOf(course), "by-hand");
    const late = await press(choice, "/course/settings/space", { act: "link", seen, space: "by-hand" });
    expect([late.status, await spaceOf(course)]).toEqual([409, others]);
    await press(choice, "/course/settings/space", { act: "link", seen: others, space: "by-hand" });
    expect(await spaceOf(course)).toBe("by-hand");
  });
});
