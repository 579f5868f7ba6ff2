import { beforeEach, describe, expect, test } from "vitest";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";

const { empty, stores } = await forAllTests(openEmptyStores());
beforeEach(empty);

const environment = "production" as const;
/** A course of an institution that allows only Spaces that were made for its courses. */
const course = (id: string, registrationId = "reg_1") => ({
  ...{ id, registrationId, environment },
  ownSpacesOnly: true,
});
const register = () => stores.spaceRegister;
const operator = { by: "operator" } as const;

describe("Where only Spaces are allowed that were made for the institution's courses", () => {
  test.each([
    ["the course's own Space", "crs_1", "usable"],
    ["a Space of another course of the LMS, by proof", "crs_2", "usable"],
    ["a Space of another course of the LMS, by a word", "crs_3", "usable"],
    ["another LMS's Space, even if approved", "crs_9", "not-own"],
    ["a Space to which the course has no right", "crs_4", "no-right"],
  ])("%s is judged by for whom it was made", async (_whose, id, rightState) => {
    await register().own(course("crs_1"), "space", 1);
    await register().allow(course("crs_2"), "space", { throughCourseId: "crs_1" }, 2);
    await register().allow(course("crs_3"), "space", operator, 3);
    await register().allow(course("crs_9", "reg_2"), "space", operator, 4);
    expect(await register().rightState(course(id), "space")).toBe(rightState);
  });

  test("a Space that was made for no course is not entered, and is again when the rule goes", async () => {
    await register().allow(course("crs_1"), "by-hand", operator, 1);
    expect(await register().rightState(course("crs_1"), "by-hand")).toBe("not-own");
    expect(await register().rightState({ ...course("crs_1"), ownSpacesOnly: false }, "by-hand")).toBe(
      "usable",
    );
  });

  test("a Space outlives the course it was made for, for the other courses of the LMS that use it", async () => {
    await register().own(course("crs_1"), "space", 1);
    await register().allow(course("crs_2"), "space", { throughCourseId: "crs_1" }, 2);
    await register().closeOf({ courseId: "crs_1" }, "course-erased", 3);
    expect(await register().rightState(course("crs_2"), "space")).toBe("usable");
  });

  test("a course that moves to the LMS's new registration brings its Space along, also for those who are there", async () => {
    await register().own(course("crs_1", "reg_old"), "space", 1);
    await register().own(course("crs_5", "reg_1"), "hall", 1);
    await register().allow(course("crs_2"), "space", operator, 2);
    await register().allow(course("crs_1", "reg_old"), "hall", operator, 2);
    expect(await register().rightState(course("crs_2"), "space")).toBe("not-own");
    const to = { id: "reg_1", idsHoldWithin: "deployment" } as const;
    await stores.registrationMoves.moveCourse({ courseId: "crs_1", from: "reg_old", to, deploymentId: "1" });
    expect(await register().rightState(course("crs_2"), "space")).toBe("usable");
    expect(await register().rightState(course("crs_1"), "space")).toBe("usable");
    expect(await register().rightState(course("crs_1"), "hall")).toBe("usable");
  });
});
