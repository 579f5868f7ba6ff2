import { describeRecord, field, index, type ItemOf } from "./record.ts";
import { anyOf, given, inOwnCourses, once, type PersonRule, withCourse } from "./personal-data.ts";
import type { ApiUsers, ClassroomRole } from "./person.ts";
import type { EntryWindow, LastEntry } from "./entry.ts";
import type { GradePolicy } from "./grade-policy.ts";
import type { OptionName } from "../settings/in-effect.ts";
import type { JoinSettings } from "../settings/options.ts";
import type { AccountId } from "./account.ts";
import type { StaffLevels } from "./course-rights.ts";
import type { ReminderMinutes, WeeklyMails } from "./mails.ts";
import type { NewSpace, SpaceAccess } from "./course-link.ts";

export type Course = {
  id: string;
  registrationId: string;
  deploymentId: string;
  /** `context.id` of the LMS: unique within the deployment only. */
  contextId: string;
  title: string;
  label: string;
  environment: AccountId;
  /** Null until the Space exists. */
  spaceId: string | null;
  settings: JoinSettings;
  door: EntryWindow;
  /** What an instructor says about access to the course's own Space. */
  spaceAccess: SpaceAccess;
  /** The access with which its Space will be made. */
  newSpace: NewSpace;
  /** Options that its institution has locked; the course's settings already have these values. */
  locked?: readonly OptionName[];
  /** Its institution only allows Spaces that were made for its courses. */
  ownSpacesOnly?: boolean;
  /** The institution's levels for non-teaching staff; left out: they only arrange. */
  staff?: StaffLevels;
  /** Grows with every change of settings or entry window, so nobody overwrites a change they haven't seen. */
  settingsRevision: number;
  policy: GradePolicy;
  /** As `settingsRevision`, for the policy. */
  policyRevision: number;
  /** IANA zone in which sessions are planned and shown, such as "Europe/Berlin"; null until set. */
  timeZone: string | null;
  /** Sessions that began earlier (ms) belong to an earlier term and count for no grade; left out if all count. */
  countsFrom?: number | null;
  /** Days without class, as an instructor said: "2026-12-24", or a range, "2026-12-24/2027-01-06". */
  daysOff?: readonly string[];
  /** Latest addresses of the LMS's services for this course; they may change from launch to launch. */
  lineItemsUrl: string | null;
  gradeScopes: readonly string[];
  /** The link (`resource_link.id`) whose launch first sent `lineItemsUrl` (an LMS may have one list per link); left out when none did. */
  gradesLink?: { linkId: string; lineItemsUrl: string } | null;
  /** When a launch last brought a right or a link for grades that was missing before (ms); left out for never. */
  grantedAt?: number | null;
  membershipsUrl: string | null;
  /** Null where the LMS has none. */
  groupsUrl: string | null;
  /** Null where the LMS has none. */
  groupSetsUrl: string | null;
  /** Context ids this course was copied from, newest first, as the LMS reports them; empty for an original. */
  history: readonly string[];
  copyAnswer: "open" | "taken" | "declined";
  /** The language of the latest instructor's launch, such as "de". New columns are named in it. Left out while unknown. */
  language?: string | null;
  /** The address of the course's page in the LMS; null when no launch sent it. */
  courseUrl: string | null;
  /** Whether learners are asked for feedback after a session. */
  asksFeedback: boolean;
  unplanned: UnplannedRule;
  /** Whether learners may check in with a code shown in the room. */
  checkIn: boolean;
  /** Whether learners may say that they will be absent, or that they were there. */
  learnerWords: boolean;
  reminders: ReminderMinutes;
  weekly: WeeklyMails;
  /** The last day on which grades change automatically ("2026-12-20"); "" for no end. */
  gradesUntil: string;
  gradesRelease: GradesRelease;
  limits: AttendanceLimits;
  setUp: CourseSetUp;
  createdAt: number;
};

/** The key by which most records of a course are found. */
export function keyOfCourse({ registrationId, id: courseId }: Pick<Course, "id" | "registrationId">) {
  return { registrationId, courseId };
}

/** The context id of a course that was replaced by an earlier one of the same LMS. No LMS sends it, so no launch finds the course. */
export function replacedContext(courseId: string): string {
  return `${courseId}\n`;
}

/** Whether an earlier course of the same LMS took its place. Its grades would go to the same gradebook. */
export function isReplaced({ id, contextId }: Pick<Course, "id" | "contextId">): boolean {
  return contextId === replacedContext(id);
}

