import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { knownRegistration } from "../registration/registrations.ts";
import type { Accounts } from "./known-accounts.ts";
import {
  type AccountChange,
  type AccountConnection,
  type NewAccount,
  sealPurpose,
  type StoredAccount,
} from "./rules/account-input.ts";

/** What changing accounts needs, including who does it. */
export type AccountsApp = AuditApp &
  Pick<App, "classroomAccounts" | "registrations" | "deployments"> &
  Pick<App, "sealer" | "addressProblem" | "parseDialect"> & {
    accounts: Pick<Accounts, "find" | "refresh">;
    /** The LMS whose administrator changes its own account. Left out for operators. */
    ofRegistration?: string;
  };

type ConnectWebhooksApp = AccountsApp &
  Pick<App, "publicUrl"> & { classroomOf: (account: AccountId) => Pick<ClassroomClient, "configureWebhook"> };

/** @throws NamedError "account-exists", "account-address-refused", and the errors of `parseDialect` */
export async function addAccount(app: AccountsApp, input: NewAccount): Promise<void> {
  const { apiKey, webhookSecret, ...facts } = input;
  refuseAddresses(app, facts);
  refuseDialect(app, facts);
  await insert(app, facts, { apiKey, webhookSecret });
}

/** Adds an account whose institution gives addresses and key itself. Until then it counts as paused. @throws NamedError "account-exists" */
export async function prepareAccount(
  app: AccountsApp,
  { id, name }: Pick<NewAccount, "id" | "name">,
): Promise<void> {
  const webhookSecret = app.ids.secret(24);
  await insert(
    app,
    { id, name, stage: "production", baseUrl: "", appUrl: "" },
    { apiKey: null, webhookSecret },
  );
}

async function insert(
  app: AccountsApp,
  facts: Omit<NewAccount, "apiKey" | "webhookSecret">,
  { apiKey, webhookSecret }: { apiKey: string | null; webhookSecret: string },
): Promise<void> {
  const { id, dialect = null, callsPerSecond = null, analyticsSeconds = null } = facts;
  if (app.accounts.find(id) !== undefined)
    throw refusal("account-exists", { status: 409, values: { account: id } });
  const now = app.clock.now();
  await app.classroomAccounts.insert({
    ...facts,
    sealedKey: apiKey === null ? null : app.sealer.seal(sealPurpose(id, "key"), apiKey),
    sealedWebhookSecrets: [app.sealer.seal(sealPurpose(id, "webhook-secret"), webhookSecret)],
    dialect,
    callsPerSecond,
    analyticsSeconds,
    paused: false,
    revision: 1,
    createdAt: now,
    changedAt: now,
    connectionChangedAt: now,
    webhooksConnectedAt: null,
  });
  await auditChange(app, "account-added", id);
}

/** @throws NamedError "account-unknown", "account-built-in", "account-changed", "account-address-refused", and the errors of `parseDialect` */
export async function changeAccount(app: AccountsApp, id: AccountId, to: AccountChange): Promise<void> {
  refuseAddresses(app, to);
  refuseDialect(app, to);
  const connects = to.baseUrl !== undefined || to.appUrl !== undefined || to.dialect !== undefined;
  await change(app, id, (before) => ({
    name: to.name ?? before.name,
    stage: to.stage ?? before.stage,
    baseUrl: to.baseUrl ?? before.baseUrl,
    appUrl: to.appUrl ?? before.appUrl,
    dialect: to.dialect === undefined ? before.dialect : to.dialect,
    callsPerSecond: to.callsPerSecond === undefined ? before.callsPerSecond : to.callsPerSecond,
    analyticsSeconds: to.analyticsSeconds === undefined ? before.analyticsSeconds : to.analyticsSeconds,
    connectionChangedAt: connects ? app.clock.now() : before.connectionChangedAt,
  }));
  await auditChange(app, "account-changed", id);
}

/**
 * Saves what an institution gives: addresses, and a key if it's new. A key is never sent to an address other than the one it was given with.
 * @throws the errors of `changeAccount`, and "account-key-needed"
 */
