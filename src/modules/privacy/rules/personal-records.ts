import {
  anyOf,
  type HeldRecord,
  heldRecord,
  type PersonReference,
  words,
} from "../../../domain/held-record.ts";
import { inboxRecords } from "../../../inbox/rules/records.ts";
import { accountsRecords } from "../../accounts/rules/records.ts";
import { alertsRecords } from "../../alerts/rules/classroom-alert.ts";
import { analyticsRecords } from "../../analytics/rules/session-figures.ts";
import { attendanceRecords } from "../../attendance/rules/records.ts";
import { auditRecords } from "../../audit/rules/audit.ts";
import { checkInRecords } from "../../check-in/rules/records.ts";
import { cohortsRecords } from "../../cohorts/rules/cohort.ts";
import { coursesRecords } from "../../courses/rules/records.ts";
import { feedbackRecords } from "../../feedback/rules/records.ts";
import { gradingRecords } from "../../grading/rules/records.ts";
import { joiningRecords } from "../../joining/rules/records.ts";
import { linksRecords } from "../../links/rules/records.ts";
import { mailRecords } from "../../mail/rules/records.ts";
import { matchingRecords } from "../../matching/rules/records.ts";
import { membersRecords } from "../../members/rules/provisioning.ts";
import { operationsRecords } from "../../operations/rules/records.ts";
import { presenceRecords } from "../../presence/rules/records.ts";
import { recordingsRecords } from "../../recordings/rules/recording.ts";
import { registrationRecords } from "../../registration/rules/records.ts";
import { schedulingRecords } from "../../scheduling/rules/records.ts";
import { spacesRecords } from "../../spaces/rules/records.ts";
import { unplannedRecords } from "../../unplanned/rules/records.ts";
import { usageRecords } from "../../usage/rules/records.ts";
import { privacyRecords } from "./erasure.ts";

/** Kinds whose stores write schemas by hand. */
const otherRecords: readonly HeldRecord[] = [
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

/** Kinds that their module describes. */
export const described: readonly HeldRecord[] = [
  ...membersRecords,
  ...attendanceRecords,
  ...gradingRecords,
  ...accountsRecords,
  ...auditRecords,
  ...feedbackRecords,
  ...joiningRecords,
  ...coursesRecords,
  ...linksRecords,
  ...schedulingRecords,
  ...spacesRecords,
  ...cohortsRecords,
  ...recordingsRecords,
  ...presenceRecords,
  ...analyticsRecords,
  ...unplannedRecords,
  ...checkInRecords,
  ...matchingRecords,
  ...alertsRecords,
  ...inboxRecords,
  ...registrationRecords,
  ...privacyRecords,
  ...operationsRecords,
  ...usageRecords,
  ...mailRecords,
].map(({ held }) => held);

/** What each kind of record holds of people: for export, erasure and purge. A test fails for a missing kind. */
export const personalRecords: readonly HeldRecord[] = [...otherRecords, ...described];

export type KindReference = PersonReference & { model: string };

const references: readonly KindReference[] = [
  ...described.flatMap(({ model, names = [] }) => names.map((reference) => ({ model, ...reference }))),
  { model: "AttendanceMark", path: "rows.personId", list: "of-each", among: "courses" },
  { model: "AttendanceMark", path: "by.personId", among: "courses" },
  { model: "UserMatch", path: "personId", among: "registration" },
  { model: "UserMatch", path: "by", among: "courses" },
  { model: "OwedGrading", path: "personIds", list: "each", among: "courses" },
  { model: "StrayEvent", path: "by", among: "courses" },
  { model: "SessionPlan", path: "hostPersonId", among: "courses" },
];

/** For merging two records of one human being. Members come last: they say which courses have the others. */
export const personReferences = references.toSorted(
  (one, other) => Number(one.model === "Member") - Number(other.model === "Member"),
);

/** Records about a person that are made again when needed, with the id in their own key. */
export const passingPersonRecords: readonly string[] = [
  ...described.flatMap(({ model, isPassing }) => (isPassing ? [model] : [])),
  "Provisioning",
];
