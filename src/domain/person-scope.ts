import type { AccountId } from "./account.ts";
import type { Course, Person } from "./course.ts";
import type { LmsCapabilities } from "./lms-product.ts";
import type { Registration, RenamedDeployment } from "./registration.ts";

/** The deployment id of people shared by all deployments of their LMS. No LMS can send it, because a real id is never empty. */
export const everyDeployment = "";

/**
 * Prefix of the deployment for people in courses of another account than their LMS's first one. Each account has its own API
 * users, so a human being in courses of two accounts is two persons here.
 */
const accountMark = /^account:[a-z0-9-]+:/;

type CourseOfPeople = Pick<Course, "registrationId" | "deploymentId" | "environment">;

/**
 * Where a course's people are known: in all deployments if the LMS has one user id for all of them, else in one (maybe another
 * institution). Each classroom account has separate people.
 */
export function personScope(
  { idsHoldWithin }: Pick<LmsCapabilities, "idsHoldWithin">,
  { environment: home }: Pick<Registration, "environment">,
  { registrationId, deploymentId, environment }: CourseOfPeople,
): Pick<Person, "registrationId" | "deploymentId"> {
  const within = idsHoldWithin === "registration" ? everyDeployment : deploymentId;
  return { registrationId, deploymentId: `${markOf(environment, home)}${within}` };
}

function markOf(account: AccountId, home: AccountId): string {
  return account === home ? "" : `account:${account}:`;
}

/** As `personScope` if the product doesn't matter, because `PersonStore` also searches the shared scope. */
export function scopeInCourse(
  registration: Pick<Registration, "environment"> | null,
  { registrationId, deploymentId, environment }: CourseOfPeople,
): Pick<Person, "registrationId" | "deploymentId"> {
  const home = registration?.environment ?? environment;
  return { registrationId, deploymentId: `${markOf(environment, home)}${deploymentId}` };
}

/** The scope of people who move to another registration of their LMS, in the same account. */
export function scopeAfterMove(
  { idsHoldWithin }: Pick<LmsCapabilities, "idsHoldWithin">,
  before: string,
  deploymentId: string,
): string {
  return idsHoldWithin === "registration" ? sharedScope(before) : `${sharedScope(before)}${deploymentId}`;
}

/** The scope that people had under the earlier registration that became this one, if its deployments had other names. */
export function scopeBefore(deployments: readonly RenamedDeployment[], scope: string): string {
  const renamed = deployments.find(({ kept }) => kept === deploymentOfScope(scope));
  return renamed === undefined ? scope : `${sharedScope(scope)}${renamed.told}`;
}

/** The corresponding scope for all deployments of the LMS. */
export function sharedScope(deploymentId: string): string {
  return `${accountMark.exec(deploymentId)?.[0] ?? ""}${everyDeployment}`;
}

/** Whether all deployments of the LMS share the people of this scope. */
export function isShared(deploymentId: string): boolean {
  return deploymentId === sharedScope(deploymentId);
}

/** The deployment as the LMS knows it; null if all deployments share the people. */
export function deploymentOfScope(deploymentId: string): string | null {
  const within = deploymentId.replace(accountMark, "");
  return within === everyDeployment ? null : within;
}

export function isKnownIn(
  person: Pick<Person, "registrationId" | "deploymentId" | "environment">,
  course: CourseOfPeople,
): boolean {
  if (person.registrationId !== course.registrationId || person.environment !== course.environment)
    return false;
  const deployment = deploymentOfScope(person.deploymentId);
  return deployment === null || deployment === course.deploymentId;
}
