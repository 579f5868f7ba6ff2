import {
  erasedId,
  type ExportRule,
  type HeldRecord,
  inCourses,
  inRegistration,
  type PersonRule,
  type PersonSubject,
} from "./held-record.ts";
import { signedBy } from "./records-by-instructors.ts";

const anyOf = (ids: readonly string[]) => ({ $in: [...ids] });
const ofPerson = ({ registrationId, personIds }: PersonSubject) => ({
  registrationId,
  personId: anyOf(personIds),
});
const inCoursesOfPerson = (who: PersonSubject, courseIds: readonly string[]) => ({
  ...inCourses(who.registrationId, courseIds),
  personId: anyOf(who.personIds),
});
const once: PersonRule = { over: "once", find: ofPerson };
const everyCourse: PersonRule = { over: "every-course", find: inCoursesOfPerson };
const given = (rule: PersonRule, fields: readonly string[]): ExportRule[] => [{ ...rule, fields }];
const withCourse = "with the course; sooner when the person is erased";

/** Records that are about people of an LMS. */
export const recordsOfPeople: readonly HeldRecord[] = [
  {
    model: "Person",
    key: "person",
    holds:
      "name, given and family name, e-mail address and user id as the LMS tells them; user ids and names in the classroom",
    kept: "until they are erased by hand, or one or two nights after the last course they were in was erased",
    person: [
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, _id: anyOf(personIds) }),
      },
    ],
    given: [
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, _id: anyOf(personIds) }),
        fields: [
          ...["deploymentId", "sub", "name", "givenName", "familyName", "email", "environment"],
          ...[
            "apiUserId",
            "apiUserName",
            "hostUserId",
            "hostUserName",
            "participantUserId",
            "participantUserName",
          ],
        ],
      },
    ],
    ofCourses: null,
    ofRegistration: inRegistration,
  },
  {
    model: "Member",
    key: "memberships",
    holds: "role, sections, name for sorting, last launch and last entry (when, into which Space, how)",
    kept: withCourse,
    person: [once],
    given: given(once, [
      "courseId",
      "role",
      "roleFrom",
      "testUser",
      "student",
      "active",
      "sectionIds",
      "lastLaunchAt",
      "lastEntry",
    ]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "Attendance",
    key: "attendance",
    holds:
      "each status and note the classroom told, with its history; corrections by instructors with their reasons; who made each",
    kept: withCourse,
    person: [
      everyCourse,
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "corrections.by": anyOf(personIds),
        }),
        change: ({ personIds }) => ({
          update: { $set: { "corrections.$[one].by": erasedId } },
          arrayFilters: [{ "one.by": anyOf(personIds) }],
        }),
      },
      {
        over: "own-courses",
        find: ({ registrationId, userIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "history.updatedBy": anyOf(userIds),
        }),
        change: ({ userIds }) => ({
          update: { $set: { "history.$[one].updatedBy": erasedId } },
          arrayFilters: [{ "one.updatedBy": anyOf(userIds) }],
        }),
      },
    ],
    given: given(everyCourse, ["courseId", "eventId", "history", "corrections", "sectionIds"]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "Standing",
    key: "standings",
    holds: "which sessions count for a learner's score",
    kept: withCourse,
    person: [everyCourse],
    given: given(everyCourse, ["courseId", "sessions"]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "Delivery",
    key: "scores",
    holds:
      "scores sent or to be sent, with their comments, what the LMS answered, and a teacher's own grade seen there",
    kept: withCourse,
    person: [everyCourse],
    given: given(everyCourse, [
      "courseId",
      "columnKey",
      "desired",
      "accepted",
      "foreign",
      "overruled",
      "state",
      "lastSentAt",
      "reason",
    ]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "AttendanceMark",
    key: "marks",
    holds:
      "what instructors said about sessions (learners, statuses, notes, reasons, by whom), until it has taken effect",
    kept: "one day after it took effect",
    person: [
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "rows.personId": anyOf(personIds),
        }),
        change: ({ personIds }) => ({ update: { $pull: { rows: { personId: anyOf(personIds) } } } }),
      },
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "by.personId": anyOf(personIds),
        }),
        change: () => ({ update: { $set: { by: { personId: erasedId, name: null } } } }),
      },
    ],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "CourseAuditEntry",
    key: "courseAudit",
    holds: "what was done in a course: by whom and on whom with the names they had, before, after, reasons",
    kept: "with the course; entries on an erased person are deleted, in those by them stands nobody",
    person: [
      everyCourse,
      {
        // An administrator of the LMS does things in courses they are no member of.
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, "by.personId": anyOf(personIds) }),
        change: () => ({ update: { $set: { by: { personId: erasedId, name: null } } } }),
      },
    ],
    given: [
      { ...everyCourse, fields: ["courseId", "at", "what", "by", "session", "before", "after", "reason"] },
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({
          registrationId,
          "by.personId": anyOf(personIds),
          personId: { $nin: [...personIds] },
        }),
        // What they did to others: the words may be about those.
        fields: ["courseId", "at", "what", "by", "session", "count"],
      },
    ],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "Feedback",
    key: "feedback",
    holds: "what a learner said about a class: stars, sound and picture, a comment",
    kept: "as long as it is shown; the store deletes it by itself",
    person: [once],
    given: given(once, ["courseId", "rating", "soundAndPicture", "comment", "givenAt"]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "UserMatch",
    key: "matches",
    holds: "an instructor's word that a user of the classroom is a person",
    kept: withCourse,
    person: [once, signedBy("by")],
    given: given(once, ["courseId", "userId", "environment", "at", "state"]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "Place",
    key: "places",
    holds: "a place in the line at the door with a sealed login",
    kept: "two hours; the store deletes it by itself",
    person: [everyCourse],
    given: given(everyCourse, ["courseId", "role", "arrivedAt", "state", "mobile", "locale"]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "BrowserSession",
    key: "sessionsOfPages",
    holds:
      "that somebody may use pages of a course: role, link, language, times of launch and latest use, why it ended; a digest of its secret",
    kept: "one day after it ended by itself, 36 hours after the launch at most",
    person: [once],
    given: given(once, ["courseId", "role", "launchedAt", "lastSeenAt", "endedAt", "endedBecause"]),
    ofCourses: inCourses,
    ofRegistration: inRegistration,
    purged: { days: 1, field: "endsAt" },
  },
  {
    model: "ReadyLogin",
    key: "logins",
    holds: "a sealed login fetched ahead",
    kept: "until some hours after the class; the store deletes it by itself",
    person: [everyCourse],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "Provisioning",
    key: "preparations",
    holds: "that an API user is still to be made for somebody",
    kept: "until it was made",
    person: [everyCourse],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "OwedGrading",
    key: "owedGrading",
    holds: "whose scores are still to be computed",
    kept: "seconds",
    person: [
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          personIds: anyOf(personIds),
        }),
        change: ({ personIds }) => ({ update: { $pull: { personIds: anyOf(personIds) } } }),
      },
    ],
    ofCourses: inCourses,
    ofRegistration: inRegistration,
  },
  {
    model: "CalendarAddress",
    key: "calendars",
    holds: "digests of secret calendar addresses of courses and people",
    kept: "with the course or the person",
    person: [
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({
          registrationId,
          scope: "person",
          ownerId: anyOf(personIds),
        }),
      },
    ],
    ofCourses: (registrationId, courseIds) => ({
      registrationId,
      scope: "course",
      ownerId: anyOf(courseIds),
    }),
    ofRegistration: inRegistration,
  },
];
