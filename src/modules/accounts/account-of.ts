import type { App } from "../../app.ts";
import { type AccountId, builtInAccounts, isBuiltIn } from "../../domain/account.ts";
import type { Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import { isIncomplete, type StoredAccount } from "./rules/records.ts";

export type OwnAccountApp = Pick<App, "classroomAccounts" | "registrations" | "deployments" | "courses">;

/** An account without its secrets. */
export type OwnAccount = Pick<
  StoredAccount,
  "id" | "name" | "baseUrl" | "appUrl" | "paused" | "connectionChangedAt" | "webhooksConnectedAt"
> & {
  /** Whose it is, where it is bound to one deployment of the LMS; null: the LMS's. */
  deploymentId: string | null;
  /** Addresses and key are there. */
  complete: boolean;
  hasKey: boolean;
  /** Accepted webhook secrets: two during a rotation. */
  secrets: number;
};

/**
 * The account of new courses of an LMS, or of one deployment where that has its own, when only they use it: stored, bound to no other, and no
 * course of others was made with it. Its administrators may change it then.
 * @param deploymentId From which an administrator came: they have nothing of another one's. Null: the LMS's.
 * @param bindings Of all LMSs, where many are looked at.
 */
export async function ownAccountOf(
  app: OwnAccountApp,
  registration: Registration,
  deploymentId: string | null,
  bindings?: AllBindings,
): Promise<OwnAccount | null> {
  const bound =
    deploymentId === null ? undefined : (await app.deployments.find(registration.id, deploymentId))?.account;
  const id = bound ?? accountOfLms(registration);
  const only = bound === undefined ? null : deploymentId;
  if (isBuiltIn(id)) return null;
  const stored = await app.classroomAccounts.find(id);
  if (stored === null) return null;
  const all = bindings ?? (await bindingsOf(app, await app.registrations.list()));
  const isTheirs = (one: Binding) =>
    one.registrationId === registration.id && (only === null || one.deploymentId === only);
  const shared = all.some((one) => one.account === id && !isTheirs(one));
  if (shared || (await app.courses.isUsedElsewhere(id, registration.id, only))) return null;
  const { name, baseUrl, appUrl, paused, connectionChangedAt, webhooksConnectedAt } = stored;
  return {
    ...{ id, name, baseUrl, appUrl, paused, connectionChangedAt, webhooksConnectedAt },
    deploymentId: only,
    complete: !isIncomplete(stored),
    hasKey: stored.sealedKey !== null,
    secrets: stored.sealedWebhookSecrets.length,
  };
}

/** @throws NamedError "account-not-own" */
export async function requireOwnAccount(
  app: OwnAccountApp,
  registration: Registration,
  deploymentId: string | null,
): Promise<OwnAccount> {
  const own = await ownAccountOf(app, registration, deploymentId);
  if (own === null) throw refusal("account-not-own", { status: 403 });
  return own;
}

/**
 * The account of new courses: the deployment's, else the registration's, else the one the registration was made for. A course
 * keeps the account it was made with: its Space, users and sessions are there.
 */
export async function accountOf(
  { deployments }: Pick<App, "deployments">,
  registration: Registration,
  deploymentId: string,
): Promise<AccountId> {
  const deployment = await deployments.find(registration.id, deploymentId);
  return deployment?.account ?? accountOfLms(registration);
}

/** The account of an LMS's new courses, where a deployment has none of its own. */
export function accountOfLms({
  account,
  environment,
}: Pick<Registration, "account" | "environment">): AccountId {
  return account ?? environment;
}

/** The account that is meant where none is named: production, staging, or else the first one. */
export function usualAccount(known: readonly AccountId[]): AccountId | undefined {
  return builtInAccounts.find((id) => known.includes(id)) ?? known[0];
}

/** An LMS whose new courses use an account; `deploymentId`: those of this place in it only. */
export type Binding = { registrationId: string; name: string; deploymentId: string | null };

export type AllBindings = readonly (Binding & { account: AccountId })[];

/** Which account which LMS and which deployment uses for new courses. */
export async function bindingsOf(
  { deployments }: Pick<App, "deployments">,
  registrations: readonly Registration[],
): Promise<AllBindings> {
  const each = await Promise.all(
    registrations.map(async (registration) => {
      const { id: registrationId, name } = registration;
      return [
        { registrationId, name, deploymentId: null, account: accountOfLms(registration) },
        ...(await deployments.listOf(registrationId)).flatMap(({ deploymentId, account }) =>
          account === undefined ? [] : [{ registrationId, name, deploymentId, account }],
        ),
      ];
    }),
  );
  return each.flat();
}
