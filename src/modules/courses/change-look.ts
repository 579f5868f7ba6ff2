import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";
import { knownRegistration } from "../registration/registrations.ts";
import type { InstitutionLook, LookChange } from "./rules/institution-look.ts";

export type ChangeLookDeps = AuditDeps & Pick<App, "institutionLooks" | "registrations" | "looks">;

/** How the courses of an LMS look. @throws NamedError "no-such-registration" */
export async function showLook(
  deps: Pick<App, "institutionLooks" | "registrations">,
  registrationId: string,
): Promise<{ registration: Registration; look: InstitutionLook }> {
  const registration = await knownRegistration(deps.registrations, registrationId);
  return { registration, look: await deps.institutionLooks.find(registrationId) };
}

/** @param wanted.revision The one seen. @returns false without effect when it has changed since. */
export async function changeLook(deps: ChangeLookDeps, wanted: LookChange): Promise<boolean> {
  const { id, name } = await knownRegistration(deps.registrations, wanted.registrationId);
  if (!(await deps.institutionLooks.change(wanted))) return false;
  deps.looks.forget(id);
  await writeAudit(deps, { what: "look-changed", registrationId: id, on: name });
  return true;
}
