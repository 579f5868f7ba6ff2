import { describe, expect, test } from "vitest";
import { type InstitutionDefaults, nothingSet } from "../../src/settings/in-effect.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { approveSpaceFor } from "../support/builders/approve-space.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { usualSettings } from "../support/tool/usual-settings.ts";

const world = await forAllTests(startTinyWorld());

type Page = Seen & { visitor: Visitor };

function comes(who: "teacher" | "learner", course: string): Promise<Page> {
  const roles = who === "teacher" ? {} : { roles: [learnerRole] };
  return world.launch({ claims: claimsOf({ sub: who, name: "Tess Teacher", course, ...roles }) });
}

async function goes(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}

/** Somebody enters; what the classroom was asked for. */
async function entersWith(page: Page): Promise<Readonly<Record<string, string>>> {
  const answer = await waitInQueue(page.visitor, await page.visitor.submit(page, { action: "/enter" }));
  expect(answer.status, answer.text).toBe(303);
  const token = new URL(answer.location ?? "").searchParams.get("token");
  return world.classroom.authorizations().find((one) => one.token === token)?.parameters ?? {};
}

/** The institution sets something, as its console does. */
async function sets(change: Partial<InstitutionDefaults>): Promise<void> {
  const { revision } = await world.stores.institutionDefaults.find(world.registration.id);
  const rules = { ...nothingSet(world.registration.id), revision, ...change };
  expect(await world.stores.institutionDefaults.change(rules, { regrades: true })).toBe(true);
}

describe("what an institution locks", () => {
  test("holds at once, is shown and not asked, and gives the own choice back when it goes", async () => {
    const course = "10";
    const teacher = await comes("teacher", course);
    expect(await entersWith(teacher)).toEqual({ startCall: "true", standalone: "true" });
    await goes(await goes(teacher, "/course/settings"), "/course/settings/save", {
      ...usualSettings,
      skipDeviceSetup: "yes",
    });
    await sets({
      values: { galleryView: true, skipDeviceSetup: false },
      locked: ["galleryView", "skipDeviceSetup"],
    });
    expect(await entersWith(await comes("learner", course))).toEqual({ gv: "true", standalone: "true" });

    const settings = await goes(teacher, "/course/settings");
    expect(textOf(settings)).toContain("Begin in gallery view: Yes Locked by ");
    expect(settings.text).not.toContain('name="galleryView"');
    const saved = await goes(settings, "/course/settings/save", { ...usualSettings, language: "fr" });
    expect(textOf(saved)).toContain("Saved.");
    expect(await entersWith(await comes("learner", course))).toMatchObject({ gv: "true", language: "fr" });

    await sets({});
    const after = await entersWith(await comes("learner", course));
    expect(after).toEqual({ skipDeviceSetup: "true", standalone: "true", language: "fr" });
  });
});

describe("a default of an institution", () => {
  test("is what new courses begin with; others keep theirs until somebody resets, having seen what that changes", async () => {
    const course = "30";
    await comes("teacher", course);
    await sets({ values: { galleryView: true, language: "de" } });
    expect((await world.courseOf(course)).settings).toMatchObject({ galleryView: false, language: "lms" });
    await comes("teacher", "31");
    expect((await world.courseOf("31")).settings).toMatchObject({ galleryView: true, language: "de" });

    const settings = await goes(await comes("teacher", course), "/course/settings");
    const asked = await goes(settings, "/course/settings/reset");
    expect(textOf(asked)).toContain("Begin in gallery view No Yes");
    expect((await world.courseOf(course)).settings, "only asked").toMatchObject({ galleryView: false });
    await goes(asked, "/course/settings/save", { act: "reset-now" });
    expect((await world.courseOf(course)).settings).toMatchObject({ galleryView: true, language: "de" });

    const trail = await goes(settings, "/course/audit", { kind: "settings" });
    expect(textOf(trail)).toContain("Settings changed Begin in gallery view: No → Yes");
    expect(textOf(trail)).toContain("Tess Teacher");
    const other = await goes(settings, "/course/audit", { kind: "sessions" });
    expect(textOf(other)).toContain("No change of this kind yet.");
    await sets({});
  });
});

describe("another Space for a course", () => {
  const spaceOf = async (course: string) => (await world.courseOf(course)).spaceId ?? "";

  test("is made once, however many press, and the old one's sessions stay", async () => {
    const course = "40";
    const teacher = await comes("teacher", course);
    await entersWith(teacher);
    const old = await spaceOf(course);
    const made = world.classroom.spaces().length;
    const settings = await goes(teacher, "/course/settings");
    const asked = await goes(await goes(settings, "/course/settings/space"), "/course/settings/space", {
      act: "look-new",
      newAccess: "Public",
      newWaiting: "yes",
    });
    expect(textOf(asked)).toContain("Past sessions, attendance and grades stay");
    expect(await spaceOf(course), "only asked").toBe(old);
    const press = { act: "make", seen: old, newAccess: "Public", newWaiting: "yes" };
    const pages = await Promise.all([1, 2, 3].map(() => goes(asked, "/course/settings/space", press)));
    for (const page of pages) expect(textOf(page)).toContain("New Space made,");
    expect(world.classroom.spaces()).toHaveLength(made + 1);
    expect(await spaceOf(course)).not.toBe(old);
    expect((await world.courseOf(course)).spaceAccess).toBe("waiting-room");
    const owners = await world.stores.courses.findBySpace("production", old);
    expect(owners.map(({ contextId }) => contextId)).toEqual([course]);
    const trail = await goes(settings, "/course/audit");
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
    const settings = await goes(teacher, "/course/settings");
    const choice = await goes(settings, "/course/settings/space");
    const look = (space: string) => goes(choice, "/course/settings/space", { act: "look", space });
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
    const press = { act: "link", seen, space: others, share: "" };
    expect((await goes(shared, "/course/settings/space", press)).status).toBe(422);
    expect(await spaceOf(course)).toBe(seen);
    await goes(shared, "/course/settings/space", { ...press, share: "yes" });
    expect(await spaceOf(course)).toBe(others);

    await approveSpaceFor(world.stores, await world.courseOf(course), "by-hand");
    const late = await goes(choice, "/course/settings/space", { act: "link", seen, space: "by-hand" });
    expect([late.status, await spaceOf(course)]).toEqual([409, others]);
    await goes(choice, "/course/settings/space", { act: "link", seen: others, space: "by-hand" });
    expect(await spaceOf(course)).toBe("by-hand");
  });
});
