import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { type AccountId, isBuiltIn } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";
import { knownRegistration } from "../registration/registrations.ts";
import type { Accounts } from "./known-accounts.ts";
import type { AccountChange, AccountConnection, NewAccount } from "./rules/account-input.ts";
import { sealPurpose, type StoredAccount } from "./rules/records.ts";

export type ChangeAccountsDeps = AuditDeps &
  Pick<
    App,
    "classroomAccounts" | "registrations" | "deployments" | "sealer" | "addressProblem" | "parseDialect"
  > & {
    accounts: Pick<Accounts, "find" | "refresh">;
    /** The LMS whose administrator changes its own account; left out for operators. */
    ofRegistration?: string;
  };

/** @throws NamedError "account-exists", "account-address-refused", and as `parseDialect` */
export async function addAccount(deps: ChangeAccountsDeps, input: NewAccount): Promise<void> {
  const { apiKey, webhookSecret, ...facts } = input;
  refuseAddresses(deps, facts);
  refuseDialect(deps, facts);
  await insert(deps, facts, { apiKey, webhookSecret });
}

/** An account whose institution gives addresses and key itself; until then it counts as paused. @throws NamedError "account-exists" */
export async function prepareAccount(
  deps: ChangeAccountsDeps,
  { id, name }: Pick<NewAccount, "id" | "name">,
): Promise<void> {
  const webhookSecret = deps.ids.secret(24);
  await insert(
    deps,
    { id, name, stage: "production", baseUrl: "", appUrl: "" },
    { apiKey: null, webhookSecret },
  );
}

async function insert(
  deps: ChangeAccountsDeps,
  facts: Omit<NewAccount, "apiKey" | "webhookSecret">,
  { apiKey, webhookSecret }: { apiKey: string | null; webhookSecret: string },
): Promise<void> {
  const { id, dialect = null, callsPerSecond = null, analyticsSeconds = null } = facts;
  if (deps.accounts.find(id) !== undefined)
    throw refusal("account-exists", { status: 409, values: { account: id } });
  const now = deps.clock.now();
  await deps.classroomAccounts.insert({
    ...facts,
    sealedKey: apiKey === null ? null : deps.sealer.seal(sealPurpose(id, "key"), apiKey),
    sealedWebhookSecrets: [deps.sealer.seal(sealPurpose(id, "webhook-secret"), webhookSecret)],
    ...{ dialect, callsPerSecond, analyticsSeconds, paused: false, revision: 1 },
    ...{ createdAt: now, changedAt: now, connectionChangedAt: now, webhooksConnectedAt: null },
  });
  await noted(deps, "account-added", id);
}

/** @throws NamedError "account-unknown", "account-built-in", "account-changed", "account-address-refused", and as `parseDialect` */
export async function changeAccount(
  deps: ChangeAccountsDeps,
  id: AccountId,
  to: AccountChange,
): Promise<void> {
  refuseAddresses(deps, to);
  refuseDialect(deps, to);
  const connects = to.baseUrl !== undefined || to.appUrl !== undefined || to.dialect !== undefined;
  await change(deps, id, (before) => ({
    name: to.name ?? before.name,
    stage: to.stage ?? before.stage,
    baseUrl: to.baseUrl ?? before.baseUrl,
    appUrl: to.appUrl ?? before.appUrl,
    dialect: to.dialect === undefined ? before.dialect : to.dialect,
    callsPerSecond: to.callsPerSecond === undefined ? before.callsPerSecond : to.callsPerSecond,
    analyticsSeconds: to.analyticsSeconds === undefined ? before.analyticsSeconds : to.analyticsSeconds,
    connectionChangedAt: connects ? deps.clock.now() : before.connectionChangedAt,
  }));
  await noted(deps, "account-changed", id);
}

/**
 * What an institution gives: addresses, and a key where it is a new one. A key is never sent to an address that it was not given with.
 * @throws as `changeAccount`, also "account-key-needed"
 */
export async function connectAccount(
  deps: ChangeAccountsDeps,
  id: AccountId,
  { baseUrl, appUrl, apiKey }: AccountConnection,
): Promise<void> {
  refuseAddresses(deps, { baseUrl, appUrl });
  const given = apiKey === undefined ? null : deps.sealer.seal(sealPurpose(id, "key"), apiKey);
  await change(deps, id, (before) => {
    const sealedKey = given ?? (before.baseUrl === baseUrl ? before.sealedKey : null);
    if (sealedKey === null) throw refusal("account-key-needed", { status: 422 });
    return { baseUrl, appUrl, sealedKey, connectionChangedAt: deps.clock.now() };
  });
  await noted(deps, given === null ? "account-changed" : "account-key-rotated", id);
}

/** The service has said that it sends its webhooks to us. @throws as `changeAccount` */
async function noteWebhooksConnected(deps: ChangeAccountsDeps, id: AccountId): Promise<void> {
  await change(deps, id, () => ({ webhooksConnectedAt: deps.clock.now() }));
}

/** From now on; the service may have withdrawn the former key already. @throws as `changeAccount` */
export async function rotateApiKey(deps: ChangeAccountsDeps, id: AccountId, apiKey: string): Promise<void> {
  const sealedKey = deps.sealer.seal(sealPurpose(id, "key"), apiKey);
  await change(deps, id, () => ({ sealedKey, connectionChangedAt: deps.clock.now() }));
  await noted(deps, "account-key-rotated", id);
}

