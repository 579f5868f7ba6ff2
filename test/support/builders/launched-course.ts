import type { Course } from "../../../src/domain/course.ts";
import { defaultGradePolicy } from "../../../src/domain/grade-policy.ts";
import { firstValues } from "../../../src/settings/in-effect.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import type { CourseStore } from "../../../src/modules/courses/store/course-store.ts";

const biology = {
  title: "Biology",
  label: "BIO",
  lineItemsUrl: null,
  gradeScopes: [],
  membershipsUrl: null,
  groupsUrl: null,
  groupSetsUrl: null,
  history: [],
};

type Recorded = Parameters<CourseStore["record"]>;

/** What a launch says about a course: Biology, in an LMS without services, unless the test says otherwise. */
export function launchedCourse(facts: Partial<Recorded[1]> = {}): Recorded[1] {
  return { ...biology, ...facts };
}

/** What a course starts with at its first launch. */
export function newCourse(id: Course["id"]): Recorded[2] {
  return {
    id,
    environment: "production",
    settings: defaultJoinSettings,
    policy: defaultGradePolicy,
    createdAt: 0,
  };
}

/** A course as it is stored, after its first launch and before any setting was changed. */
export function keptCourse(change: Partial<Course> = {}): Course {
  return {
    id: "crs_1",
    registrationId: "reg_1",
    deploymentId: "1",
    contextId: "2",
    ...biology,
    environment: "production",
    spaceId: null,
    ...firstValues,
    policyRevision: 0,
    timeZone: null,
    copyAnswer: "open",
    courseUrl: null,
    asksFeedback: true,
    setUp: "open",
    spaceAccess: "unknown",
    settingsRevision: 0,
    createdAt: 0,
    ...change,
  };
}
