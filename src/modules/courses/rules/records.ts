import {
  date,
  describeRecord,
  expiry,
  flag,
  index,
  json,
  leaseFields,
  number,
  text,
  texts,
  textsOf,
  unique,
} from "../../../domain/record.ts";
import { institutionLookRecord } from "./institution-look.ts";
import type {
  EntryWindowTimes,
  InstitutionDefaults,
  PolicyValues,
  RuleName,
} from "../../../domain/institution-defaults.ts";
import type { NewSpace } from "../../../domain/course-link.ts";
import type { InstitutionReminders, InstitutionWeekly } from "../../../domain/mails.ts";
import type { StaffLevels } from "../../../domain/course-rights.ts";
import type { InstitutionUnplanned } from "../../../domain/unplanned-rule.ts";

export const courseCopyRecord = describeRecord("CourseCopy", {
  id: null,
  fields: {
    registrationId: text,
    deploymentId: text,
    /** `context.id` of the LMS: unique within the deployment only. */
    contextId: text,
    /** Context ids from notices, in order of arrival. */
    origins: texts.or([]),
    /** Our id of the course in which a copied link was made. */
    madeIn: text.orNull,
  },
  indexes: [unique("registrationId", "contextId", "deploymentId")],
  held: { key: "courseCopies", holds: "which course was copied from which; no person", kept: "with the LMS" },
});

export const noticeRecord = describeRecord("Notice", {
  id: null,
  fields: {
    registrationId: text,
    noticeId: text,
    nonce: text,
    done: flag,
    expiresAt: date,
  },
  indexes: [unique("registrationId", "nonce"), expiry("expiresAt")],
  held: {
    key: "notices",
    holds: "which notices of an LMS were received; no person",
    kept: "days; the store deletes them by itself",
  },
});

/** `at`: left out by earlier versions. */
export const classroomAddressRecord = describeRecord("ClassroomAddress", {
  id: null,
  fields: { position: number.optional, at: number.optional },
  held: {
    key: "classroomAddresses",
    holds: "which addresses the classroom answers; no person",
    kept: "always",
  },
});

/** Subscriptions to notices, one record for each (registration, deployment, type). */
export const noticeSubscriptionRecord = describeRecord("NoticeSubscription", {
  id: null,
  fields: {
    registrationId: text,
    deploymentId: text,
    type: text,
    /** The address the LMS has; null while it has none of ours. */
    handler: text.orNull,
    attempts: number,
    /** Earliest next attempt (ms); also holds the claim. */
    nextTryAt: number,
  },
  indexes: [unique("registrationId", "deploymentId", "type")],
  held: {
    key: "noticeSubscriptions",
    holds: "which notices were asked of an LMS; no person",
    kept: "with the LMS",
  },
});

export const institutionDefaultsRecord = describeRecord("InstitutionDefaults", {
  id: "registrationId",
  fields: {
    revision: number,
    settings: json<InstitutionDefaults["settings"]>().or({}),
    doorTimes: json<EntryWindowTimes>().orNull,
    newSpace: json<NewSpace>().orNull,
    policy: json<PolicyValues>().or({}),
    locked: textsOf<readonly RuleName[]>().or([]),
    ownSpacesOnly: flag.or(false),
    staff: json<StaffLevels>().or({}),
    unplanned: json<InstitutionUnplanned>().orNull,
    checkIn: flag.orNull,
    reminders: json<InstitutionReminders>().orNull,
    weekly: json<InstitutionWeekly>().orNull,
  },
  hidden: {
    /** Grades are recomputed up to this course since the last change; null when done. */
    regradedUpTo: text.orNull,
    ...leaseFields,
  },
  indexes: [index("regradedUpTo")],
  held: {
    key: "institutionDefaults",
    holds: "defaults and locks of an institution; no person",
    kept: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  },
});

export const coursesRecords = [
  courseCopyRecord,
  noticeRecord,
  noticeSubscriptionRecord,
  classroomAddressRecord,
  institutionDefaultsRecord,
  institutionLookRecord,
];
