import type { App } from "../../app.ts";
import { isDeepStrictEqual } from "node:util";
import { type InstitutionDefaults, lockedNames, policyParts } from "../../domain/institution-defaults.ts";
import { ruleFrom } from "../../domain/unplanned-rule.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { Registration } from "../../domain/registration.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type ChangeInstitutionDeps = AuditDeps &
  Pick<App, "institutionDefaults" | "registrations" | "courses">;

export type ShownDefaults = { registration: Registration; defaults: InstitutionDefaults; courses: number };

/** The defaults and locks for the courses of an LMS. @throws NamedError "no-such-registration" */
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
 * Locks take effect at once; after a change of locked grading values grades are recomputed, even if this process ends.
 * @param wanted.revision The one seen. @returns false without effect when they have changed since.
 */
export async function changeInstitutionDefaults(
  deps: ChangeInstitutionDeps,
  wanted: InstitutionDefaults,
): Promise<boolean> {
  const { registration, defaults } = await showInstitutionDefaults(deps, wanted.registrationId);
  const regrades = !isDeepStrictEqual(lockedPolicy(defaults), lockedPolicy(wanted));
  const { unplanned } = wanted;
  const rule = unplanned === null ? null : ruleFrom(unplanned, defaults.unplanned, deps.clock.now());
  if (!(await deps.institutionDefaults.change({ ...wanted, unplanned: rule }, { regrades }))) return false;
  await writeAudit(deps, {
    what: "defaults-changed",
    registrationId: registration.id,
    on: registration.name,
  });
  return true;
}

/** Below a locked kind, unlocked defaults may become part of a course's policy, too. */
function lockedPolicy(defaults: InstitutionDefaults): unknown {
  const locked = lockedNames(defaults);
  const entries = policyParts
    .filter((part) => locked.includes(part))
    .map((part) => [part, defaults.policy[part]]);
  return { entries, beneath: locked.includes("kind") ? defaults.policy : null };
}
