import type { GradePolicy } from "./grade-policy.ts";
import type { JoinSettings } from "./join-url.ts";
import type { EnvironmentName } from "./registration.ts";

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
  policy: GradePolicy;
  /** Latest addresses of the LMS's services for this course; they may change from launch to launch. */
  lineItemsUrl: string | null;
  gradeScopes: readonly string[];
  membershipsUrl: string | null;
  /** Address of the course groups service; null where the LMS has none. */
  groupsUrl: string | null;
  /** Address of the sets those groups belong to; null where the LMS has none. */
  groupSetsUrl: string | null;
  /** Context ids this course was copied from, newest first, as the LMS tells them; empty for an original. */
  history: readonly string[];
  /** What an instructor answered when the settings of the copied course were offered. */
  copyAnswer: "open" | "taken" | "declined";
  createdAt: number;
};

/** A human being as one LMS deployment knows them. */
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
  /** The classroom's user id; null until the API user was made. */
  apiUserId: string | null;
};

/** A person in a course. */
export type Member = {
  id: string;
  registrationId: string;
  courseId: string;
  personId: string;
  /** From the latest launch or roster. */
  role: "instructor" | "learner";
  /** Which of the two the role came from: a roster does not know everything a launch knows. */
  roleFrom: "launch" | "roster";
  /** A preview student: never graded. */
  testUser: boolean;
  /** Listed as a learner: a mentor or a guest has a learner's role here, and is never graded. */
  student: boolean;
  /** Whether the latest roster or launch has them in the course; who left keeps their history. */
  active: boolean;
  /** Ids of their sections (Canvas) or groups (Moodle) in the LMS's words; empty when it tells none. */
  sectionIds: readonly string[];
  lastLaunchAt: number | null;
};
