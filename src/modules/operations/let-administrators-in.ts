import type { App } from "../../app.ts";
import { consoleWayLasts, letsAdministratorsIn } from "../courses/rules/lms-administrator.ts";
import { refusal } from "../../kernel/refusal.ts";
import { knownRegistration } from "../registration/known-registration.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type LetAdministratorsInDeps = AuditDeps & Pick<App, "registrations">;

/**
 * Lets the administrators of an LMS into its part of the console, or keeps them out; who is inside is out at once.
 * @throws NamedError "no-such-registration"
 */
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
 * An administrator of an LMS comes into its part of the console.
 * @param until When the way in closes that their launch opened (ms); left out by people who are none.
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
  // A time further ahead than any launch gives was not given by one.
  const open = until !== undefined && until > now && until <= now + consoleWayLasts;
  if (!open || registration === null || !letsAdministratorsIn(registration))
    throw refusal("administration-closed", { status: 403 });
  const by = { ...deps, who: "lms-administrator", personId } as const;
  await writeAudit(by, { what: "administrator-entered", registrationId, on: registration.name });
}
