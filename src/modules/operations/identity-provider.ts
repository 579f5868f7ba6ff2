import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { z } from "zod";
import type { OidcConfig } from "../../config-oidc.ts";
import { mailAddressOf } from "../../domain/mails.ts";
import type { Clock } from "../../kernel/clock.ts";
import { boundedFetch } from "../../kernel/outside-reply.ts";
import { refusal } from "../../kernel/refusal.ts";
import { namesGroups, type ProvenIdentity } from "./rules/console-access.ts";

export type IdentityProviderDeps = OidcConfig & {
  /** Where the provider sends the browser back to. */
  redirectUri: string;
  fetch: typeof fetch;
  clock: Pick<Clock, "now">;
};

/** What one log-in is bound to; the browser keeps all of it sealed. */
export type LogInSecrets = { state: string; nonce: string; verifier: string };

/** `name`: for the trail and the list of sessions. */
export type LoggedIn = { identity: ProvenIdentity; name: string };

/**
 * Of OpenID Connect Core 1.0: the code flow with PKCE (RFC 7636). Refusals are `console-log-in-unproven`, with the reason as
 * `why` in its details, and `console-log-in-away`.
 */
export type IdentityProvider = {
  /** Where the browser goes to. @param challenge S256 of the verifier. */
  addressFor: (secrets: Omit<LogInSecrets, "verifier">, challenge: string) => Promise<string>;
  /** @param iss The issuer named beside the code (RFC 9207); null without. */
  redeem: (answer: { code: string; iss: string | null }, secrets: LogInSecrets) => Promise<LoggedIn>;
};

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});
type Metadata = z.infer<typeof metadata>;

const tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });
const claimsOfUser = z.looseObject({ email: z.string().optional(), email_verified: z.unknown() });

/** Public keys only: with one the provider shares, whoever has our secret could sign. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const clockToleranceSeconds = 60;
const maxTokenAgeSeconds = 600;
const timeoutMs = 10_000;
/** How long what the provider says about itself is believed (ms). */
const metadataMs = 10 * 60_000;

