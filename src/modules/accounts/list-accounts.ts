import type { App } from "../../app.ts";
import type { ClassroomAccount } from "../../classroom/account.ts";
import { type AccountId, isBuiltIn } from "../../domain/account.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type AllBindings, type Binding, bindingsOf } from "./bindings.ts";
import type { StoredAccount } from "./rules/account-record.ts";

export type ListAccountsDeps = Pick<
  App,
  "accounts" | "classroomAccounts" | "registrations" | "deployments" | "webhookArrivals"
>;

/** How an account is: no addresses and key yet · its secrets cannot be read · paused · in use. */
export type AccountState = "incomplete" | "unreadable" | "paused" | "on";

/** Without its secrets. */
export type AccountSummary = Pick<ClassroomAccount, "id" | "name" | "stage" | "limits"> & {
  /** Null: variables make it. */
  stored: Omit<StoredAccount, "sealedKey" | "sealedWebhookSecrets"> | null;
  baseUrl: string;
  appUrl: string;
  /** The last four characters of the API key; empty without one. */
  keyEnd: string;
  /** Accepted webhook secrets: two during a rotation. */
  secrets: number;
  state: AccountState;
  bindings: readonly Binding[];
  lastWebhookAt: number | null;
};

/** The built-in ones first, then by age. */
export async function listAccounts(deps: ListAccountsDeps): Promise<AccountSummary[]> {
  await deps.accounts.refresh();
  const bindings = bindingsOf(deps, await deps.registrations.list());
  return Promise.all(deps.accounts.list().map((account) => summaryOf(deps, account, bindings)));
}

/** @throws NamedError "account-unknown" */
export async function showAccount(deps: ListAccountsDeps, id: AccountId): Promise<AccountSummary> {
  await deps.accounts.refresh();
  const account = deps.accounts.find(id);
  if (account === undefined) throw refusal("account-unknown", { status: 404, values: { account: id } });
  return summaryOf(deps, account, bindingsOf(deps, await deps.registrations.list()));
}

async function summaryOf(
  { classroomAccounts, webhookArrivals }: ListAccountsDeps,
  account: ClassroomAccount,
  bindings: Promise<AllBindings>,
): Promise<AccountSummary> {
  const { id, name, stage, limits, apiKey, webhookSecrets } = account;
  const row = isBuiltIn(id) ? null : await classroomAccounts.find(id);
  return {
    ...{ id, name, stage, limits },
    stored: row === null ? null : withoutSecrets(row),
    baseUrl: row?.baseUrl ?? account.baseUrl,
    appUrl: row?.appUrl ?? account.appUrl,
    keyEnd: apiKey.slice(-4),
    secrets: row?.sealedWebhookSecrets.length ?? webhookSecrets.length,
    state: stateOf(account),
    bindings: (await bindings).filter((one) => one.account === id),
    lastWebhookAt: await webhookArrivals.lastAt(id),
  };
}

function withoutSecrets({
  sealedKey: _key,
  sealedWebhookSecrets: _secrets,
  ...rest
}: StoredAccount): NonNullable<AccountSummary["stored"]> {
  return rest;
}

function stateOf({ lacks, paused }: ClassroomAccount): AccountState {
  if (lacks === "connection") return "incomplete";
  if (lacks === "readable-secrets") return "unreadable";
  return paused ? "paused" : "on";
}
