import type { App } from "../../app.ts";
import type { KeyState, NextKey, ToolKeys } from "../../lms/tool-keys.ts";
import { knownRegistration } from "./known-registration.ts";

export type RotateKeyDeps = Pick<App, "registrations"> & {
  signingKeys: Pick<ToolKeys, "list" | "rotate" | "replaceNow">;
};

/** The tool's keys towards one LMS, newest first. @throws NamedError "no-such-registration" */
export async function listKeys(deps: RotateKeyDeps, registrationId: string): Promise<KeyState[]> {
  await knownRegistration(deps.registrations, registrationId);
  return deps.signingKeys.list(registrationId);
}

/**
 * The next key towards one LMS is published now and signs in an hour; the present one stays published a day longer.
 * @param options.atOnce The present key is compromised: sign with the next one now and withdraw the others.
 * @throws NamedError "no-such-registration"
 */
export async function rotateKey(
  deps: RotateKeyDeps,
  registrationId: string,
  { atOnce = false }: { atOnce?: boolean } = {},
): Promise<NextKey> {
  await knownRegistration(deps.registrations, registrationId);
  return atOnce ? deps.signingKeys.replaceNow(registrationId) : deps.signingKeys.rotate(registrationId);
}
