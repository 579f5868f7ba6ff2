import type { Course, Person } from "./course.ts";
import type { LmsCapabilities } from "./lms-product.ts";

/** Stands for the deployment of people whom all deployments of their LMS share. No LMS can send it: an id is never empty. */
export const everyDeployment = "";

/**
 * Where the people of a course are known: where a user id is one for the whole LMS, in all its deployments together; elsewhere a
 * deployment may be another institution, whose ids mean other people.
 */
export function peoplePlace(
  { idsHoldWithin }: Pick<LmsCapabilities, "idsHoldWithin">,
  { registrationId, deploymentId }: Pick<Course, "registrationId" | "deploymentId">,
): Pick<Person, "registrationId" | "deploymentId"> {
  return { registrationId, deploymentId: idsHoldWithin === "registration" ? everyDeployment : deploymentId };
}

/** Whether somebody is one of the people whom a course's installation knows. */
export function isKnownIn(
  person: Pick<Person, "registrationId" | "deploymentId">,
  course: Pick<Course, "registrationId" | "deploymentId">,
): boolean {
  if (person.registrationId !== course.registrationId) return false;
  return person.deploymentId === course.deploymentId || person.deploymentId === everyDeployment;
}
