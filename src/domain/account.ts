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

/** Limits of an account's calls below those of the service; null: the service's own. */
export type AccountLimits = {
  callsPerSecond: number | null;
  /** One analytics call in so many seconds. */
  analyticsSeconds: number | null;
};

/** What the service takes at most: fewer than five calls a second, and of analytics one in two seconds. */
export const serviceLimits = { callsPerSecond: 4, analyticsSeconds: 2 } as const;

export const noOwnLimits: AccountLimits = { callsPerSecond: null, analyticsSeconds: null };

/** Part of addresses and of keys in the store. */
const accountIdPattern = /^[a-z][a-z0-9-]{0,39}$/;

/** A name of queues that belong to no account; words that stand where addresses have one (/ended/feedback, /admin/accounts/new). */
const reserved = ["everything", "feedback", "new"];

export function isAccountId(text: string): boolean {
  return !reserved.includes(text) && accountIdPattern.test(text);
}

export function isBuiltIn(id: AccountId): id is BuiltInAccount {
  return builtInAccounts.some((one) => one === id);
}

const settings = {
  BASE_URL: "the address of the API",
  APP_URL: "the address of the Spaces",
  API_KEY: "the API key",
} as const;

/** Where an operator sets something of an account: the variable of a built-in one, else words for `account change` and `account rotate`. */
export function settingOf(id: AccountId, what: keyof typeof settings): string {
  if (!isBuiltIn(id)) return `${settings[what]} of the account ${id}`;
  return `CLASSROOM_${id === "staging" ? "STAGING_" : ""}${what}`;
}
