import {
  date,
  describeRecord,
  expiry,
  flag,
  index,
  json,
  leaseFields,
  number,
  numberOf,
  text,
  textOf,
  texts,
  textsOf,
  unique,
} from "../../../domain/record.ts";
import { institutionLookRecord } from "./institution-look.ts";
import type { InstitutionDefaults, OptionName } from "../../../settings/in-effect.ts";
import type { JoinSettings } from "../../../settings/options.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { Course } from "../../../domain/course.ts";
import { type NewSpace, openSpace, type SpaceAccess } from "../../../domain/course-link.ts";
import { alwaysOpen, type EntryWindow } from "../../../domain/entry.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { anyOf } from "../../../domain/held-record.ts";
import type { SpaceChange } from "../../spaces/rules/space-right.ts";
import type { ReminderMinutes, WeeklyMails } from "../../../domain/mails.ts";
import type { StaffLevels } from "../../../domain/course-rights.ts";
import type { UnplannedRule } from "../../../domain/unplanned-rule.ts";

/** A `Course` as stored, without what its institution says. */
export const courseRecord = describeRecord("Course", {
  fields: {
    registrationId: text,
    deploymentId: text,
    contextId: text,
    title: text.or(""),
    label: text.or(""),
    environment: textOf<AccountId>(),
    spaceId: text.orNull,
    settings: json<JoinSettings>(),
    door: json<EntryWindow>().or(alwaysOpen),
    spaceAccess: textOf<SpaceAccess>().or("unknown"),
    newSpace: json<NewSpace>().or(openSpace),
    settingsRevision: number.or(0),
    policy: json<GradePolicy>(),
    policyRevision: number.or(0),
    timeZone: text.orNull,
    countsFrom: number.orNull.optional,
    lineItemsUrl: text.orNull,
    gradeScopes: texts.or([]),
    gradesLink: json<NonNullable<Course["gradesLink"]>>().orNull.optional,
    grantedAt: number.orNull.optional,
    membershipsUrl: text.orNull,
    groupsUrl: text.orNull,
    groupSetsUrl: text.orNull,
    history: texts.or([]),
    copyAnswer: textOf<Course["copyAnswer"]>().or("open"),
    courseUrl: text.orNull,
    language: textOf<string | null>().optional,
    asksFeedback: flag.or(true),
    unplanned: json<UnplannedRule | null>().optional,
    checkIn: flag.optional,
    reminders: numberOf<ReminderMinutes | null>().optional,
    weekly: json<WeeklyMails | null>().optional,
    setUp: textOf<Course["setUp"]>().or("open"),
    createdAt: number,
  },
  hidden: {
    lastLaunchAt: number.orNull,
    titleKey: textOf<string | null>().optional,
    labelKey: textOf<string | null>().optional,
    /** The last week that weekly mails were made of, by its Monday ("2026-11-16"). */
    mailedWeek: text.optional,
    /** Still to be passed on, and when another process does it (ms). */
    spaceChanges: json<SpaceChange[]>().or([]).optional,
    spaceChangeAt: number.orNull.optional,
    ...leaseFields,
  },
  indexes: [
    unique("registrationId", "deploymentId", "contextId"),
    index("environment", "spaceId"),
    index("registrationId", "contextId"),
    index("registrationId", "-lastLaunchAt"),
    index("registrationId", "_id"),
    index("spaceChangeAt"),
    index("titleKey", "_id"),
    index("registrationId", "titleKey", "_id"),
    index("labelKey", "_id"),
    index("registrationId", "labelKey", "_id"),
    index("-lastLaunchAt"),
    index("registrationId", "deploymentId", "-lastLaunchAt"),
  ],
  held: {
    key: "courses",
    holds: "title, settings and addresses of a course; no person",
    kept: "until it is erased by hand, or RETENTION_DAYS after its last launch where that is set",
    ofCourses: (registrationId, courseIds) => ({ registrationId, _id: anyOf(courseIds) }),
  },
});

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
    kept: "days; then the store deletes them",
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
    values: json<InstitutionDefaults["values"]>().or({}),
    locked: textsOf<readonly OptionName[]>().or([]),
    ownSpacesOnly: flag.or(false),
    staff: json<StaffLevels>().or({}),
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
  courseRecord,
  courseCopyRecord,
  noticeRecord,
  noticeSubscriptionRecord,
  classroomAddressRecord,
  institutionDefaultsRecord,
  institutionLookRecord,
];
