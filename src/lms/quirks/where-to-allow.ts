import type { PlatformFamily } from "../../domain/registration.ts";
import { scopes } from "../scopes.ts";

/** Canvas's own names of the scopes, as its developer keys page shows them. */
const canvasNames: ReadonlyMap<string, string> = new Map([
  [scopes.lineItem, "Can create and view assignment data in the gradebook associated with the tool"],
  [scopes.resultReadOnly, "Can view submission data for assignments associated with the tool"],
  [scopes.score, "Can create and update submission results for assignments associated with the tool"],
  [scopes.membership, "Can retrieve user data associated with the context the tool is installed in"],
]);

/**
 * Tells an administrator where in their LMS a service is allowed.
 * @param scope Its full URI.
 * @returns one sentence.
 */
export function whereToAllow(family: PlatformFamily, scope: string): string {
  switch (family) {
    case "moodle":
      return inMoodle(scope);
    case "canvas": {
      const name = canvasNames.get(scope);
      return `In Canvas: Admin > Developer Keys > the tool's key > LTI Advantage services (newer Canvas: Admin > Apps > Manage > the tool > Permissions), switch on ${name === undefined ? scope : `"${name}"`}.`;
    }
    case "other":
      return `In the LMS's settings of the tool, allow the scope ${scope}.`;
  }
}

function inMoodle(scope: string): string {
  const services =
    "In Moodle: Site administration > Plugins > Activity modules > External tool > Manage tools > the tool's settings > Services,";
  return scope === scopes.membership
    ? `${services} set "IMS LTI Names and Role Provisioning" to "Use this service to retrieve members' information as per privacy settings".`
    : `${services} set "IMS LTI Assignment and Grade Services" to "Use this service for grade sync and column management".`;
}
