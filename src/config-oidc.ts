import { type ConsoleRights, readRights } from "./modules/operations/rules/console-access.ts";

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

type Given = {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_OPERATORS?: string | undefined;
  OIDC_READERS?: string | undefined;
  OIDC_GROUPS_CLAIM: string;
  OIDC_SCOPES: string;
};

/** Null without OIDC_ISSUER. @returns `problems`: one line each, which repeats no value. */
export function readOidc(given: Given): { oidc: OidcConfig | null; problems: string[] } {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = given;
  if (issuer === undefined) {
    const named = (["OIDC_CLIENT_ID", "OIDC_OPERATORS", "OIDC_READERS"] as const).find(
      (name) => given[name] !== undefined,
    );
    return {
      oidc: null,
      problems: named === undefined ? [] : [`OIDC_ISSUER is missing, and ${named} is set`],
    };
  }
  const operators = readRights(given.OIDC_OPERATORS ?? "");
  const readers = readRights(given.OIDC_READERS ?? "");
  const odd = (name: string, wrong: boolean) =>
    wrong ? [`${name} must be e-mail addresses and groups (group:NAME), separated by commas`] : [];
  const problems = [
    ...(clientId === undefined ? ["OIDC_CLIENT_ID is missing"] : []),
    ...odd("OIDC_OPERATORS", operators === null),
    ...odd("OIDC_READERS", readers === null),
    ...(operators?.length === 0 ? ["OIDC_OPERATORS is missing: nobody could change anything"] : []),
  ];
  if (problems.length > 0 || clientId === undefined || operators === null || readers === null)
    return { oidc: null, problems };
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_GROUPS_CLAIM: groupsClaim, OIDC_SCOPES: scopes } = given;
  return {
    oidc: { issuer, clientId, clientSecret, scopes, groupsClaim, rights: { operators, readers } },
    problems,
  };
}
