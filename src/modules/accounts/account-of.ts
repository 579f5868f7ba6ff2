import type { App } from "../../app.ts";
import { type AccountId, builtInAccounts } from "../../domain/account.ts";
import type { Registration } from "../../domain/registration.ts";

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