export async function connectAccount(
  app: AccountsApp,
  id: AccountId,
  { baseUrl, appUrl, apiKey }: AccountConnection,
): Promise<void> {
  refuseAddresses(app, { baseUrl, appUrl });
  const given = apiKey === undefined ? null : app.sealer.seal(sealPurpose(id, "key"), apiKey);
  await change(app, id, (before) => {
    const sealedKey = given ?? (before.baseUrl === baseUrl ? before.sealedKey : null);
    if (sealedKey === null) throw refusal("account-key-needed", { status: 422 });
    return { baseUrl, appUrl, sealedKey, connectionChangedAt: app.clock.now() };
  });
  await auditChange(app, given === null ? "account-changed" : "account-key-rotated", id);
}

/** Takes effect immediately, because the service may have already withdrawn the previous key. @throws the errors of `changeAccount` */
export async function rotateApiKey(app: AccountsApp, id: AccountId, apiKey: string): Promise<void> {
  const sealedKey = app.sealer.seal(sealPurpose(id, "key"), apiKey);
  await change(app, id, () => ({ sealedKey, connectionChangedAt: app.clock.now() }));
  await auditChange(app, "account-key-rotated", id);
}

/** The previous secret is still accepted until `endPreviousSecret`. @throws the errors of `changeAccount` */
export async function rotateWebhookSecret(app: AccountsApp, id: AccountId, secret: string): Promise<void> {
  const sealed = app.sealer.seal(sealPurpose(id, "webhook-secret"), secret);
  await change(app, id, ({ sealedWebhookSecrets }) => ({
    sealedWebhookSecrets: [sealed, ...sealedWebhookSecrets.slice(0, 1)],
    // The service still has the previous secret.
    webhooksConnectedAt: null,
  }));
  await auditChange(app, "account-secret-rotated", id);
}

/** @throws the errors of `changeAccount` */
export async function endPreviousSecret(app: AccountsApp, id: AccountId): Promise<void> {
  await change(app, id, ({ sealedWebhookSecrets }) => ({
    sealedWebhookSecrets: sealedWebhookSecrets.slice(0, 1),
  }));
  await auditChange(app, "account-secret-ended", id);
}

/** Paused: nobody enters and the service isn't called. Webhooks are kept, and grades still go out. @throws the errors of `changeAccount` */
export async function pauseAccount(app: AccountsApp, id: AccountId, paused: boolean): Promise<void> {
  await change(app, id, () => ({ paused }));
  await auditChange(app, paused ? "account-paused" : "account-resumed", id);
}

/**
 * Binds an account to an LMS or to one of its deployments, whose new courses then use it. Existing courses keep theirs.
 * @throws NamedError "account-unknown", "no-such-registration", "deployment-unknown"
 */
export async function bindAccount(
  app: AccountsApp,
  id: AccountId,
  { registrationId, deploymentId }: { registrationId: string; deploymentId: string | null },
): Promise<void> {
  if (app.accounts.find(id) === undefined)
    throw refusal("account-unknown", { status: 404, values: { account: id } });
  const registration = await knownRegistration(app.registrations, registrationId);
  if (deploymentId === null) await app.registrations.set(registrationId, { account: id });
  else if (!(await app.deployments.setAccount(registrationId, deploymentId, id)))
    throw refusal("deployment-unknown", { status: 404, values: { deployment: deploymentId } });
  const whose = deploymentId === null ? registration.name : `${registration.name}, ${deploymentId}`;
  await writeAudit(app, { what: "account-bound", registrationId, on: `${id}: ${whose}` });
}

async function change(
  { classroomAccounts, accounts, clock }: AccountsApp,
  id: AccountId,
  to: (before: StoredAccount) => Parameters<AccountsApp["classroomAccounts"]["change"]>[1],
): Promise<void> {
  const before = await classroomAccounts.find(id);
  if (before === null) {
    const code = accounts.find(id) === undefined ? "account-unknown" : "account-built-in";
    throw refusal(code, { status: code === "account-unknown" ? 404 : 409, values: { account: id } });
  }
  await classroomAccounts.change(before, { ...to(before), changedAt: clock.now() });
}