/** The former secret is accepted, too, until `endPreviousSecret`. @throws as `changeAccount` */
export async function rotateWebhookSecret(
  deps: ChangeAccountsDeps,
  id: AccountId,
  secret: string,
): Promise<void> {
  const sealed = deps.sealer.seal(sealPurpose(id, "webhook-secret"), secret);
  await change(deps, id, ({ sealedWebhookSecrets }) => ({
    sealedWebhookSecrets: [sealed, ...sealedWebhookSecrets.slice(0, 1)],
    // The service was told the one before.
    webhooksConnectedAt: null,
  }));
  await noted(deps, "account-secret-rotated", id);
}

/** @throws as `changeAccount` */
export async function endPreviousSecret(deps: ChangeAccountsDeps, id: AccountId): Promise<void> {
  await change(deps, id, ({ sealedWebhookSecrets }) => ({
    sealedWebhookSecrets: sealedWebhookSecrets.slice(0, 1),
  }));
  await noted(deps, "account-secret-ended", id);
}

/** Paused: nobody enters and nothing is asked of the service; webhooks are kept, grades still go out. @throws as `changeAccount` */
export async function pauseAccount(deps: ChangeAccountsDeps, id: AccountId, paused: boolean): Promise<void> {
  await change(deps, id, () => ({ paused }));
  await noted(deps, paused ? "account-paused" : "account-resumed", id);
}

/**
 * New courses of the LMS, or of one deployment, use the account. Courses that are there keep theirs.
 * @throws NamedError "account-unknown", "no-such-registration", "deployment-unknown"
 */
export async function bindAccount(
  deps: ChangeAccountsDeps,
  id: AccountId,
  { registrationId, deploymentId }: { registrationId: string; deploymentId: string | null },
): Promise<void> {
  if (deps.accounts.find(id) === undefined)
    throw refusal("account-unknown", { status: 404, values: { account: id } });
  const registration = await knownRegistration(deps.registrations, registrationId);
  if (deploymentId === null) await deps.registrations.setAccount(registrationId, id);
  else if (!(await deps.deployments.setAccount(registrationId, deploymentId, id)))
    throw refusal("deployment-unknown", { status: 404, values: { deployment: deploymentId } });
  const whose = deploymentId === null ? registration.name : `${registration.name}, ${deploymentId}`;
  await writeAudit(deps, { what: "account-bound", registrationId, on: `${id}: ${whose}` });
}

async function change(
  { classroomAccounts, accounts, clock }: ChangeAccountsDeps,
  id: AccountId,
  to: (before: StoredAccount) => Parameters<ChangeAccountsDeps["classroomAccounts"]["change"]>[1],
): Promise<void> {
  const before = await classroomAccounts.find(id);
  if (before === null) {
    const code = accounts.find(id) === undefined ? "account-unknown" : "account-built-in";
    throw refusal(code, { status: code === "account-unknown" ? 404 : 409, values: { account: id } });
  }
  await classroomAccounts.change(before, { ...to(before), changedAt: clock.now() });
}

async function noted(
  deps: ChangeAccountsDeps,
  what: Parameters<typeof writeAudit>[1]["what"],
  id: AccountId,
): Promise<void> {
  await writeAudit(deps, { what, registrationId: deps.ofRegistration ?? null, on: id });
  await deps.accounts.refresh();
}

/** A server inside our network is asked for nothing. */
function refuseAddresses(
  { addressProblem }: ChangeAccountsDeps,
  { baseUrl, appUrl }: Pick<AccountChange, "baseUrl" | "appUrl">,
): void {
  for (const address of [baseUrl, appUrl]) {
    const problem = address === undefined ? null : addressProblem(address);
    if (address !== undefined && problem !== null)
      throw refusal("account-address-refused", { status: 400, values: { address, problem } });
  }
}

/** @throws NamedError "classroom-dialect-invalid" */
function refuseDialect({ parseDialect }: ChangeAccountsDeps, { dialect }: AccountChange): void {
  if (dialect !== undefined && dialect !== null) parseDialect(dialect);
}

type ConnectWebhooksDeps = ChangeAccountsDeps &
  Pick<App, "publicUrl"> & { classroomOf: (account: AccountId) => Pick<ClassroomClient, "configureWebhook"> };

/**
 * Sets our receiver with the current secret in the account's classroom. The reply is not shown; one that does not repeat the address is not `confirmed`.
 * @throws NamedError "account-unknown", "webhooks-not-set", "webhooks-by-hand"
 */
export async function connectWebhooks(
  deps: ConnectWebhooksDeps,
  id: AccountId,
): Promise<{ url: string; confirmed: boolean }> {
  const account = deps.accounts.find(id);
  const [secret] = account?.webhookSecrets ?? [];
  if (account === undefined || secret === undefined)
    throw refusal("account-unknown", { status: 404, values: { account: id } });
  const url = `${deps.publicUrl}/webhooks/${id}`;
  const byHand = `in the classroom, Settings > API & Integrations > Webhooks, address ${url}, and the secret of this account.`;
  const answer = await ask(deps, id, { url, secret }, byHand);
  if (answer === null) throw refusal("webhooks-by-hand", { status: 409, values: { byHand } });
  if (answer.confirmed && !isBuiltIn(id)) await noteWebhooksConnected(deps, id);
  await writeAudit(deps, { what: "webhooks-connected", registrationId: deps.ofRegistration ?? null, on: id });
  return { url, confirmed: answer.confirmed };
}

async function ask(
  { classroomOf }: ConnectWebhooksDeps,
  id: AccountId,
  webhook: { url: string; secret: string },
  byHand: string,
): Promise<{ confirmed: boolean } | null> {
  try {
    return await classroomOf(id).configureWebhook(webhook, { priority: "instructor" });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const { status, temporary } = thrown;
    throw refusal("webhooks-not-set", {
      ...{ status, temporary, cause: thrown },
      values: { reason: thrown.message, byHand },
    });
  }
}

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
    // An operator changed it at this moment: the new value is sealed again.
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
