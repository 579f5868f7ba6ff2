import type { App } from "../../app.ts";
import { refusal } from "../../kernel/refusal.ts";
import { isSameSecret } from "../../kernel/sealer.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { consoleLinkLifetimeMs, letsAdministratorsIn } from "../courses/rules/course.ts";
import {
  judgeGuess,
  type PasswordGuesses,
  namesGroups,
  type ProvenIdentity,
  type OidcConfig,
} from "./rules/console-access.ts";
import * as openId from "openid-client";
import { z } from "zod";
import { mailAddressOf } from "../../domain/mails.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { boundedFetch } from "../../kernel/outside-reply.ts";

type LogInApp = AuditApp & Pick<App, "loginAttempts"> & { adminPassword: string };

/** `blockedUntil` (ms): no attempt is accepted before then. In the past if nothing is blocked. */
type LogInOutcome = { right: true } | { right: false; compared: boolean; blockedUntil: number };

/** Unknown browsers share one counter. A known browser has its own. */
const counterOf = (device: string | null) => (device === null ? "console" : `console ${device}`);
/** Simultaneous attempts collide. After this many collisions, the answer is to come back later. */
const maxRaces = 20;

/**
 * Compares a password with ADMIN_PASSWORD. Each attempt is counted for all processes before it's compared, so neither speed nor several
 * processes give more attempts. During a wait, even the right password is refused. The audit log has each wrong password that was compared: at
 * most nine in a quarter of an hour.
 * @param device Id of a browser in which the right password was given before, otherwise null.
 */
export async function logIn(app: LogInApp, password: string, device: string | null): Promise<LogInOutcome> {
  const counter = counterOf(device);
  const counted = await countTry(app, counter);
  if (!counted.allowed) return { right: false, compared: false, blockedUntil: counted.blockedUntil };
  if (isSameSecret(password, app.adminPassword)) {
    await app.loginAttempts.clear(counter);
    await writeAudit(app, { what: "logged-in", registrationId: null, on: "" });
    return { right: true };
  }
  const { blockedUntil, count } = counted.next;
  const what = blockedUntil > app.clock.now() ? "log-in-blocked" : "wrong-password";
  await writeAudit(app, { what, registrationId: null, on: String(count) });
  return { right: false, compared: true, blockedUntil };
}

type Counted = { allowed: true; next: PasswordGuesses } | { allowed: false; blockedUntil: number };

async function countTry({ loginAttempts, clock }: LogInApp, counter: string): Promise<Counted> {
  for (let race = 0; race < maxRaces; race += 1) {
    const known = await loginAttempts.read(counter);
    const verdict = judgeGuess(known?.guesses ?? null, clock.now());
    if (!verdict.allowed) return verdict;
    if (await loginAttempts.replace(counter, known?.revision ?? null, verdict.next)) return verdict;
  }
  return { allowed: false, blockedUntil: clock.now() + 1000 };
}

/**
 * Lets an administrator of an LMS into its part of the console.
 * @param until When their launch's right ends (ms). Left out if it gave none.
 * @throws NamedError "administration-closed" if they may not enter, or not any more
 */
export async function enterAsAdministrator(
  app: AuditApp & Pick<App, "registrations">,
  who: { registrationId: string; personId: string; until: number | undefined },
): Promise<void> {
  const { registrationId, personId, until } = who;
  const now = app.clock.now();
  const registration = await app.registrations.find(registrationId);
  // No launch gives a time later than this, so it's forged.
  const open = until !== undefined && until > now && until <= now + consoleLinkLifetimeMs;
  if (!open || registration === null || !letsAdministratorsIn(registration))
    throw refusal("administration-closed", { status: 403 });
  const by = { ...app, who: "lms-administrator", personId } as const;
  await writeAudit(by, { what: "administrator-entered", registrationId, on: registration.name });
}

type ProviderOptions = OidcConfig & {
  /** Where the provider sends the browser back to. */
  redirectUri: string;
  fetch: typeof fetch;
  clock: Pick<Clock, "now">;
};

/** What one login is bound to. The browser keeps all of it, sealed. */
export type LogInSecrets = { state: string; nonce: string; verifier: string };

/** `name`: for the change log and the list of sessions. */
type LoggedIn = { identity: ProvenIdentity; name: string };

const claimsOfUser = z.looseObject({ email: z.string().optional(), email_verified: z.unknown() });

const clockToleranceSeconds = 60;
const maxTokenAgeSeconds = 600;
const timeoutSeconds = 10;
/** How long the provider's metadata is cached (ms). */
const metadataMs = 10 * 60_000;

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/**
 * OpenID Connect Core 1.0: the code flow with PKCE (RFC 7636). Refusals are `console-log-in-unproven`, with the reason as `why` in its
 * details, and `console-log-in-away`.
 */
