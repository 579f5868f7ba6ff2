import type { Erasure } from "../../domain/erasure.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { RegistrationStore } from "../../storage/registration-store.ts";
import { knownRegistration } from "../registration/known-registration.ts";
import { wantErasure, type WantErasureDeps } from "./want-erasure.ts";

export type UninstallDeps = WantErasureDeps & { registrations: RegistrationStore };

/**
 * Switches an LMS off and has all of its records removed: people, courses, attendance, scores, keys. Other LMSs are not
 * touched.
 * @param typedName The LMS's name, typed once more by whoever wants this.
 * @throws NamedError "registration-unknown", "name-differs"
 */
export async function uninstallRegistration(
  deps: UninstallDeps,
  id: string,
  typedName: string,
): Promise<Erasure> {
  const { name, environment } = await knownRegistration(deps.registrations, id);
  if (typedName.trim() !== name.trim()) throw nameDiffers();
  await deps.registrations.setActive(id, false);
  return wantErasure(deps, { kind: "registration", registrationId: id, environment }, name);
}

/** What was typed to confirm is something else: nothing was done. */
export function nameDiffers(): NamedError {
  return new NamedError(
    "name-differs",
    "What you typed is not what was asked for, so nothing was erased. Go back and type it exactly as shown.",
    { status: 400 },
  );
}
