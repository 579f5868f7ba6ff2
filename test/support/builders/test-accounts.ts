import { type ClassroomAccount, fixedAccounts } from "../../../src/classroom/account.ts";
import type { AccountId } from "../../../src/domain/account.ts";
import type { Accounts } from "../../../src/modules/accounts/known-accounts.ts";

/** An account of a service that nobody asks. */
export function testAccount(id: AccountId, change: Partial<ClassroomAccount> = {}): ClassroomAccount {
  return {
    ...{ id, name: id, stage: "production" as const, paused: false, dialect: null },
    baseUrl: `https://${id}.api.test`,
    appUrl: `https://${id}.app.test`,
    apiKey: `key-of-${id}`,
    webhookSecrets: [`secret-of-${id}`],
    ...change,
  };
}

/** Accounts that do not change. */
export function testAccounts(...ids: readonly AccountId[]): Accounts {
  const known = fixedAccounts(ids.map((id) => testAccount(id)));
  return {
    ...known,
    refresh: () => Promise.resolve(),
    lookUp: (id) => Promise.resolve(known.find(id)),
  };
}
