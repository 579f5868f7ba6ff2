import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { UserInRole } from "../../../src/classroom/people.ts";
import type { ClassroomRole } from "../../../src/domain/person.ts";
import type { Course } from "../../../src/domain/course.ts";
import { type SpaceListApp, addToSpaceList } from "../../../src/modules/spaces/space-list.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openProvisioning, type ProvisioningCourse } from "../../support/builders/open-provisioning.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
const entering = { priority: "entry" } as const;
const ahead = { priority: "session" } as const;
const learner = { spaceId: "space-1", userId: "u1", role: "participant" } as const;
const host = { ...learner, role: "host" } as const;
const space = { environment: "production", spaceId: "space-1" } as const;

let opened: ProvisioningCourse;
let added: UserInRole[];
let answer: () => Promise<void>;
beforeEach(async () => {
  opened = await openProvisioning({ from: database });
  added = [];
  answer = () => Promise.resolve();
});
afterEach(() => opened.close());

function depsOf(roles: readonly ClassroomRole[] = ["host", "participant"]): SpaceListApp {
  const { spaceUsers } = opened.stores;
  return {
    spaceUsers,
    classroomOf: () => ({
      addsToSpace: roles,
      addToSpace: async ({ userId, role }, { onPermit }) => {
        await onPermit?.();
        added.push({ userId, role });
        await answer();
      },
    }),
    clock: systemClock,
    ids: randomIds,
    logger: createLogger("silent"),
  };
}

const inCourse = (spaceAccess: Course["spaceAccess"] = "unknown") => ({
  course: { ...opened.course, spaceId: "space-1", spaceAccess },
  link: null,
});
const refusing = () =>
  Promise.reject(new NamedError("classroom-refused", "No.", { details: { answer: 403 } }));
const silent = () =>
  Promise.reject(new NamedError("classroom-unreachable", "Nobody there.", { temporary: true }));
const codeOf = async (work: Promise<unknown>) => {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return thrown instanceof NamedError ? thrown.code : thrown;
};

describe("a person who enters is added to a Space", () => {
  test("once, however many processes let them in at the same moment", async () => {
    const every = Array.from({ length: 12 }, (_none, index) =>
      addToSpaceList(depsOf(), inCourse(), learner, index % 3 === 0 ? ahead : entering),
    );
    await Promise.all(every);
    expect(added).toEqual([{ userId: "u1", role: "participant" }]);
  });

  test("again as a host, and again as a participant when they return to that role", async () => {
    for (const who of [learner, host, host, learner])
      await addToSpaceList(depsOf(), inCourse(), who, entering);
    expect(added.map(({ role }) => role)).toEqual(["participant", "host", "participant"]);
  });

  test("unless they were named when it was created", async () => {
    const { course } = opened;
    await opened.stores.spaceUsers.noteMade(course, "space-1", [{ userId: "u1", role: "host" }], 7);
    await addToSpaceList(depsOf(), inCourse(), host, entering);
    expect(added).toEqual([]);
    expect(await opened.stores.spaceUsers.find(space, "u1")).toMatchObject({ role: "host", toldAt: 7 });
  });

  test("unless the dialect has no call for their role", async () => {
    await addToSpaceList(depsOf(["host"]), inCourse(), learner, entering);
    await addToSpaceList(depsOf(["host"]), inCourse(), { ...host, userId: "u2" }, entering);
    expect(added).toEqual([{ userId: "u2", role: "host" }]);
  });
});

describe("a classroom that refuses to add somebody", () => {
  test.each([
    ["refuses", refusing],
    ["does not answer", silent],
  ])("and %s locks nobody out of a Public Space; the next entry tries again", async (_how, fails) => {
    answer = fails;
    await addToSpaceList(depsOf(), inCourse(), learner, entering);
    const failed = await opened.stores.spaceUsers.listFailed(space, 10);
    expect(failed.map(({ userId, role }) => [userId, role])).toEqual([["u1", null]]);
    answer = () => Promise.resolve();
    await addToSpaceList(depsOf(), inCourse(), learner, entering);
    expect(added).toHaveLength(2);
    expect(await opened.stores.spaceUsers.listFailed(space, 10)).toEqual([]);
  });

  test("prevents prepared logins for a host, who would be a participant with it", async () => {
    answer = refusing;
    expect(await codeOf(addToSpaceList(depsOf(), inCourse(), host, ahead))).toBe("classroom-refused");
    expect(await codeOf(addToSpaceList(depsOf(), inCourse(), learner, ahead))).toBeNull();
  });

  test("explains in plain words that the Space is Private, and retries a temporary failure", async () => {
    answer = refusing;
    const refused = addToSpaceList(depsOf(), inCourse("invited-only"), learner, entering);
    await expect(refused).rejects.toMatchObject({
      code: "space-list-refused",
      status: 403,
      temporary: false,
    });
    await expect(refused).rejects.toThrow("is by invitation");
    answer = silent;
    expect(await codeOf(addToSpaceList(depsOf(), inCourse("invited-only"), learner, entering))).toBe(
      "classroom-unreachable",
    );
  });
});

test("a course of thousands has a record each, counted by the Space", async () => {
  const { course } = opened;
  const told = Array.from({ length: 1_100 }, (_none, index) => ({
    userId: `u${index}`,
    role: index < 100 ? ("host" as const) : ("participant" as const),
  }));
  await opened.stores.spaceUsers.noteMade(course, "space-1", told, 1);
  expect(await opened.stores.spaceUsers.listHosts(space, 500)).toHaveLength(100);
  expect(await opened.stores.spaceUsers.countParticipants(space, course.id)).toBe(1_000);
});