export function createIdentityProvider(deps: IdentityProviderDeps): IdentityProvider {
  const { issuer, clientId, clientSecret, clock, redirectUri } = deps;
  const fetchJson = boundedFetch(deps.fetch);
  let known: { found: Metadata; keys: JWTVerifyGetKey; until: number } | null = null;

  const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    try {
      // Its body is read within the same time.
      return await fetchJson(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    } catch (thrown) {
      throw away(thrown);
    }
  };
  const json = async (response: Response): Promise<unknown> => {
    if (!response.ok) throw away(new Error(`HTTP ${response.status}`));
    try {
      return await response.json();
    } catch (thrown) {
      throw away(thrown);
    }
  };

  const discover = async () => {
    if (known !== null && known.until > clock.now()) return known;
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const read = metadata.safeParse(await json(await ask(address)));
    if (!read.success) throw away(read.error);
    // Discovery 1.0, 4.3: to the letter, or another provider answers in its name.
    if (read.data.issuer !== issuer) throw unproven("metadata-issuer");
    const keys = createRemoteJWKSet(new URL(read.data.jwks_uri), {
      [customFetch]: fetchJson,
      timeoutDuration: timeoutMs,
    });
    known = { found: read.data, keys, until: clock.now() + metadataMs };
    return known;
  };

  const redeemCode = async (found: Metadata, code: string, verifier: string) => {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const headers = new Headers({ accept: "application/json" });
    const basic = found.token_endpoint_auth_methods_supported.includes("client_secret_basic");
    if (clientSecret !== undefined && basic) headers.set("authorization", basicOf(clientId, clientSecret));
    else body.set("client_id", clientId);
    if (clientSecret !== undefined && !basic) body.set("client_secret", clientSecret);
    const response = await ask(found.token_endpoint, { method: "POST", headers, body });
    // RFC 6749, 5.2: a code that was used, is too old, or is another browser's.
    if (response.status >= 400 && response.status < 500) throw unproven("code-refused");
    const read = tokens.safeParse(await json(response));
    if (!read.success) throw unproven("no-id-token");
    return read.data;
  };

  const verified = async (
    token: string,
    keys: JWTVerifyGetKey,
    nonce: string,
  ): Promise<JWTPayload & { sub: string }> => {
    const { payload } = await jwtVerify(token, keys, {
      ...{ issuer, audience: clientId, algorithms, clockTolerance: clockToleranceSeconds },
      maxTokenAge: maxTokenAgeSeconds,
      requiredClaims: ["exp", "iat", "sub", "nonce"],
      currentDate: new Date(clock.now()),
    }).catch((thrown: unknown) => {
      throw whyNot(thrown);
    });
    if (payload["nonce"] !== nonce) throw unproven("nonce");
    // Core 3.1.3.7, 3 and 5: no other audience is trusted.
    if ([payload.aud].flat().some((one) => one !== clientId)) throw unproven("aud");
    const { azp = clientId } = payload;
    if (azp !== clientId) throw unproven("azp");
    return { ...payload, sub: payload.sub ?? "" };
  };

  /** Core 5.4: with a code, claims may be there alone. */
  const userInfo = async (found: Metadata, accessToken: string, sub: string) => {
    if (found.userinfo_endpoint === undefined) return {};
    const headers = { authorization: `Bearer ${accessToken}`, accept: "application/json" };
    const claims = z
      .looseObject({ sub: z.string() })
      .safeParse(await json(await ask(found.userinfo_endpoint, { headers })));
    // Core 5.3.2: else it may be about somebody else.
    if (claims.data?.sub !== sub) throw unproven("userinfo-sub");
    return claims.data;
  };

  return {
    addressFor: async ({ state, nonce }, challenge) => {
      const url = new URL((await discover()).found.authorization_endpoint);
      const asked = {
        ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, scope: deps.scopes },
        ...{ state, nonce, code_challenge: challenge, code_challenge_method: "S256" },
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return url.href;
    },
    redeem: async ({ code, iss }, { nonce, verifier }) => {
      const { found, keys } = await discover();
      // RFC 9207, 2.4: the answer of another provider.
      if (iss === null ? found.authorization_response_iss_parameter_supported : iss !== issuer)
        throw unproven("iss");
      const { id_token: idToken, access_token: accessToken } = await redeemCode(found, code, verifier);
      const told = await verified(idToken, keys, nonce);
      const lacks =
        told["email"] === undefined || (namesGroups(deps.rights) && told[deps.groupsClaim] === undefined);
      const more = lacks && accessToken !== undefined ? await userInfo(found, accessToken, told.sub) : {};
      const email = emailOf(told) ?? emailOf(more);
      const groups = groupsOf(told[deps.groupsClaim] ?? new Map(Object.entries(more)).get(deps.groupsClaim));
      return { identity: { email, groups }, name: email ?? told.sub };
    },
  };
}

/** Null for what is no address, and unless the provider says that it is theirs; without that anybody may write down anybody's. */
function emailOf(claims: unknown): string | null {
  const { email, email_verified: isVerified } = claimsOfUser.safeParse(claims).data ?? {};
  return isVerified === true ? mailAddressOf(email?.toLowerCase() ?? null) : null;
}

function groupsOf(claim: unknown): string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((one): one is string => typeof one === "string");
}

/** RFC 6749, 2.3.1: both are encoded as in a form before they are joined. */
function basicOf(id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64")}`;
}

const unproven = (why: string) => refusal("console-log-in-unproven", { status: 403, details: { why } });

const away = (cause: unknown) => refusal("console-log-in-away", { status: 502, temporary: true, cause });

/** A key set that cannot be had says nothing about the token. */
function whyNot(thrown: unknown): Error {
  if (thrown instanceof errors.JWTClaimValidationFailed || thrown instanceof errors.JWTExpired)
    return unproven(thrown.claim);
  if (!(thrown instanceof errors.JOSEError)) return away(thrown);
  const isOfKeys = thrown instanceof errors.JWKSTimeout || thrown.code === "ERR_JOSE_GENERIC";
  return isOfKeys ? away(thrown) : unproven(thrown.code);
}
