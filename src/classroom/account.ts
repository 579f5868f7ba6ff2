import type { AccountId, AccountLimits, AccountStage } from "../domain/account.ts";
import type { Dialect } from "./dialect.ts";

/** An institution's contract with the classroom service, with its secrets in clear. */
export type ClassroomAccount = {
  id: AccountId;
  /** For operators; such as the institution's. */
  name: string;
  stage: AccountStage;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Serves Spaces; without a trailing slash. */
  appUrl: string;
  apiKey: string;
  /** The current secret, and the previous one during a rotation. */
  webhookSecrets: readonly string[];
  /** How its service is spoken to; null: as CLASSROOM_DIALECT says. */
  dialect: Dialect | null;
  limits: AccountLimits;
  /** No one can enter, and its service is not called. */
  paused: boolean;
  /** Why it counts as paused although it was not paused: no addresses and key yet, or secrets or a dialect that cannot be read. */
  lacks?: "connection" | "readable-secrets";
};

/** The accounts as this process knows them; another process's changes are seen within seconds. */
export type KnownAccounts = {
  ids: () => readonly AccountId[];
  /** The built-in ones first, then by age. */
  list: () => readonly ClassroomAccount[];
  /** Undefined for an unknown one, paused ones included. */
  find: (id: AccountId) => ClassroomAccount | undefined;
};

export type ClassroomConfig = {
  /** Where the service reaches this tool; the doctor tries it. */
  publicUrl: string;
  /** See `readDialect`. */
  dialectFile: string | undefined;
  /** The variables of a proxy for all calls that leave; none when left out. */
  outgoingProxy?: Readonly<Record<string, string>> | null;
};

type Known = { appUrl: string; dialect: Pick<Dialect, "loginOrigins" | "knownSpaceOrigins"> };

/** Compared by host: people go to the app URL anyway, and behind a proxy many say http for an https address. */
export function isSpaceOrigin(origin: string, { appUrl, dialect }: Known): boolean {
  const known = [appUrl, ...dialect.loginOrigins, ...dialect.knownSpaceOrigins];
  return known.some((one) => new URL(one).host === URL.parse(origin)?.host);
}

/**
 * Where a Space's reported address is elsewhere: the Space URL is {app_url}/spaces/<space_id> (part 4), so either the app URL
 * is wrong or it is another service. @param address Null, a path, or no web address at all name no host.
 */
export function originElsewhere(address: string | null, known: Known): string | null {
  const url = address === null ? null : URL.parse(address, known.appUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return isSpaceOrigin(url.origin, known) ? null : url.origin;
}
