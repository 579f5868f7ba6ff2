import { describeRecord, unique, index, type ItemOf } from "./record.ts";
import { text, textOf, flag, texts, number, json } from "./record-fields.ts";
import { once, given, withCourse } from "./held-record.ts";
import type { ApiUsers } from "./api-user.ts";
import type { EntryWindow } from "./entry-window.ts";
import type { LastEntry } from "./entry.ts";
import type { GradePolicy } from "./grade-policy.ts";
import type { JoinSettings } from "./join-url.ts";
import type { RuleName } from "./institution-defaults.ts";
import type { EnvironmentName } from "./registration.ts";
import type { StaffLevels } from "./staff-rights.ts";
import type { NewSpace, SpaceAccess } from "./space-access.ts";

/** An LMS course as launches describe it, with its Space and its settings. */
export type Course = {
  id: string;
  registrationId: string;
  deploymentId: string;
  /** `context.id` of the LMS: unique within the deployment only. */
  contextId: string;
  title: string;
  label: string;
  environment: EnvironmentName;
  /** Null until the Space was made. */
  spaceId: string | null;
  settings: JoinSettings;
  /** When learners may enter, and who. */
  door: EntryWindow;
  /** What an instructor says about the course's own Space. */
  spaceAccess: SpaceAccess;
  /** How the course's Space is to be made; `openSpace` when left out. */
  newSpace?: NewSpace;
  /** What its institution has locked: settings, door and policy hold the locked values already. Left out for nothing. */
  locked?: readonly RuleName[];
  /** Its institution lets courses use only Spaces that were made for its courses; left out where it does not say so. */
  ownSpacesOnly?: boolean;
  /** What its institution lets staff do that does not teach; left out for nothing more than arranging. */
  staff?: StaffLevels;
  /** Grows with every change of settings or door, so that nobody overwrites what they have not seen. */
  settingsRevision: number;
  policy: GradePolicy;
  /** Grows with every change of the policy, so that nobody overwrites what they have not seen. */
  policyRevision: number;
  /** IANA name of the zone in which sessions are planned and shown, such as "Europe/Berlin"; null until somebody said. */
  timeZone: string | null;
  /** Latest addresses of the LMS's services for this course; they may change from launch to launch. */
  lineItemsUrl: string | null;
  gradeScopes: readonly string[];
  /**
   * The link (`resource_link.id`) whose launch told `lineItemsUrl` first: an LMS may have a list for each link. Left out where
   * no launch of a link told one.
   */
  gradesLink?: { linkId: string; lineItemsUrl: string } | null;
  membershipsUrl: string | null;
  /** Address of the course groups service; null where the LMS has none. */
  groupsUrl: string | null;
  /** Address of the sets those groups belong to; null where the LMS has none. */
  groupSetsUrl: string | null;
  /** Context ids this course was copied from, newest first, as the LMS tells them; empty for an original. */
  history: readonly string[];
  /** What an instructor answered when the settings of the copied course were offered. */
  copyAnswer: "open" | "taken" | "declined";
  /** Address of the course's page in the LMS; null when no launch told one. */
  courseUrl: string | null;
  /** Whether learners are asked after a class how it was. */
  asksFeedback: boolean;
  /** How the first questions stand. */
  setUp: CourseSetUp;
  createdAt: number;
};

/**
 * How the first questions about a course stand. open: nobody has been asked · asked: an instructor has seen them, and the
 * home page reminds of them · later: put off, nobody is reminded · done: answered.
 */
export type CourseSetUp = "open" | "asked" | "later" | "done";

/** A human being as one LMS deployment knows them, or all deployments of a Canvas: see `person-place`. */
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
  environment: EnvironmentName;
  /** Who they are in the classroom, as a host and as a participant. */
  apiUsers: ApiUsers;
};

type CourseRole = "instructor" | "learner";

/** A person in a course. */
export const memberRecord = describeRecord("Member", {
  fields: {
    registrationId: text,
    courseId: text,
    personId: text,
    /** From the latest launch or roster. */
    role: textOf<CourseRole>(),
    /** Which of the two the role came from: a roster does not know everything a launch knows. */
    roleFrom: textOf<"launch" | "roster">().or("launch"),
    /** A preview student: never graded. */
    testUser: flag,
    /** Listed as a learner: a mentor or a guest has a learner's role here, and is never graded. */
    student: flag.or(true),
    /** Whether the latest roster or launch has them in the course; who left keeps their history. */
    active: flag.or(true),
    /** Ids of their sections (Canvas) or groups (Moodle) in the LMS's words; empty when it tells none. */
    sectionIds: texts.or([]),
    /** Whether a launch of theirs has told their sections; if not, an empty list means that nobody knows. */
    sectionsTold: flag.or(false),
    lastLaunchAt: number.orNull,
    /**
     * What the latest roster says that they are, where it matters: of somebody who was an instructor by a launch or a roster.
     * Null for others, and before a roster was read.
     */
    listed: json<{ role: CourseRole; since: number }>().orNull.optional,
    /** Sessions of launches before this moment (ms) are over; left out where none is. */
    sessionsFrom: number.orNull.optional,
    /** How they came the last time they entered; null when they never did. */
    lastEntry: json<LastEntry>().orNull,
  },
  hidden: {
    /** What the person is sorted by in lists; a copy, because a store cannot sort by another record. */
    listName: text.or(""),
    /** The sections as one text, which an index can look through. */
    sectionKey: textOf<string | null>().optional,
    /**
     * The role in which the classroom was last seen to know the person, which stays so; missing while nobody looked. Earlier
     * versions wrote true.
     */
    ready: json<CourseRole | true | null>().optional,
  },
  indexes: [
    unique("registrationId", "courseId", "personId"),
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
  ],
  held: {
    key: "memberships",
    holds: "role, sections, name for sorting, last launch and last entry (when, into which Space, how)",
    kept: withCourse,
    person: [once],
    given: given(once, "courseId role roleFrom testUser student active sectionIds lastLaunchAt lastEntry"),
    names: [{ path: "personId", among: "registration", both: "newer-launch" }],
  },
});
export type Member = ItemOf<typeof memberRecord>;
