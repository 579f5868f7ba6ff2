import type { ClassroomAccount } from "../../../src/classroom/account.ts";
import { type AccountId, noOwnLimits } from "../../../src/domain/account.ts";
import type { Accounts } from "../../../src/modules/accounts/known-accounts.ts";

/** An account of a service that is never called. */
export function testAccount(id: AccountId, change: Partial<ClassroomAccount> = {}): ClassroomAccount {
  return {
    id,
    name: id,
    stage: "production" as const,
    paused: false,
    dialect: null,
    limits: noOwnLimits,
    baseUrl: `https://${id}.api.test`,
    appUrl: `https://${id}.app.test`,
    apiKey: `key-of-${id}`,
    webhookSecrets: [`secret-of-${id}`],
    ...change,
  };
}

/** Accounts that do not change. */
export function testAccounts(...ids: readonly AccountId[]): Accounts {
  return accountsOf(ids.map((id) => testAccount(id)));
}

export function accountsOf(accounts: readonly ClassroomAccount[]): Accounts {
  const known = {
    ids: () => accounts.map(({ id }) => id),
    list: () => accounts,
    find: (id: AccountId) => accounts.find((one) => one.id === id),
  };
  return { ...known, refresh: () => Promise.resolve(), lookUp: (id) => Promise.resolve(known.find(id)) };
}
