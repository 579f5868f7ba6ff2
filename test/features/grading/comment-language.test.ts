import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultGradePolicy, type GradePolicy } from "../../../src/domain/grade-policy.ts";
import { changePolicy } from "../../../src/modules/grading/change-policy.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
let course: PlannedCourse;
beforeAll(async () => {
  course = await openPlannedCourse(database);
});
afterAll(async () => {
  await course.close();
});

const withComment = (comment: boolean): GradePolicy => ({ ...defaultGradePolicy, comment });

test("comments are in the language of the person who switched them on, until they are switched off", async () => {
  const deps = course.deps;
  const saves = async (language: string, policy: GradePolicy) => {
    const now = await course.courseOf("bio");
    const change = {
      personId: "per-Tess",
      revision: now.policyRevision,
      policy,
      language,
      before: "",
      after: "",
    };
    expect(await changePolicy(deps, now, change)).toBe(true);
    const { policy: saved } = await course.courseOf("bio");
    return saved.kind === "no-grades" ? null : (saved.commentLanguage ?? null);
  };
  expect(await saves("fr", withComment(false))).toBeNull();
  expect(await saves("de", withComment(true))).toBe("de");
  expect(await saves("fr", withComment(true)), "a colleague changes something else").toBe("de");
  expect(await saves("fr", withComment(false))).toBeNull();
  expect(await saves("fr", withComment(true))).toBe("fr");
});

test("comments that were switched on before languages were stored stay English", async () => {
  const now = await course.courseOf("bio");
  await course.stores.courses.changePolicy("bio", now.policyRevision, withComment(true));
  const deps = course.deps;
  const earlier = await course.courseOf("bio");
  const change = { personId: "per-Tess", revision: earlier.policyRevision, before: "", after: "" };
  await changePolicy(deps, earlier, { ...change, policy: withComment(true), language: "de" });
  expect((await course.courseOf("bio")).policy).not.toHaveProperty("commentLanguage");
});
