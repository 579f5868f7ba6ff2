import { beforeEach, describe, expect, test } from "vitest";
import type { Course } from "../../../src/domain/course.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { launchedCourse } from "../../support/builders/launched-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";

const { empty, stores } = await forAllTests(openEmptyStores());
beforeEach(empty);

const environment = "production" as const;
const course = (id: string, registrationId = "reg_1") => ({ id, registrationId, environment });
const register = () => stores.spaceRegister;
const space = (spaceId: string) => ({ environment, spaceId });
const operator = { by: "operator" } as const;
const administrator = { by: "lms-administrator" } as const;

describe("a Space that the tool creates", () => {
  test("belongs to its course, and to no other course of the same LMS or another", async () => {
    await register().own(course("crs_1"), "space", 1);
    await register().own(course("crs_1"), "space", 2);
    expect(await register().mayUse(course("crs_1"), "space")).toBe(true);
    expect(await register().mayUse(course("crs_2"), "space")).toBe(false);
    expect(await register().mayUse(course("crs_3", "reg_2"), "space")).toBe(false);
    expect(await register().mayUse({ ...course("crs_1"), environment: "staging" }, "space")).toBe(false);
    expect(await register().rightsTo([space("space")])).toMatchObject([
      { courseId: "crs_1", way: "made", at: 1 },
    ]);
  });

  test.each([
    ["another course's Space", () => register().own(course("crs_2"), "space", 1)],
    ["a Space approved for this course", () => register().allow(course("crs_1"), "space", operator, 1)],
    ["a closed Space", () => register().close(space("space"), 1)],
  ])("is refused when the classroom gives it the id of %s", async (_whose, before) => {
    await before();
    await expect(register().own(course("crs_1"), "space", 2)).rejects.toMatchObject({
      code: "space-id-taken",
    });
    const rights = await register().rightsTo([space("space")]);
    expect(rights.filter(({ courseId, way }) => courseId === "crs_1" && way === "made")).toEqual([]);
  });

  test("belongs to only one of two courses that get the same id at the same moment", async () => {
    const both = [course("crs_1"), course("crs_2", "reg_2")];
    const outcomes = await Promise.allSettled(both.map((one) => register().own(one, "space", 1)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await register().rightsTo([space("space")])).toHaveLength(1);
  });

  test("is not kept by a course if it belongs to another, and the next person can try immediately", async () => {
    const made = await stores.courses.record(
      { registrationId: "reg_1", deploymentId: "1", contextId: "c" },
      launchedCourse(),
      first("crs_1"),
    );
    await register().own(course("crs_2", "reg_2"), "space", 1);
    expect(await stores.courses.claimSpace(made.id, "holder", 10, 20_000)).toBe(true);
    await expect(stores.courses.keepSpace(made.id, "holder", "space")).rejects.toMatchObject({
      code: "space-id-taken",
    });
    expect((await stores.courses.find(made.id))?.spaceId).toBeNull();
    expect(await stores.courses.claimSpace(made.id, "next", 11, 20_000)).toBe(true);
    expect(await stores.courses.keepSpace(made.id, "next", "fresh")).toBe(true);
    expect(await register().mayUse(course("crs_1"), "fresh")).toBe(true);
  });
});

describe("a Space that was created elsewhere", () => {
  test("is approved by an LMS's administrator for a course of theirs", async () => {
    expect(await register().allow(course("crs_1"), "space", administrator, 5)).toBe("allowed");
    expect(await register().rightsTo([space("space")])).toMatchObject([
      { courseId: "crs_1", way: "approved", decidedBy: "lms-administrator", throughCourseId: null, at: 5 },
    ]);
    expect(await register().allow(course("crs_2"), "space", administrator, 6)).toBe("allowed");
  });

  test("is proven through another course", async () => {
    await register().own(course("crs_1"), "space", 1);
    expect(await register().allow(course("crs_2"), "space", { throughCourseId: "crs_1" }, 2)).toBe("allowed");
    expect(await register().rightsTo([space("space")])).toMatchObject([
      { courseId: "crs_1" },
      { courseId: "crs_2", way: "proven", throughCourseId: "crs_1" },
    ]);
  });

  test("cannot be approved by another LMS's administrator, but by an operator", async () => {
    await register().own(course("crs_1"), "space", 1);
    const theirs = course("crs_9", "reg_2");
    expect(await register().allow(theirs, "space", administrator, 2)).toBe("taken");
    expect(await register().mayUse(theirs, "space")).toBe(false);
    expect(await register().allow(theirs, "space", operator, 3)).toBe("allowed");
    expect(await register().mayUse(theirs, "space")).toBe(true);
    // From now on two LMSs use it.
    expect(await register().allow(course("crs_2"), "space", administrator, 4)).toBe("taken");
  });

  test("goes to one of two LMSs whose administrators approve it at the same moment", async () => {
    const both = [course("crs_1"), course("crs_9", "reg_2")];
    const outcomes = await Promise.all(both.map((one) => register().allow(one, "space", administrator, 1)));
    expect([...outcomes].sort()).toEqual(["allowed", "taken"]);
    expect(await register().rightsTo([space("space")])).toHaveLength(1);
  });
});

describe("a Space of a course that is erased", () => {
  test("is closed for everybody, even after an operator's approval", async () => {
    await register().own(course("crs_1"), "space", 1);
    expect(await register().closeOf({ courseId: "crs_1" }, "course-erased", 9)).toBe(1);
    expect(await register().find(space("space"))).toEqual({
      environment,
      spaceId: "space",
      owner: null,
      closed: { at: 9, why: "course-erased" },
    });
    for (const one of [course("crs_1"), course("crs_2"), course("crs_9", "reg_2")]) {
      expect(await register().mayUse(one, "space")).toBe(false);
      expect(await register().allow(one, "space", operator, 10)).toBe("closed");
      expect(await register().allow(one, "space", { throughCourseId: "crs_1" }, 10)).toBe("closed");
      expect(await register().mayUse(one, "space")).toBe(false);
    }
    expect(await register().closeOf({ courseId: "crs_1" }, "course-erased", 11)).toBe(0);
  });

  test("stays with another course that uses it, and belongs to no other", async () => {
    await register().own(course("crs_1"), "space", 1);
    await register().allow(course("crs_2"), "space", { throughCourseId: "crs_1" }, 2);
    await register().closeOf({ courseId: "crs_1" }, "course-erased", 9);
    expect(await register().mayUse(course("crs_2"), "space")).toBe(true);
    expect(await register().rightsTo([space("space")])).toMatchObject([{ throughCourseId: null }]);
    expect(await register().allow(course("crs_3"), "space", { throughCourseId: "crs_2" }, 10)).toBe("closed");
  });

  test("stays open if it was another course's, and only linked here", async () => {
    await register().own(course("crs_1"), "space", 1);
    await register().allow(course("crs_2"), "space", operator, 2);
    await register().closeOf({ courseId: "crs_2" }, "course-erased", 9);
    expect((await register().find(space("space")))?.closed).toBeNull();
    expect(await register().mayUse(course("crs_1"), "space")).toBe(true);
  });
});

test("the Spaces of an uninstalled LMS are closed, except one that another LMS was given", async () => {
  for (let at = 0; at < 250; at += 1) await register().own(course(`crs_${at}`), `space-${at}`, 1);
  await register().allow(course("crs_x", "reg_2"), "space-7", operator, 2);
  expect(await register().closeOf({ registrationId: "reg_1" }, "lms-uninstalled", 9)).toBe(250);
  expect((await register().find(space("space-249")))?.closed?.why).toBe("lms-uninstalled");
  expect(await register().mayUse(course("crs_249"), "space-249")).toBe(false);
  expect(await register().mayUse(course("crs_x", "reg_2"), "space-7")).toBe(true);
  expect(await register().allow(course("crs_y", "reg_2"), "space-8", administrator, 10)).toBe("closed");
});

test("a Space that an operator closed belongs to no course until an operator approves it again", async () => {
  await register().own(course("crs_1"), "space", 1);
  await register().close(space("space"), 5);
  expect(await register().mayUse(course("crs_1"), "space")).toBe(false);
  expect((await register().listClosed(10)).map(({ spaceId }) => spaceId)).toEqual(["space"]);
  expect(await register().allow(course("crs_1"), "space", administrator, 6)).toBe("closed");
  expect(await register().allow(course("crs_1"), "space", operator, 7)).toBe("allowed");
  expect(await register().mayUse(course("crs_1"), "space")).toBe(true);
  expect(await register().listClosed(10)).toEqual([]);
});

function first(id: string): Pick<Course, "id" | "environment" | "settings" | "policy" | "createdAt"> {
  return { id, environment, settings: defaultJoinSettings, policy: { kind: "no-grades" }, createdAt: 1 };
}

/** A course of an institution that allows only Spaces created for its courses. */
const strict = (id: string, registrationId = "reg_1") => ({
  ...course(id, registrationId),
  ownSpacesOnly: true,
});

describe("If only Spaces created for the institution's courses are allowed", () => {
  test.each([
    ["the course's own Space", "crs_1", "usable"],
    ["a Space of another course of the LMS, by proof", "crs_2", "usable"],
    ["a Space of another course of the LMS, by approval", "crs_3", "usable"],
    ["another LMS's Space, even if approved", "crs_9", "not-own"],
    ["a Space to which the course has no right", "crs_4", "no-right"],
  ])("%s is judged by the course it was created for", async (_whose, id, rightState) => {
    await register().own(course("crs_1"), "space", 1);
    await register().allow(course("crs_2"), "space", { throughCourseId: "crs_1" }, 2);
    await register().allow(course("crs_3"), "space", operator, 3);
    await register().allow(course("crs_9", "reg_2"), "space", operator, 4);
    expect(await register().rightState(strict(id), "space")).toBe(rightState);
  });

  test("a course that moves to the LMS's new registration keeps its Space, even for people inside", async () => {
    await register().own(course("crs_1", "reg_old"), "space", 1);
    await register().own(course("crs_5", "reg_1"), "hall", 1);
    await register().allow(course("crs_2"), "space", operator, 2);
    await register().allow(course("crs_1", "reg_old"), "hall", operator, 2);
    expect(await register().rightState(strict("crs_2"), "space")).toBe("not-own");
    const to = { id: "reg_1", idsHoldWithin: "deployment" } as const;
    const move = { courseId: "crs_1", from: "reg_old", to, deploymentId: "1" };
    await stores.registrationMoves.moveCourse(move);
    expect(await register().rightState(strict("crs_2"), "space")).toBe("usable");
    expect(await register().rightState(strict("crs_1"), "space")).toBe("usable");
    expect(await register().rightState(strict("crs_1"), "hall")).toBe("usable");
  });
});
