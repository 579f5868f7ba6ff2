import { refusal } from "../../kernel/refusal.ts";
import { resealAccounts, type ResealAccountsDeps } from "../accounts/change-accounts.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";
import { resealSecrets, type ResealSecretsDeps } from "../registration/registrations.ts";

export type ResealAllDeps = AuditDeps & ResealSecretsDeps & ResealAccountsDeps;

/**
 * Signing keys and the secrets of classroom accounts.
 * @throws NamedError "secrets-not-resealed" when some secret opens with neither; the others are resealed.
 */
export async function resealAll(
  deps: ResealAllDeps,
): Promise<{ keys: number; tokens: number; accounts: number }> {
  const { resealed: accounts, unreadable } = await resealAccounts(deps);
  const { keys, tokens } = await resealSecrets(deps);
  await writeAudit(deps, { what: "secrets-resealed", registrationId: null, on: String(keys + accounts) });
  if (unreadable.length === 0) return { keys, tokens, accounts };
  throw refusal("secrets-not-resealed", {
    values: { unreadable: unreadable.length, names: unreadable.join(", "), resealed: keys + accounts },
    details: { unreadable: unreadable.length, resealed: keys + accounts },
  });
}
