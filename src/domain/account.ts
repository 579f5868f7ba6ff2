/**
 * The id of a classroom account: an institution's contract with the classroom service. Records that belong to an account carry it
 * in the field `environment`, as they did when "production" and "staging" were the only ones; these two are the accounts
 * that variables make.
 */
export type AccountId = string;

/** "production" serves courses, "staging" is for trying. */
export type AccountStage = "production" | "staging";

/** The accounts that variables make. */
export const builtInAccounts = ["production", "staging"] as const satisfies readonly AccountStage[];
export type BuiltInAccount = (typeof builtInAccounts)[number];

/** Part of addresses and of keys in the store. */
const accountIdPattern = /^[a-z][a-z0-9-]{0,39}$/;

/** A name of queues that belong to no account. */
const reserved = "everything";

export function isAccountId(text: string): boolean {
  return text !== reserved && accountIdPattern.test(text);
}

export function isBuiltIn(id: AccountId): id is BuiltInAccount {
  return builtInAccounts.some((one) => one === id);
}
