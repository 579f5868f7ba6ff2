import type { AccountId, AccountLimits, AccountStage } from "../domain/account.ts";
import type { Dialect } from "./dialect.ts";

/** An institution's contract with the classroom service. Its secrets are in clear text here. */
export type ClassroomAccount = {
  id: AccountId;
  /** A name for operators, such as the institution's. */
  name: string;
  stage: AccountStage;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The address that serves Spaces, without a trailing slash. */
  appUrl: string;
  apiKey: string;
  /** The current secret first, then the previous one during a rotation. */
  webhookSecrets: readonly string[];
  /** How to speak to its service; null: as CLASSROOM_DIALECT says. */
  dialect: Dialect | null;
  limits: AccountLimits;
  /** Nobody can enter, and the tool doesn't call its service. */
  paused: boolean;
  /** Why it counts as paused although nobody paused it: it has no addresses and key yet, or its secrets or dialect can't be read. */
  lacks?: "connection" | "readable-secrets";
};

/** The accounts as this process knows them. It sees changes by other processes within seconds. */
export type KnownAccounts = {
  ids: () => readonly AccountId[];
  /** The built-in accounts first, then the others by age. */
  list: () => readonly ClassroomAccount[];
  /** Finds paused accounts, too. Undefined for an unknown account. */
  find: (id: AccountId) => ClassroomAccount | undefined;
};

export type ClassroomConfig = {
  /** Where the service reaches this tool; `doctor` tries it. */
  publicUrl: string;
  /** See `readDialect`. */
  dialectFile: string | undefined;
  /** The variables of a proxy for all outgoing calls; no proxy when left out. */
  outgoingProxy?: Readonly<Record<string, string>> | null;
};

type Known = { appUrl: string; dialect: Pick<Dialect, "loginOrigins" | "knownSpaceOrigins"> };

/** Compares hosts only: people go to the app URL anyway, and behind a proxy, many services say http for an https address. */
export function isSpaceOrigin(origin: string, { appUrl, dialect }: Known): boolean {
  const known = [appUrl, ...dialect.loginOrigins, ...dialect.knownSpaceOrigins];
  return known.some((one) => new URL(one).host === URL.parse(origin)?.host);
}

/**
 * The origin that a Space's reported address names, if it isn't one we know. Space URLs are {app_url}/spaces/<space_id> (part 4), so
 * either our app URL is wrong or it is another service. @param address Null, a path, or text without a web address name no host.
 */
export function originElsewhere(address: string | null, known: Known): string | null {
  const url = address === null ? null : URL.parse(address, known.appUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return isSpaceOrigin(url.origin, known) ? null : url.origin;
}
