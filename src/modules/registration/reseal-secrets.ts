import type { App } from "../../app.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { ToolKeys } from "../../lms/tool-keys.ts";

export type ResealSecretsDeps = Pick<App, "accessTokens"> & {
  signingKeys: Pick<ToolKeys, "reseal">;
};

/**
 * Seals all stored secrets under the current SECRET_KEY, so that SECRET_KEY_PREVIOUS can be removed. Access tokens are
 * deleted: the LMS gives new ones.
 * @throws NamedError "secrets-not-resealed" when some secret opens with neither; the others are resealed.
 */
export async function resealSecrets(deps: ResealSecretsDeps): Promise<{ keys: number; tokens: number }> {
  const { resealed, unreadable } = await deps.signingKeys.reseal();
  const tokens = await deps.accessTokens.dropAll();
  if (unreadable.length === 0) return { keys: resealed, tokens };
  throw refusal("secrets-not-resealed", {
    values: { unreadable: unreadable.length, names: unreadable.join(", "), resealed },
    details: { unreadable: unreadable.length, resealed },
  });
}
