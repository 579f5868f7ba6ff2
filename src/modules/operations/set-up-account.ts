import type { App } from "../../app.ts";
import type { OptionalStep } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type ChangeAccountsDeps, connectAccount } from "../accounts/change-accounts.ts";
import { type OwnAccountDeps, requireOwnAccount } from "../accounts/account-of.ts";
import type { AccountConnection } from "../accounts/rules/account-input.ts";
import { knownRegistration } from "../registration/registrations.ts";
import { type ChangeRegistrationDeps, decideDeployment } from "./change-registration.ts";

export type GiveConnectionDeps = ChangeAccountsDeps & OwnAccountDeps & Pick<App, "refusesKey">;

/** The LMS, and the deployment from which its administrator came; null for none. */
export type WhoseAccount = { registrationId: string; deploymentId: string | null };

/**
 * Addresses and key of an LMS's own account, or of its deployment's. A key that the service refuses is not kept; the one before stays.
 * @throws NamedError "account-not-own", "account-key-refused", and as `connectAccount`
 */
export async function giveConnection(
  deps: GiveConnectionDeps,
  { registrationId, deploymentId }: WhoseAccount,
  connection: AccountConnection,
): Promise<void> {
  const registration = await knownRegistration(deps.registrations, registrationId);
  const { id } = await requireOwnAccount(deps, registration, deploymentId);
  const { baseUrl, apiKey } = connection;
  // Before anything is sent there.
  const addresses = [baseUrl, connection.appUrl].every((address) => deps.addressProblem(address) === null);
  if (addresses && apiKey !== undefined && (await deps.refusesKey(id, { baseUrl, apiKey })))
    throw refusal("account-key-refused", { status: 422 });
  await connectAccount({ ...deps, ofRegistration: registrationId }, id, connection);
}

/**
 * Accepts a deployment that was refused because it was new. What an operator refused stays refused.
 * @throws NamedError "no-such-registration", "deployment-unknown", "deployment-decided"
 */
export async function acceptNewDeployment(
  deps: ChangeRegistrationDeps,
  registrationId: string,
  deploymentId: string,
): Promise<void> {
  const known = (await deps.deployments.listOf(registrationId)).find(
    (one) => one.deploymentId === deploymentId,
  );
  if (known !== undefined && known.status === "refused" && known.decidedAt !== null)
    throw refusal("deployment-decided", { status: 403 });
  await decideDeployment(deps, registrationId, deploymentId, "accepted");
}

/** An administrator's answer to a step that needs nothing to be set. @throws NamedError "no-such-registration" */
export async function markStep(
  { registrations }: Pick<App, "registrations">,
  registrationId: string,
  { step, mark }: { step: OptionalStep; mark: "done" | "skipped" | null },
): Promise<void> {
  const { id } = await knownRegistration(registrations, registrationId);
  await registrations.markSetUp(id, step, mark);
}