export function createIdentityProvider(app: ProviderOptions) {
  const { issuer, clientId, clientSecret, clock, redirectUri } = app;
  const bounded = boundedFetch(app.fetch);
  const fetchJson: openId.CustomFetch = (url, { body = null, signal = null, ...asked }) =>
    bounded(url, { ...asked, body, signal });
  // Only in development does a provider lack TLS.
  const execute = issuer.startsWith("http:") ? [openId.allowInsecureRequests] : [];
  const asking = { [openId.customFetch]: fetchJson, timeout: timeoutSeconds, execute };
  let known: { server: openId.ServerMetadata; until: number } | null = null;

  const discover = async (): Promise<openId.ServerMetadata> => {
    if (known !== null && known.until > clock.now()) return known.server;
    const found = await openId.discovery(new URL(issuer), clientId, undefined, undefined, asking);
    const server = found.serverMetadata();
    // Discovery 1.0, 4.3: must be identical, or another provider could answer in its name.
    if (server.issuer !== issuer) throw unproven("metadata-issuer");
    known = { server, until: clock.now() + metadataMs };
    return server;
  };

  /** One client per login, because the library reads the machine's clock, which may differ from the tool's. */
  const openClient = async (): Promise<openId.Configuration> => {
    const server = await discover();
    const clocks = {
      [openId.clockSkew]: (clock.now() - systemClock.now()) / 1000,
      [openId.clockTolerance]: clockToleranceSeconds,
    };
    const client = new openId.Configuration(server, clientId, clocks, proofOf(server, clientSecret));
    client[openId.customFetch] = fetchJson;
    client.timeout = timeoutSeconds;
    // Checks the signature, too, although the token came by TLS.
    for (const choose of [openId.enableNonRepudiationChecks, ...execute]) choose(client);
    return client;
  };

  const verifiedClaims = (tokens: openId.TokenEndpointResponseHelpers): openId.IDToken => {
    const claims = tokens.claims();
    if (claims === undefined) throw unproven("no-id-token");
    // Core 3.1.3.7, 3 and 5: no other audience is trusted.
    if ([claims.aud].flat().some((one) => one !== clientId)) throw unproven("aud");
    if ((claims.azp ?? clientId) !== clientId) throw unproven("azp");
    const ageSeconds = clock.now() / 1000 - claims.iat;
    if (ageSeconds < -clockToleranceSeconds || ageSeconds > maxTokenAgeSeconds + clockToleranceSeconds)
      throw unproven("iat");
    return claims;
  };

  const addressFor = async ({ state, nonce, verifier }: LogInSecrets): Promise<string> => {
    const asked = {
      redirect_uri: redirectUri,
      scope: app.scopes,
      state,
      nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    return openId.buildAuthorizationUrl(await openClient(), asked).href;
  };

  const redeem = async (answer: URLSearchParams, secrets: LogInSecrets): Promise<LoggedIn> => {
    const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = secrets;
    const client = await openClient();
    const back = new URL(`${redirectUri}?${answer.toString()}`);
    const checks = { expectedState, expectedNonce, pkceCodeVerifier };
    const tokens = await openId.authorizationCodeGrant(client, back, checks);
    const claims = verifiedClaims(tokens);
    const lacks =
      claims["email"] === undefined || (namesGroups(app.rights) && claims[app.groupsClaim] === undefined);
    // Core 5.4: with a code, some claims may only be there.
    const isAsked = lacks && client.serverMetadata().userinfo_endpoint !== undefined;
    const more = isAsked ? await openId.fetchUserInfo(client, tokens.access_token, claims.sub) : {};
    const email = emailOf(claims) ?? emailOf(more);
    const groups = groupsOf(claims[app.groupsClaim] ?? new Map(Object.entries(more)).get(app.groupsClaim));
    return { identity: { email, groups }, name: email ?? claims.sub };
  };

  return {
    /** Where to send the browser. */
    addressFor: (secrets: LogInSecrets) => addressFor(secrets).catch(explain),
    /** @param answer What the provider sent back with the browser. */
    redeem: (answer: URLSearchParams, secrets: LogInSecrets) => redeem(answer, secrets).catch(explain),
  };
}

function proofOf(server: openId.ServerMetadata, secret: string | undefined): openId.ClientAuth {
  if (secret === undefined) return openId.None();
  const { token_endpoint_auth_methods_supported: ways = ["client_secret_basic"] } = server;
  if (!ways.includes("client_secret_basic")) return openId.ClientSecretPost(secret);
  // RFC 6749, 2.3.1. The library's own encoding also encodes "-", "." and "_", which providers that don't decode refuse.
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return (_server, client, _body, headers) => {
    const pair = Buffer.from(`${encoded(client.client_id)}:${encoded(secret)}`).toString("base64");
    headers.set("authorization", `Basic ${pair}`);
  };
}

/** Null if it's no address, or if the provider doesn't say that it's theirs. Otherwise, anyone could claim anyone's address. */
function emailOf(claims: unknown): string | null {
  const { email, email_verified: isVerified } = claimsOfUser.safeParse(claims).data ?? {};
  return isVerified === true ? mailAddressOf(email?.toLowerCase() ?? null) : null;
}

function groupsOf(claim: unknown): string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((one): one is string => typeof one === "string");
}

const unproven = (why: string) => refusal("console-log-in-unproven", { status: 403, details: { why } });

const away = (cause: unknown) => refusal("console-log-in-away", { status: 502, temporary: true, cause });

/** What the library found wrong with an answer. Its other errors say that no readable answer came. */
const wrongAnswers: ReadonlySet<string | undefined> = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
  "OAUTH_UNSUPPORTED_OPERATION",
]);

/** @throws NamedError */
function explain(thrown: unknown): never {
  if (thrown instanceof NamedError) throw thrown;
  if (thrown instanceof openId.AuthorizationResponseError || thrown instanceof openId.ResponseBodyError)
    throw unproven(thrown.error);
  // RFC 6749, 5.2: the provider doesn't accept our own secret.
  if (thrown instanceof openId.WWWAuthenticateChallengeError) throw unproven(thrown.message);
  if (thrown instanceof openId.ClientError && wrongAnswers.has(thrown.code))
    throw unproven(messageOf(thrown.cause ?? thrown));
  throw away(thrown);
}
