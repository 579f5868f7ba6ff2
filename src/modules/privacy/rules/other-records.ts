import { anyOf, type HeldRecord, heldRecord, words } from "../../../domain/held-record.ts";

/** Kinds whose stores write schemas by hand. */
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
