import { describeRecord, field, index } from "../../../domain/record.ts";
import { brandingRecord } from "./branding.ts";
import type { InstitutionDefaults, OptionName } from "../../../settings/in-effect.ts";
import type { JoinSettings } from "../../../settings/options.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { Course, GradesRelease, AttendanceLimits, UnplannedRule } from "../../../domain/course.ts";
import { type NewSpace, openSpace, type SpaceAccess } from "../../../domain/course-link.ts";
import { alwaysOpen, type EntryWindow } from "../../../domain/entry.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { anyOf } from "../../../domain/personal-data.ts";
import type { SpaceChange } from "../../spaces/rules/space-right.ts";
import type { ReminderMinutes, WeeklyMails } from "../../../domain/mails.ts";
import type { StaffLevels } from "../../../domain/course-rights.ts";

/** A `Course` as stored, without its institution's values. */
export const courseRecord = describeRecord("Course", {
  readOnce: true,
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    contextId: field.text,
    title: field.text.or(""),
    label: field.text.or(""),
    environment: field.textOf<AccountId>(),
    spaceId: field.text.orNull,
    settings: field.json<JoinSettings>(),
    door: field.json<EntryWindow>().or(alwaysOpen),
    spaceAccess: field.textOf<SpaceAccess>().or("unknown"),
    newSpace: field.json<NewSpace>().or(openSpace),
    settingsRevision: field.number.or(0),
    policy: field.json<GradePolicy>(),
    policyRevision: field.number.or(0),
    timeZone: field.text.orNull,
    countsFrom: field.number.orNull.optional,
    daysOff: field.texts.optional,
    lineItemsUrl: field.text.orNull,
    gradeScopes: field.texts.or([]),
    gradesLink: field.json<NonNullable<Course["gradesLink"]>>().orNull.optional,
    grantedAt: field.number.orNull.optional,
    membershipsUrl: field.text.orNull,
    groupsUrl: field.text.orNull,
    groupSetsUrl: field.text.orNull,
    history: field.texts.or([]),
    copyAnswer: field.textOf<Course["copyAnswer"]>().or("open"),
    courseUrl: field.text.orNull,
    language: field.textOf<string | null>().optional,
    asksFeedback: field.flag.or(true),
    unplanned: field.json<UnplannedRule | null>().optional,
    checkIn: field.flag.optional,
    learnerWords: field.json<boolean | null>().optional,
    reminders: field.numberOf<ReminderMinutes | null>().optional,
    weekly: field.json<WeeklyMails | null>().optional,
    gradesUntil: field.textOf<string | null>().optional,
    gradesRelease: field.textOf<GradesRelease | null>().optional,
    limits: field.json<AttendanceLimits | null>().optional,
    setUp: field.textOf<Course["setUp"]>().or("open"),
    createdAt: field.number,
  },
  hidden: {
    lastLaunchAt: field.number.orNull,
    titleKey: field.textOf<string | null>().optional,
    labelKey: field.textOf<string | null>().optional,
    /** The last week that weekly mails covered, by its Monday ("2026-11-16"). */
    mailedWeek: field.text.optional,
    /** Changes still to be passed on, and when another process does so (ms). */
    spaceChanges: field.json<SpaceChange[]>().or([]).optional,
    spaceChangeAt: field.number.orNull.optional,
    ...field.lease,
  },
  indexes: [
    index.unique("registrationId", "deploymentId", "contextId"),
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
  personalData: {
    key: "courses",
    holds: "title, settings and addresses of a course; no person",
    stored: "until somebody erases it, or RETENTION_DAYS after its last launch if set",
    ofCourses: (registrationId, courseIds) => ({ registrationId, _id: anyOf(courseIds) }),
  },
});

export const courseCopyRecord = describeRecord("CourseCopy", {
  id: null,
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    /** `context.id` of the LMS, unique only within the deployment. */
    contextId: field.text,
    /** Context ids from notices, in order of arrival. */
    origins: field.texts.or([]),
    /** Our id of the course in which a copied link was made. */
    madeIn: field.text.orNull,
  },
  indexes: [index.unique("registrationId", "contextId", "deploymentId")],
  personalData: {
    key: "courseCopies",
    holds: "which course was copied from which; no person",
    stored: "with the LMS",
  },
});

export const noticeRecord = describeRecord("Notice", {
  id: null,
  fields: {
    registrationId: field.text,
    noticeId: field.text,
    nonce: field.text,
    done: field.flag,
    expiresAt: field.date,
  },
  indexes: [index.unique("registrationId", "nonce"), index.expiry("expiresAt")],
  personalData: { key: "notices", holds: "which notices an LMS sent; no person", stored: "days" },
});

/** Earlier versions left `at` out. */
export const classroomAddressRecord = describeRecord("ClassroomAddress", {
  id: null,
  fields: { position: field.number.optional, at: field.number.optional },
  personalData: {
    key: "classroomAddresses",
    holds: "which of the classroom's addresses answer; no person",
    stored: "always",
  },
});

/** Subscriptions to notices, one record per registration, deployment and type. */
export const noticeSubscriptionRecord = describeRecord("NoticeSubscription", {
  id: null,
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    type: field.text,
    /** The address that the LMS has. Null while it has none of ours. */
    handler: field.text.orNull,
    attempts: field.number,
    /** The earliest next attempt (ms), and the end of the claim. */
    nextTryAt: field.number,
  },
  indexes: [index.unique("registrationId", "deploymentId", "type")],
  personalData: {
    key: "noticeSubscriptions",
    holds: "which notices an LMS was asked for; no person",
    stored: "with the LMS",
  },
});

export const institutionDefaultsRecord = describeRecord("InstitutionDefaults", {
  id: "registrationId",
  fields: {
    revision: field.number,
    values: field.json<InstitutionDefaults["values"]>().or({}),
    locked: field.textsOf<readonly OptionName[]>().or([]),
    ownSpacesOnly: field.flag.or(false),
    staff: field.json<StaffLevels>().or({}),
  },
  hidden: {
    /** Since the last change, grades were computed again up to this course. Null when done. */
    regradedUpTo: field.text.orNull,
    ...field.lease,
  },
  indexes: [index("regradedUpTo")],
  personalData: {
    key: "institutionDefaults",
    holds: "an institution's defaults and locks; no person",
    stored: "with the LMS",
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
  brandingRecord,
];
