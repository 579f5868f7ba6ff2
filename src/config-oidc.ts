import { ofEach } from "./kernel/lists.ts";
import {
  type ConsoleRights,
  type ConsoleRole,
  consoleRoles,
  readRights,
} from "./modules/operations/rules/console-access.ts";

/** Where operators log in to the console beside, or instead of, ADMIN_PASSWORD. */
export type OidcConfig = {
  /** As its tokens name it, with or without a slash at the end. */
  issuer: string;
  clientId: string;
  /** Undefined for a client that PKCE alone protects. */
  clientSecret: string | undefined;
  scopes: string;
  /** Claim with the groups of the person who logs in. */
  groupsClaim: string;
  rights: ConsoleRights;
};

const variables = {
  operator: "OIDC_OPERATORS",
  reader: "OIDC_READERS",
  registrar: "OIDC_REGISTRARS",
  adviser: "OIDC_ADVISERS",
} as const satisfies Record<ConsoleRole, string>;

type Given = { [Name in (typeof variables)[ConsoleRole]]?: string | undefined } & {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_GROUPS_CLAIM: string;
  OIDC_SCOPES: string;
};

/** Null without OIDC_ISSUER. @returns `problems`: one line each, which repeats no value. */
export function readOidc(given: Given): { oidc: OidcConfig | null; problems: string[] } {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = given;
  if (issuer === undefined) {
    const named = (["OIDC_CLIENT_ID", ...Object.values(variables)] as const).find(
      (name) => given[name] !== undefined,
    );
    return {
      oidc: null,
      problems: named === undefined ? [] : [`OIDC_ISSUER is missing, and ${named} is set`],
    };
  }
  const read = ofEach(consoleRoles, (role) => readRights(given[variables[role]] ?? ""));
  const odd = consoleRoles.filter((role) => read[role] === null);
  const problems = [
    ...(clientId === undefined ? ["OIDC_CLIENT_ID is missing"] : []),
    ...odd.map(
      (role) => `${variables[role]} must be e-mail addresses and groups (group:NAME), separated by commas`,
    ),
    ...(read.operator?.length === 0 ? ["OIDC_OPERATORS is missing: nobody could change anything"] : []),
  ];
  if (problems.length > 0 || clientId === undefined) return { oidc: null, problems };
  const rights = ofEach(consoleRoles, (role) => read[role] ?? []);
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_GROUPS_CLAIM: groupsClaim, OIDC_SCOPES: scopes } = given;
  return { oidc: { issuer, clientId, clientSecret, scopes, groupsClaim, rights }, problems };
}
