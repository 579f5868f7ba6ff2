import type { App } from "../../app.ts";
import { consoleLinkLifetimeMs, letsAdministratorsIn } from "../courses/rules/lms-administrator.ts";
import { refusal } from "../../kernel/refusal.ts";
import { knownRegistration } from "../registration/registrations.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type LetAdministratorsInDeps = AuditDeps & Pick<App, "registrations">;

/** Those inside are out at once. @throws NamedError "no-such-registration" */
export async function letAdministratorsIn(
  deps: LetAdministratorsInDeps,
  registrationId: string,
  enter: boolean,
): Promise<void> {
  const { name } = await knownRegistration(deps.registrations, registrationId);
  await deps.registrations.setAdministratorsEnter(registrationId, enter);
  const what = enter ? "administrators-let-in" : "administrators-kept-out";
  await writeAudit(deps, { what, registrationId, on: name });
}

/**
 * An administrator of an LMS enters its part of the console.
 * @param until When the right of their launch ends (ms); left out without one.
 * @throws NamedError "administration-closed" when they may not, or not any more
 */
export async function enterAsAdministrator(
  deps: LetAdministratorsInDeps,
  {
    registrationId,
    personId,
    until,
  }: { registrationId: string; personId: string; until: number | undefined },
): Promise<void> {
  const now = deps.clock.now();
  const registration = await deps.registrations.find(registrationId);
  // A later time than any launch gives was not given by one.
  const open = until !== undefined && until > now && until <= now + consoleLinkLifetimeMs;
  if (!open || registration === null || !letsAdministratorsIn(registration))
    throw refusal("administration-closed", { status: 403 });
  const by = { ...deps, who: "lms-administrator", personId } as const;
  await writeAudit(by, { what: "administrator-entered", registrationId, on: registration.name });
}
