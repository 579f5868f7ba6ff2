import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NewClassroomSpace } from "../../../src/classroom/client.ts";
import type { Course } from "../../../src/domain/course.ts";
import type { NewSpace } from "../../../src/domain/course-link.ts";
import { changeCourseSettings, type SettingsOutcome } from "../../../src/modules/courses/change-settings.ts";
import { ensureSpace } from "../../../src/modules/spaces/ensure-space.ts";
import { openProvisioning, type ProvisioningCourse } from "../../support/builders/open-provisioning.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const closed: NewSpace = { access: "Private", waitingRoom: false };

const database = await forAllTests(openEmptyStores());
let course: ProvisioningCourse;
/** How each Space was created, in this order. */
let made: string[];
/** What somebody does while the classroom creates the first one. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  course = await openProvisioning({ from: database });
  made = [];
  meanwhile = () => Promise.resolve();
});
afterEach(() => course.close());

function deps() {
  const { classroomOf } = course.workerDeps;
  return {
    ...course.workerDeps,
    ...course.stores,
    isSpaceOrigin: () => true,
    classroomOf: () => ({
      ...classroomOf("production"),
      createSpace: async ({ access }: NewClassroomSpace) => {
        const spaceId = `space-${made.push(access)}`;
        if (made.length === 1) await meanwhile();
        return { spaceId, elsewhere: null, listed: [] };
      },
    }),
  };
}

async function now(): Promise<Course> {
  return required(await course.stores.courses.find(course.course.id));
}

/** An instructor saves what their page asks while there is no Space. */
async function saves(change: { newSpace?: NewSpace } = {}): Promise<SettingsOutcome> {
  const seen = await now();
  const { settings, door } = seen;
  return changeCourseSettings(course.stores, seen, seen.settingsRevision, { settings, door, ...change });
}

const enters = () => ensureSpace(deps(), course.course, null);

test("options that the institution locked are not saved", async () => {
  const seen = { ...(await now()), locked: ["mode"] as const };
  const { settings, door, settingsRevision } = seen;
  const changed = { settings: { ...settings, mode: "embedded" as const }, door };
  await expect(changeCourseSettings(course.stores, seen, settingsRevision, changed)).rejects.toMatchObject({
    code: "set-by-institution",
  });
  expect((await now()).settings).toEqual(settings);
});

describe("A course's Space is Private when an instructor has saved that", () => {
  test("before it is created, however old the course is that the process holds", async () => {
    expect(await saves({ newSpace: closed })).toBe("saved");
    expect(await enters()).toBe("space-1");
    expect(made).toEqual(["Private"]);
  });

  test("while it is created: the Public one is not used, and stays the course's", async () => {
    meanwhile = async () => {
      expect(await saves({ newSpace: closed })).toBe("saved");
    };
    expect(await enters()).toBe("space-2");
    expect(made).toEqual(["Public", "Private"]);
    expect(await now()).toMatchObject({ spaceId: "space-2", spaceAccess: "invited-only" });
    expect(await course.stores.courses.mayUse(await now(), "space-1")).toBe(true);
    expect(await enters()).toBe("space-2");
  });

  test("while it is created and others wait for it: all of them enter that one", async () => {
    const others: Promise<string>[] = [];
    meanwhile = async () => {
      others.push(enters(), enters());
      await saves({ newSpace: closed });
    };
    expect(await enters()).toBe("space-2");
    expect(await Promise.all(others)).toEqual(["space-2", "space-2"]);
    expect(made).toEqual(["Public", "Private"]);
  });
});

test("other settings that are saved while a Space is created leave it alone", async () => {
  meanwhile = () => saves();
  expect(await enters()).toBe("space-1");
  expect(made).toEqual(["Public"]);
  expect((await now()).spaceId).toBe("space-1");
});

test("a Space that was linked while another one was created stays", async () => {
  meanwhile = async () => {
    await saves({ newSpace: closed });
    await course.stores.courses.replaceSpace(course.course, null, "linked");
  };
  expect(await enters()).toBe("linked");
  expect(made).toEqual(["Public"]);
});

test("an instructor who saves after the Space was created is told that it stays, and its texts stay, too", async () => {
  await saves({ newSpace: closed });
  const seen = await now();
  const { settings, door } = seen;
  await enters();
  const rules = { settings, door, newSpace: { ...closed, waitingRoom: true } };
  const saved = await changeCourseSettings(course.stores, seen, seen.settingsRevision, rules);
  expect(saved).toBe("for-next-space");
  expect(await now()).toMatchObject({ spaceId: "space-1", spaceAccess: "invited-only" });
});
