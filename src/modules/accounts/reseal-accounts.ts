import type { App } from "../../app.ts";
import { NamedError } from "../../kernel/errors.ts";
import { sealPurpose, type StoredAccount } from "./rules/account-record.ts";

export type ResealAccountsDeps = Pick<App, "classroomAccounts" | "sealer" | "clock">;

/** Seals the secrets of all stored accounts under the current SECRET_KEY. @returns how many, and the ids of those that open with no known key. */
export async function resealAccounts(
  deps: ResealAccountsDeps,
): Promise<{ resealed: number; unreadable: string[] }> {
  const unreadable: string[] = [];
  let resealed = 0;
  for (const { id } of await deps.classroomAccounts.list()) {
    if (await reseal(deps, id)) resealed += 1;
    else unreadable.push(`account ${id}`);
  }
  return { resealed, unreadable };
}

async function reseal(deps: ResealAccountsDeps, id: string): Promise<boolean> {
  const { classroomAccounts, clock } = deps;
  const account = await classroomAccounts.find(id);
  if (account === null) return true;
  const sealed = sealedAnew(deps, account);
  if (sealed === null) return false;
  try {
    await classroomAccounts.change(account, { ...sealed, changedAt: clock.now() });
    return true;
  } catch (thrown) {
    // Somebody changed it at this moment: what they wrote is sealed anew.
    if (thrown instanceof NamedError && thrown.code === "account-changed") return reseal(deps, id);
    throw thrown;
  }
}

function sealedAnew(
  { sealer }: ResealAccountsDeps,
  { id, sealedKey, sealedWebhookSecrets }: StoredAccount,
): Pick<StoredAccount, "sealedKey" | "sealedWebhookSecrets"> | null {
  const again = (purpose: string, sealed: string) => sealer.seal(purpose, sealer.open(purpose, sealed));
  try {
    return {
      sealedKey: sealedKey === null ? null : again(sealPurpose(id, "key"), sealedKey),
      sealedWebhookSecrets: sealedWebhookSecrets.map((one) => again(sealPurpose(id, "webhook-secret"), one)),
    };
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "sealed-with-unknown-key") return null;
    throw thrown;
  }
}
