import type { HeldRecord } from "../../../domain/held-record.ts";
import { membersRecords } from "../../members/rules/provisioning.ts";
import { attendanceRecords } from "../../attendance/rules/records.ts";
import { gradingRecords } from "../../grading/rules/records.ts";
import { accountsRecords } from "../../accounts/rules/records.ts";
import { auditRecords } from "../../audit/rules/records.ts";
import { feedbackRecords } from "../../feedback/rules/records.ts";
import { joiningRecords } from "../../joining/rules/records.ts";
import { coursesRecords } from "../../courses/rules/records.ts";
import { linksRecords } from "../../links/rules/records.ts";
import { schedulingRecords } from "../../scheduling/rules/records.ts";
import { spacesRecords } from "../../spaces/rules/records.ts";
import { cohortsRecords } from "../../cohorts/rules/records.ts";
import { recordingsRecords } from "../../recordings/rules/records.ts";
import { presenceRecords } from "../../presence/rules/records.ts";
import { analyticsRecords } from "../../analytics/rules/records.ts";
import { unplannedRecords } from "../../unplanned/rules/records.ts";
import { checkInRecords } from "../../check-in/rules/records.ts";
import { matchingRecords } from "../../matching/rules/records.ts";
import { alertsRecords } from "../../alerts/rules/records.ts";
import { inboxRecords } from "../../../inbox/rules/records.ts";
import { registrationRecords } from "../../registration/rules/records.ts";
import { usageRecords } from "../../usage/rules/records.ts";
import { mailRecords } from "../../mail/rules/records.ts";
import { privacyRecords } from "./records.ts";
import { operationsRecords } from "../../operations/rules/records.ts";
import { otherRecords } from "./other-records.ts";

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
