import { erasedId, type HeldRecord, inCourses, inRegistration, type PersonRule } from "./held-record.ts";

const anyOf = (ids: readonly string[]) => ({ $in: [...ids] });
const withCourse = "with the course; sooner when the person is erased";

/** Replaces the person's id in one field, in the courses they were a member of. */
export const signedBy = (field: string): PersonRule => ({
  over: "own-courses",
  find: ({ registrationId, personIds }, courseIds) => ({
    ...inCourses(registrationId, courseIds),
    [field]: anyOf(personIds),
  }),
  change: () => ({ update: { $set: { [field]: erasedId } } }),
});

/** Records of courses that say which instructor did something. */
export const recordsByInstructors: readonly HeldRecord[] = [
  {
    model: "SpaceRequest",
    key: "spaceRequests",
    holds: "for which Spaces a course asked, which instructor did, and the answer",
    kept: withCourse,
    person: [signedBy("personId")],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "SessionPlan",
    key: "plannedSessions",
    holds: "planned sessions, and which instructor is their host",
    kept: withCourse,
    person: [
      {
        over: "own-courses",
        find: ({ personIds }, courseIds) => ({
          courseId: anyOf(courseIds),
          hostPersonId: anyOf(personIds),
        }),
        change: () => ({ update: { $set: { hostPersonId: null } } }),
      },
    ],
    ofCourses: (_registrationId, courseIds) => ({ courseId: anyOf(courseIds) }),
    ofRegistration: inRegistration,
  },
  {
    model: "SectionLink",
    key: "sectionLinks",
    holds: "which section is which cohort, and who said so",
    kept: withCourse,
    person: [signedBy("by"), signedBy("endedBy")],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "StrayEvent",
    key: "strayEvents",
    holds: "sessions of the classroom that may be a course's, and who decided",
    kept: "180 days while open; else with the course",
    person: [signedBy("by")],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
];
