import { resealSecrets, type ResealSecretsDeps } from "../registration/reseal-secrets.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type ResealAllDeps = AuditDeps & ResealSecretsDeps;

/** @throws NamedError "secrets-not-resealed" when some secret opens with neither; the others are resealed. */
export async function resealAll(deps: ResealAllDeps): Promise<void> {
  const { keys } = await resealSecrets(deps);
  await writeAudit(deps, { what: "secrets-resealed", registrationId: null, on: String(keys) });
}
