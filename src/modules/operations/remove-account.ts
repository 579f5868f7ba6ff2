import type { App } from "../../app.ts";
import { type AccountId, isBuiltIn } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { bindingsOf } from "../accounts/account-of.ts";
import type { StoredAccount } from "../accounts/rules/records.ts";
import type { Accounts } from "../accounts/known-accounts.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type RemoveAccountDeps = AuditDeps &
  Pick<App, "classroomAccounts" | "registrations" | "deployments" | "invitations" | "personalRecords"> & {
    accounts: Pick<Accounts, "find" | "refresh">;
  };

/** What keeps an account from being removed, in the order in which it is looked for. */
const accountUses = ["lms", "registering", "courses", "records"] as const;
export type AccountUse = (typeof accountUses)[number];

/** Longer than any registration takes. */
const registeringMs = 10 * 60_000;

/** Kinds of record that are made with an account; `environment` stands first in an index of theirs, or they are few. */
const madeWithAccount = [
  "Person",
  "RegisteredSpace",
  "ClassroomEvent",
  "Receipt",
  "Cohort",
  "Presence",
] as const;

/** Null: nothing belongs to the account, so it may be removed. @throws NamedError "account-unknown", "account-built-in" */
export async function accountUseOf(deps: RemoveAccountDeps, id: AccountId): Promise<AccountUse | null> {
  await requireStored(deps, id);
  return useOf(deps, id);
}

async function useOf(deps: RemoveAccountDeps, id: AccountId): Promise<AccountUse | null> {
  const registrations = await deps.registrations.list();
  const bindings = await bindingsOf(deps, registrations);
  if (
    registrations.some(({ environment }) => environment === id) ||
    bindings.some(({ account }) => account === id)
  )
    return "lms";
  if (await deps.invitations.isTakenSince(id, deps.clock.now() - registeringMs)) return "registering";
  if (await hasAny(deps, "Course", id)) return "courses";
  for (const model of madeWithAccount) if (await hasAny(deps, model, id)) return "records";
  return null;
}

/**
 * Removes an account that nobody uses, such as that of an invitation which nobody took. Open invitations to it end.
 * @throws NamedError "account-unknown", "account-built-in", "account-changed", "account-has-lms", "account-registering",
 * "account-has-courses", "account-has-records"
 */
export async function removeAccount(deps: RemoveAccountDeps, id: AccountId): Promise<void> {
  const stored = await requireStored(deps, id);
  await refuseUsed(deps, id);
  await deps.invitations.withdraw(id);
  // An LMS may have registered meanwhile.
  await refuseUsed(deps, id);
  await deps.classroomAccounts.remove(stored);
  await writeAudit(deps, { what: "account-removed", registrationId: null, on: id });
  await deps.accounts.refresh();
}

async function requireStored(
  { classroomAccounts, accounts }: RemoveAccountDeps,
  id: AccountId,
): Promise<StoredAccount> {
  const stored = await classroomAccounts.find(id);
  if (stored !== null) return stored;
  const values = { account: id };
  if (isBuiltIn(id) && accounts.find(id) !== undefined)
    throw refusal("account-built-in", { status: 409, values });
  throw refusal("account-unknown", { status: 404, values });
}

async function refuseUsed(deps: RemoveAccountDeps, id: AccountId): Promise<void> {
  const use = await useOf(deps, id);
  if (use !== null) throw refusal(codes[use], { status: 409, values: { account: id } });
}

/** What kept `removeAccount` from it; null for another error. */
export function useThatRefused(thrown: unknown): AccountUse | null {
  if (!(thrown instanceof NamedError)) return null;
  return accountUses.find((use) => codes[use] === thrown.code) ?? null;
}

const codes = {
  lms: "account-has-lms",
  registering: "account-registering",
  courses: "account-has-courses",
  records: "account-has-records",
} as const satisfies Record<AccountUse, string>;

async function hasAny(
  { personalRecords }: RemoveAccountDeps,
  model: string,
  environment: AccountId,
): Promise<boolean> {
  return (await personalRecords.list(model, { environment }, "", 1)).length > 0;
}
