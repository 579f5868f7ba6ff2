import type { HeldRecord, PersonReference } from "../../../domain/held-record.ts";
import { inboxRecords } from "../../../inbox/rules/receipt.ts";
import { accountsRecords } from "../../accounts/rules/account-input.ts";
import { alertsRecords } from "../../alerts/rules/classroom-alert.ts";
import { analyticsRecords } from "../../analytics/rules/session-figures.ts";
import { attendanceRecords } from "../../attendance/rules/records.ts";
import { auditRecords } from "../../audit/rules/audit.ts";
import { checkInRecords } from "../../check-in/rules/check-in.ts";
import { cohortsRecords } from "../../cohorts/rules/cohort.ts";
import { coursesRecords } from "../../courses/rules/records.ts";
import { feedbackRecords } from "../../feedback/rules/feedback.ts";
import { gradingRecords } from "../../grading/rules/records.ts";
import { joiningRecords } from "../../joining/rules/queue-position.ts";
import { linksRecords } from "../../links/rules/link-offer.ts";
import { mailRecords } from "../../mail/rules/records.ts";
import { matchingRecords } from "../../matching/rules/records.ts";
import { membersRecords } from "../../members/rules/provisioning.ts";
import { operationsRecords } from "../../operations/rules/records.ts";
import { presenceRecords } from "../../presence/rules/presence.ts";
import { recordingsRecords } from "../../recordings/rules/recording.ts";
import { registrationRecords } from "../../registration/rules/registration.ts";
import { schedulingRecords } from "../../scheduling/rules/records.ts";
import { spacesRecords } from "../../spaces/rules/space-right.ts";
import { unplannedRecords } from "../../unplanned/rules/compare-classes.ts";
import { usageRecords } from "../../usage/rules/usage.ts";
import { privacyRecords } from "./erasure.ts";

/** What each kind of record holds of people: for export, erasure and purge. A test fails for a missing kind. */
export const personalRecords: readonly HeldRecord[] = [
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

export type KindReference = PersonReference & { model: string };

const references: readonly KindReference[] = [
  ...personalRecords.flatMap(({ model, names = [] }) => names.map((reference) => ({ model, ...reference }))),
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
  ...personalRecords.flatMap(({ model, isPassing }) => (isPassing ? [model] : [])),
  "Provisioning",
];