/** self: grades go to the gradebook automatically · hand: when an instructor releases them. */
export type GradesRelease = "self" | "hand";

/** open: not answered · asked: as open, from an earlier version · later: put off, no reminders · done: answered · hidden: first steps not shown. */
type CourseSetUp = "open" | "asked" | "later" | "done" | "hidden";

/** A human being as one LMS deployment knows them, or all deployments of a Canvas; see `person-scope`. */
export type Person = {
  id: string;
  registrationId: string;
  deploymentId: string;
  /** The LMS's user id. */
  sub: string;
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
  /** Their ID number at the institution, from the LMS's roster. */
  idNumber?: string | null;
  /** The LMS's latest id of a preview student. Their `sub` is one that we made for the course. */
  previewSub?: string | null;
  environment: AccountId;
  apiUsers: ApiUsers;
};

const themselves: PersonRule = {
  over: "once",
  find: ({ registrationId, personIds }) => ({ registrationId, _id: anyOf(personIds) }),
};
const nameOrNull = field.text.orNull.optional;

/** A `Person` as stored, with their classroom users in flat fields. Earlier versions stored their only user in the fields without a role. */
export const personRecord = describeRecord("Person", {
  readOnce: true,
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    sub: field.text,
    name: field.text.orNull,
    givenName: field.text.orNull,
    familyName: field.text.orNull,
    email: field.text.orNull,
    idNumber: field.textOf<string | null>().optional,
    previewSub: field.textOf<string | null>().optional,
    environment: field.textOf<AccountId>(),
    apiUserId: nameOrNull,
    apiUserName: nameOrNull,
    hostUserId: nameOrNull,
    hostUserName: nameOrNull,
    participantUserId: nameOrNull,
    participantUserName: nameOrNull,
  },
  hidden: {
    /** The role that has the same user; for processes of the previous release. */
    apiUserIs: field.textOf<ClassroomRole | null>().optional,
    hostLeaseHolder: field.textOf<string | null>().optional,
    hostLeaseUntil: field.number.optional,
    participantLeaseHolder: field.textOf<string | null>().optional,
    participantLeaseUntil: field.number.optional,
    /** Since when they have been in no course (ms). */
    loneSince: field.number.optional,
    /** The person they were merged into. The row stays for its API users; see `person-joins`. */
    mergedInto: field.text.optional,
    moving: field.flag.optional,
    // Missing in records of earlier versions.
    nameKey: field.text.optional,
    familyKey: field.text.optional,
    emailKey: field.text.optional,
    ...field.lease,
  },
  indexes: [
    index.unique("registrationId", "sub", "deploymentId"),
    index("environment", "apiUserId"),
    index("environment", "hostUserId"),
    index("environment", "participantUserId"),
    index("nameKey"),
    index("familyKey"),
    index("emailKey"),
  ],
  personalData: {
    key: "person",
    holds: "names, e-mail address, ID number and user id from the LMS; user ids and names in the classroom",
    stored: "until somebody erases them, or at most two nights after the last of their courses is erased",
    person: [themselves],
    given: given(
      themselves,
      "deploymentId sub name givenName familyName email idNumber previewSub environment apiUserId apiUserName hostUserId hostUserName participantUserId participantUserName",
    ),
  },
});

type CourseRole = "instructor" | "learner";

