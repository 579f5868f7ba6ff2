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
  /** A preview student: never graded. */
  testUser: boolean;
  lastLaunchAt: number | null;
};
