import type { App } from "../../app.ts";
import { isDeepStrictEqual } from "node:util";
import { type InstitutionDefaults, lockedNames, policyParts } from "../../domain/institution-defaults.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { Registration } from "../../domain/registration.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type ChangeInstitutionDeps = AuditDeps &
  Pick<App, "institutionDefaults" | "registrations" | "courses">;

/** What is set for the courses of an LMS, and how many courses there are. */
export type ShownDefaults = { registration: Registration; defaults: InstitutionDefaults; courses: number };

/**
 * What is set for the courses of an LMS.
 * @throws NamedError "no-such-registration"
 */
export async function showInstitutionDefaults(
  deps: Omit<ChangeInstitutionDeps, keyof AuditDeps>,
  registrationId: string,
): Promise<ShownDefaults> {
  const registration = await deps.registrations.find(registrationId);
  if (registration === null)
    throw refusal("no-such-registration", { values: { id: registrationId }, status: 404 });
  const defaults = await deps.institutionDefaults.find(registrationId);
  return { registration, defaults, courses: await deps.courses.countOf(registrationId) };
}

/**
 * Sets the defaults and locks of an LMS's courses. Locks take effect at once; when what is locked about grades has
 * changed, the grades of its courses are computed anew in the background, whatever happens to this process.
 * @param wanted.revision The one that was seen.
 * @returns false, and nothing is changed, when somebody else has changed them since.
 */
export async function changeInstitutionDefaults(
  deps: ChangeInstitutionDeps,
  wanted: InstitutionDefaults,
): Promise<boolean> {
  const { registration, defaults } = await showInstitutionDefaults(deps, wanted.registrationId);
  const regrades = !isDeepStrictEqual(lockedPolicy(defaults), lockedPolicy(wanted));
  if (!(await deps.institutionDefaults.change(wanted, { regrades }))) return false;
  await writeAudit(deps, {
    what: "defaults-changed",
    registrationId: registration.id,
    on: registration.name,
  });
  return true;
}

/** What locks say about grades. Below a locked kind even an unlocked default may be what a course's rule is made of. */
function lockedPolicy(defaults: InstitutionDefaults): unknown {
  const locked = lockedNames(defaults);
  const entries = policyParts
    .filter((part) => locked.includes(part))
    .map((part) => [part, defaults.policy[part]]);
  return { entries, beneath: locked.includes("kind") ? defaults.policy : null };
}