/** Writes the audit log, and reads the accounts again. */
async function auditChange(app: AccountsApp, what: Parameters<typeof writeAudit>[1]["what"], id: AccountId) {
  await writeAudit(app, { what, registrationId: app.ofRegistration ?? null, on: id });
  await app.accounts.refresh();
}

/** Requests must never go to a server inside our network. */
function refuseAddresses(
  { addressProblem }: AccountsApp,
  { baseUrl, appUrl }: Pick<AccountChange, "baseUrl" | "appUrl">,
): void {
  for (const address of [baseUrl, appUrl]) {
    const problem = address === undefined ? null : addressProblem(address);
    if (address !== undefined && problem !== null)
      throw refusal("account-address-refused", { status: 400, values: { address, problem } });
  }
}

/** @throws NamedError "classroom-dialect-invalid" */
function refuseDialect({ parseDialect }: AccountsApp, { dialect }: AccountChange): void {
  if (dialect !== undefined && dialect !== null) parseDialect(dialect);
}

/**
 * Tells the account's classroom to send its webhooks to us, with the current secret. `confirmed`: its reply repeats our address.
 * @throws NamedError "account-unknown", "account-changed", "webhooks-not-set", "webhooks-by-hand"
 */
export async function connectWebhooks(
  app: ConnectWebhooksApp,
  id: AccountId,
): Promise<{ url: string; confirmed: boolean }> {
  const stored = await app.classroomAccounts.find(id);
  // Another process may have just changed the secret.
  await app.accounts.refresh();
  const [secret] = app.accounts.find(id)?.webhookSecrets ?? [];
  if (secret === undefined) throw refusal("account-unknown", { status: 404, values: { account: id } });
  const url = `${app.publicUrl}/webhooks/${id}`;
  const byHand = `in the classroom, Settings > API & Integrations > Webhooks, address ${url}, and the secret of this account.`;
  const answer = await ask(app, id, { url, secret }, byHand);
  if (answer === null) throw refusal("webhooks-by-hand", { status: 409, values: { byHand } });
  // Only if it's as read before: the service doesn't have a secret that was made while it was being asked.
  if (answer.confirmed && stored !== null) {
    const now = app.clock.now();
    await app.classroomAccounts.change(stored, { webhooksConnectedAt: now, changedAt: now });
  }
  await writeAudit(app, { what: "webhooks-connected", registrationId: app.ofRegistration ?? null, on: id });
  return { url, confirmed: answer.confirmed };
}

async function ask(
  { classroomOf }: ConnectWebhooksApp,
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
      status,
      temporary,
      cause: thrown,
      values: { reason: thrown.message, byHand },
    });
  }
}

/** Seals the secrets of all stored accounts under the current SECRET_KEY. @returns how many, and which ids open with no known key. */
export async function resealAccounts(
  app: Pick<App, "classroomAccounts" | "sealer" | "clock">,
): Promise<{ resealed: number; unreadable: string[] }> {
  const unreadable: string[] = [];
  let resealed = 0;
  for (const { id } of await app.classroomAccounts.list()) {
    if (await reseal(app, id)) resealed += 1;
    else unreadable.push(`account ${id}`);
  }
  return { resealed, unreadable };
}

async function reseal(app: Pick<App, "classroomAccounts" | "sealer" | "clock">, id: string) {
  const { classroomAccounts, clock } = app;
  const account = await classroomAccounts.find(id);
  if (account === null) return true;
  const sealed = resealed(app, account);
  if (sealed === null) return false;
  try {
    await classroomAccounts.change(account, { ...sealed, changedAt: clock.now() });
    return true;
  } catch (thrown) {
    // An operator changed it at this moment, so the new value is sealed again.
    if (thrown instanceof NamedError && thrown.code === "account-changed") return reseal(app, id);
    throw thrown;
  }
}

function resealed(
  { sealer }: Pick<App, "classroomAccounts" | "sealer" | "clock">,
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