export const memberRecord = describeRecord("Member", {
  readOnce: "found",
  fields: {
    registrationId: field.text,
    courseId: field.text,
    personId: field.text,
    /** From the latest launch or roster, whichever came last. */
    role: field.textOf<CourseRole>(),
    /** Where the role comes from: a roster doesn't know everything that a launch knows. */
    roleFrom: field.textOf<"launch" | "roster">().or("launch"),
    /** A preview student: never graded. */
    testUser: field.flag,
    /** Listed as a learner, which staff can be, too. Mentors and guests have a learner's role here, but aren't listed and never graded. */
    student: field.flag.or(true),
    /** In the course by the latest roster or launch. People who left keep their history. */
    active: field.flag.or(true),
    /** Ids of sections (Canvas) or groups (Moodle); empty when not reported. */
    sectionIds: field.texts.or([]),
    /** Whether a launch reported their sections. If not, an empty list means unknown. */
    sectionsTold: field.flag.or(false),
    lastLaunchAt: field.number.orNull,
    /** The language of the latest launch, such as "de"; e-mails are written in it. Left out while unknown. */
    language: field.textOf<string | null>().optional,
    /** The role in the latest roster, for people who were once instructors; null for others, and before a roster was read. */
    listed: field.json<{ role: CourseRole; since: number }>().orNull.optional,
    /** Sessions of launches before this moment (ms) are over; left out if none are. */
    sessionsFrom: field.number.orNull.optional,
    /** When they joined a course whose people were known by then (ms); left out if they may have been there from the start. */
    joinedAt: field.number.orNull.optional,
    /** Null when they never entered. */
    lastEntry: field.json<LastEntry>().orNull,
    /** The person's other account, which counts here instead of this one; null for none. */
    joinedTo: field.text.orNull.optional,
    /** An office joined the accounts, so only an office can undo it. */
    joinedByOffice: field.flag.optional,
  },
  hidden: {
    /** The person's sort key in lists. It is a copy, because a store can't sort by another record's field. */
    listName: field.text.or(""),
    /** The sections as one text, so an index can have them. */
    sectionKey: field.textOf<string | null>().optional,
    /** The role in which the classroom last knew the person; missing before we first looked. */
    ready: field.json<CourseRole | null>().optional,
  },
  indexes: [
    index.unique("registrationId", "courseId", "personId"),
    index(
      "registrationId",
      "courseId",
      "-active",
      "listName",
      "personId",
      "role",
      "testUser",
      "student",
      "sectionKey",
      "ready",
    ),
    index("registrationId", "-lastLaunchAt"),
    index("registrationId", "personId"),
    index.onlyWhere({ joinedTo: { $gt: "" } }, index("registrationId", "courseId", "joinedTo")),
  ],
  personalData: {
    key: "memberships",
    holds:
      "role, sections, name for sorting, language, since when, last launch, last entry (when, which Space, how), joined account",
    stored: withCourse,
    person: [once, inOwnCourses("joinedTo", {}, () => ({ update: { $unset: { joinedTo: "" } } }))],
    given: given(
      once,
      "courseId role roleFrom testUser student active sectionIds lastLaunchAt language joinedAt lastEntry joinedTo",
    ),
    names: [
      { path: "personId", among: "registration", both: "newer-launch" },
      { path: "joinedTo", among: "courses" },
    ],
  },
});
export type Member = ItemOf<typeof memberRecord>;

/** absences: that many · row: that many in a row · below: attended less than that percentage. */
export const limitKinds = ["absences", "row", "below"] as const;

/** A number of absences, or a percentage, that an institution has named. */
export type AttendanceLimit = {
  kind: (typeof limitKinds)[number];
  number: number;
  /** The limit's name, in the institution's words. */
  label: string;
};

/** The limits that an institution watches in its courses. */
export type AttendanceLimits = {
  list: readonly AttendanceLimit[];
  /** Whether a learner who reaches a limit gets an e-mail. */
  mail: boolean;
};

export const noLimits: AttendanceLimits = { list: [], mail: false };
/** The longest label (UTF-16 units). */
export const maxLimitLabel = 60;
/** Enough for percentages, and for absences. */
export const maxLimitNumber = 100;

/** Stays the same when a limit's label changes. */
export function limitKey({ kind, number }: Pick<AttendanceLimit, "kind" | "number">): string {
  return `${kind}-${number}`;
}

/** ask: we ask instructors · always: a class with staff of the course becomes a session automatically · never: nobody is asked. */
export const unplannedAnswers = ["ask", "always", "never"] as const;
type UnplannedAnswer = (typeof unplannedAnswers)[number];

/** How an unplanned class is treated. */
export type UnplannedRule = {
  answer: UnplannedAnswer;
  /** A person counts as present from this share of the class (percent). */
  presentFrom: number;
  /** A person who came later than this (minutes) is late. */
  lateAfter: number;
  /** The answer holds for classes that begin from this moment on (ms); left out: for all. */
  since?: number;
};

/** The choices on the page: percent, and minutes. */
export const presentShares = [10, 25, 50, 60, 75, 80, 90] as const;
export const lateMinutes = [5, 10, 15, 20, 30] as const;

export const defaultUnplannedRule: UnplannedRule = { answer: "ask", presentFrom: 50, lateAfter: 10 };

/** The rule's answer for a class. About a class from before the rule, instructors are still asked. */
export function answerFor(rule: UnplannedRule, { startsAt }: { startsAt: number }): UnplannedAnswer {
  return startsAt >= (rule.since ?? 0) ? rule.answer : "ask";
}

/** The rule to save. A new answer holds from now on. */
export function ruleFrom(rule: UnplannedRule, before: UnplannedRule, now: number): UnplannedRule {
  const { since } = before.answer === rule.answer ? before : { since: now };
  return { ...rule, ...(since === undefined ? {} : { since }) };
}
