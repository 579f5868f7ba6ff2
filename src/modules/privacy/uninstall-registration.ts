import type { App } from "../../app.ts";
import type { Erasure } from "./rules/erasure.ts";
import { knownRegistration } from "../registration/known-registration.ts";
import { confirmTyped } from "./confirm-typed.ts";
import { enqueueErasure, type EnqueueErasureDeps } from "./enqueue-erasure.ts";

export type UninstallDeps = EnqueueErasureDeps & Pick<App, "registrations">;

/**
 * Switches an LMS off and enqueues the erasure of all its records.
 * @param typedName The LMS's name, typed for confirmation.
 * @throws NamedError "no-such-registration", "name-differs"
 */
export async function uninstallRegistration(
  deps: UninstallDeps,
  id: string,
  typedName: string,
): Promise<Erasure> {
  const { name, environment } = await knownRegistration(deps.registrations, id);
  confirmTyped(typedName, name);
  await deps.registrations.setActive(id, false);
  return enqueueErasure(deps, { kind: "registration", registrationId: id, environment }, name);
}
