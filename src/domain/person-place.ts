import type { Course, Person } from "./course.ts";
import type { LmsCapabilities } from "./lms-product.ts";

/** The deployment of people whom all deployments of their LMS share. No LMS can send it: an id is never empty. */
export const everyDeployment = "";

/** Where a course's people are known: all deployments where a user id is one for the whole LMS, else one (maybe another institution). */
export function peoplePlace(
  { idsHoldWithin }: Pick<LmsCapabilities, "idsHoldWithin">,
  { registrationId, deploymentId }: Pick<Course, "registrationId" | "deploymentId">,
): Pick<Person, "registrationId" | "deploymentId"> {
  return { registrationId, deploymentId: idsHoldWithin === "registration" ? everyDeployment : deploymentId };
}

export function isKnownIn(
  person: Pick<Person, "registrationId" | "deploymentId">,
  course: Pick<Course, "registrationId" | "deploymentId">,
): boolean {
  if (person.registrationId !== course.registrationId) return false;
  return person.deploymentId === course.deploymentId || person.deploymentId === everyDeployment;
}
