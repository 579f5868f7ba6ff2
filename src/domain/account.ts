import { z } from "zod";
import { withoutTrailingSlashes } from "../kernel/text.ts";

/**
 * The id of a classroom account, an institution's contract with the classroom service. Records of an account have it in the field
 * `environment`, a name from when "production" and "staging" were the only accounts. Variables make these two.
 */
export type AccountId = string;

/** "production" serves courses, "staging" is for trying out. */
export type AccountStage = "production" | "staging";

/** The accounts that environment variables define. */
export const builtInAccounts = ["production", "staging"] as const satisfies readonly AccountStage[];
export type BuiltInAccount = (typeof builtInAccounts)[number];

/** An account's own limits of calls, below those of the service; null means the service's limit. */
export type AccountLimits = {
  callsPerSecond: number | null;
  /** Seconds between two analytics calls. */
  analyticsSeconds: number | null;
};

/** The most the service takes: fewer than five calls a second, and one analytics call in two seconds. */
export const serviceLimits = { callsPerSecond: 4, analyticsSeconds: 2 } as const;

export const noOwnLimits: AccountLimits = { callsPerSecond: null, analyticsSeconds: null };

/** Account ids are part of addresses and of keys in the store. */
const accountIdPattern = /^[a-z][a-z0-9-]{0,39}$/;

/** Names that addresses and queues use where an account id may be (/ended/feedback, /admin/accounts/new). */
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

/** Where an operator changes a setting: the variable of a built-in account, or words for `account change` and `account rotate`. */
export function settingOf(id: AccountId, what: keyof typeof settings): string {
  if (!isBuiltIn(id)) return `${settings[what]} of the account ${id}`;
  return `CLASSROOM_${id === "staging" ? "STAGING_" : ""}${what}`;
}

/** Why a text isn't the address of a service; null if it is one. */
export function addressFault(text: string): "not-an-address" | "address-parts" | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "not-an-address";
  // The parsed parts don't show a lone "?" or "#".
  return url.href === url.origin + url.pathname ? null : "address-parts";
}

/** The address as a browser would write it (lower-case scheme and host, no default port), without a trailing slash: we compare it as text. */
export function plainAddress(text: string): string {
  return withoutTrailingSlashes(URL.parse(text)?.href ?? text);
}

/** Why a header can't carry a secret; null if it can. A space or an umlaut would not arrive as it was set. */
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
