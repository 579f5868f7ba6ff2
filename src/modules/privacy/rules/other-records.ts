import {
  anyOf,
  erasedId,
  everyCourse,
  given,
  type HeldRecord,
  heldRecord,
  inCourses,
  once,
  signedBy,
  withCourse,
  words,
} from "../../../domain/held-record.ts";

/** Kinds that no module describes: their stores write schemas of their own. */
export const otherRecords: readonly HeldRecord[] = [
  heldRecord("Person", ["registrationId"], {
    key: "person",
    holds:
      "name, given and family name, e-mail address, ID number and user id as the LMS tells them; user ids and names in the classroom",
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
        fields: words(
          "deploymentId sub name givenName familyName email idNumber previewSub environment apiUserId apiUserName hostUserId hostUserName participantUserId participantUserName",
        ),
      },
    ],
  }),
  heldRecord("AttendanceMark", ["registrationId", "courseId"], {
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
  }),
  heldRecord("UserMatch", ["registrationId", "courseId"], {
    key: "matches",
    holds: "an instructor's word that a user of the classroom is a person",
    kept: withCourse,
    person: [once, signedBy("by")],
    given: given(once, "courseId userId environment at state"),
  }),
  heldRecord("Provisioning", ["registrationId", "courseId"], {
    key: "preparations",
    holds: "that an API user is still to be made for somebody",
    kept: "until it was made",
    person: [everyCourse],
  }),
  heldRecord("OwedGrading", ["registrationId", "courseId"], {
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
  }),
  heldRecord("SessionPlan", ["registrationId", "courseId"], {
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
  }),
  heldRecord("StrayEvent", ["registrationId", "courseId"], {
    key: "strayEvents",
    holds: "sessions of the classroom that may be a course's, and who decided",
    kept: "180 days while open; else with the course",
    person: [signedBy("by")],
  }),
  heldRecord("Course", ["registrationId"], {
    key: "courses",
    holds: "title, settings and addresses of a course; no person",
    kept: "until it is erased by hand, or RETENTION_DAYS after its last launch where that is set",
    ofCourses: (registrationId, courseIds) => ({ registrationId, _id: anyOf(courseIds) }),
  }),
  heldRecord("Task", ["registrationId", "courseId"], {
    key: "tasks",
    holds:
      "work that waits or was done, by kind: when something is read or computed, and what came of it; no person",
    kept: "with the course, or with the last course of the Space",
  }),
  heldRecord("ExpectedClass", ["registrationId", "courseId"], {
    key: "expectedClasses",
    holds: "when a class is expected; no person",
    kept: "some days after the class; the store deletes it by itself",
  }),
  heldRecord("Regrade", ["registrationId", "courseId"], {
    key: "regrades",
    holds: "how far a new computation of scores is; no person",
    kept: "with the course",
  }),
  heldRecord("Resend", ["registrationId", "courseId"], {
    key: "resends",
    holds: "how far a sending of all scores is; no person",
    kept: "with the course",
  }),
  heldRecord("ProvisioningTurn", ["registrationId"], {
    key: "preparationTurns",
    holds: "whose turn it is to have people prepared, by course; no person",
    kept: "until everybody is prepared",
    ofCourses: (_registrationId, courseIds) => ({ _id: anyOf(courseIds) }),
  }),
  heldRecord("SpaceRecording", [], {
    key: "recordings",
    holds: "times, titles and addresses of recordings; no person unless a title names one",
    kept: "with the last course of their Space",
  }),
  heldRecord("NoticeSubscription", ["registrationId"], {
    key: "noticeSubscriptions",
    holds: "which notices were asked of an LMS; no person",
    kept: "with the LMS",
  }),
  heldRecord("InstitutionDefaults", [], {
    key: "institutionDefaults",
    holds: "defaults and locks of an institution; no person",
    kept: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  }),
  heldRecord("Erasure", ["registrationId"], {
    key: "erasures",
    holds: "what was erased, when and how much; who it was only while the work is under way",
    kept: "730 days; without the person from the end of the work",
    ofRegistration: null,
    purged: { days: 730, field: "doneAt" },
  }),
  heldRecord("DueHead", [], {
    key: "dueHeads",
    holds: "when there may be work for an LMS or an environment; no person",
    kept: "with the LMS",
    ofRegistration: (registrationId) => ({ scope: registrationId }),
  }),
  heldRecord("SchemaVersion", [], {
    key: "schemaVersion",
    holds: "which release the records are of; no person",
    kept: "always",
  }),
  heldRecord("DoctorRun", [], {
    key: "doctorRuns",
    holds: "what the latest look at the classroom found; no person",
    kept: "until the next one",
  }),
];
