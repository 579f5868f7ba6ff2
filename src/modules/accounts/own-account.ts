import type { App } from "../../app.ts";
import { isBuiltIn } from "../../domain/account.ts";
import type { Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import { accountOfLms } from "./account-of.ts";
import { type AllBindings, bindingsOf } from "./bindings.ts";
import { isIncomplete, type StoredAccount } from "./rules/account-record.ts";

export type OwnAccountDeps = Pick<App, "classroomAccounts" | "registrations" | "deployments" | "courses">;

/** An account without its secrets. */
export type OwnAccount = Pick<
  StoredAccount,
  "id" | "name" | "baseUrl" | "appUrl" | "paused" | "connectionChangedAt" | "webhooksConnectedAt"
> & {
  /** Addresses and key are there. */
  complete: boolean;
  hasKey: boolean;
  /** Accepted webhook secrets: two during a rotation. */
  secrets: number;
};

/**
 * The account of an LMS's new courses, when it is theirs alone: stored, bound to no other LMS, and no course of another one was made with it. Its
 * administrators may change it then. @param bindings Of all LMSs, where many are looked at.
 */
export async function ownAccountOf(
  deps: OwnAccountDeps,
  registration: Registration,
  bindings?: AllBindings,
): Promise<OwnAccount | null> {
  const id = accountOfLms(registration);
  if (isBuiltIn(id)) return null;
  const stored = await deps.classroomAccounts.find(id);
  if (stored === null) return null;
  const all = bindings ?? (await bindingsOf(deps, await deps.registrations.list()));
  const shared = all.some((one) => one.account === id && one.registrationId !== registration.id);
  if (shared || (await deps.courses.isUsedElsewhere(id, registration.id))) return null;
  const { name, baseUrl, appUrl, paused, connectionChangedAt, webhooksConnectedAt } = stored;
  return {
    ...{ id, name, baseUrl, appUrl, paused, connectionChangedAt, webhooksConnectedAt },
    complete: !isIncomplete(stored),
    hasKey: stored.sealedKey !== null,
    secrets: stored.sealedWebhookSecrets.length,
  };
}

/** @throws NamedError "account-not-own" */
export async function requireOwnAccount(
  deps: OwnAccountDeps,
  registration: Registration,
): Promise<OwnAccount> {
  const own = await ownAccountOf(deps, registration);
  if (own === null) throw refusal("account-not-own", { status: 403 });
  return own;
}
