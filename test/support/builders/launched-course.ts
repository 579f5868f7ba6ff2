import type { Course } from "../../../src/domain/course.ts";
import { defaultGradePolicy } from "../../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import type { CourseStore } from "../../../src/modules/courses/store/course-store.ts";

type Recorded = Parameters<CourseStore["record"]>;

/** What a launch tells of a course: Biology, in an LMS without services, unless the test says otherwise. */
export function launchedCourse(facts: Partial<Recorded[1]> = {}): Recorded[1] {
  return {
    title: "Biology",
    label: "BIO",
    lineItemsUrl: null,
    gradeScopes: [],
    membershipsUrl: null,
    groupsUrl: null,
    groupSetsUrl: null,
    history: [],
    ...facts,
  };
}

/** What a course begins with at its first launch. */
export function newCourse(id: Course["id"]): Recorded[2] {
  return {
    id,
    environment: "production",
    settings: defaultJoinSettings,
    policy: defaultGradePolicy,
    createdAt: 0,
  };
}
