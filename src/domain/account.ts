import { z } from "zod";
import { withoutTrailingSlashes } from "../kernel/text.ts";

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
  /** One analytics call in this many seconds. */
  analyticsSeconds: number | null;
};

/** What the service takes at most: fewer than five calls a second, and of analytics one in two seconds. */
export const serviceLimits = { callsPerSecond: 4, analyticsSeconds: 2 } as const;

export const noOwnLimits: AccountLimits = { callsPerSecond: null, analyticsSeconds: null };

/** Part of addresses and of keys in the store. */
const accountIdPattern = /^[a-z][a-z0-9-]{0,39}$/;

/** The name of queues without an account, and words of addresses in its place (/ended/feedback, /admin/accounts/new). */
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

/** Why a text is no address of a service; null when it is one. */
export function addressFault(text: string): "not-an-address" | "address-parts" | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "not-an-address";
  // Parsed parts don't show a bare "?" or "#".
  return url.href === url.origin + url.pathname ? null : "address-parts";
}

/** As a browser would write it (lower-case scheme and host, no default port), without a trailing slash: it is compared and prefixed as text. */
export function plainAddress(text: string): string {
  return withoutTrailingSlashes(URL.parse(text)?.href ?? text);
}

/** Why a secret cannot travel in a header, where a space or an umlaut would never arrive as it was set; null when it can. */
export function headerSecretFault(text: string): "short-secret" | "not-ascii" | null {
  if (text.length < 8) return "short-secret";
  return /^[\x21-\x7e]*$/.test(text) ? null : "not-ascii";
}

export const webAddress = z
  .string({ error: "is missing" })
  .refine((text) => addressFault(text) !== "not-an-address", "must be a full http(s) address")
  .refine((text) => addressFault(text) !== "address-parts", "must have no user name, query or fragment")
  .transform(plainAddress);

export const headerSecret = z
  .string({ error: "is missing" })
  .refine((text) => headerSecretFault(text) !== "short-secret", "must have at least 8 characters")
  .refine((text) => headerSecretFault(text) !== "not-ascii", "must be ASCII without spaces or line breaks");
