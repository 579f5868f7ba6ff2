import { type CryptoKey, decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { claim, type LaunchClaims, launchClaims } from "./claims.ts";
import { isLaunchAlgorithm, type KeySets, type LaunchAlgorithm } from "./key-sets.ts";
import { LaunchRefusal, type LaunchRefusalCode } from "../domain/launch-refusal.ts";
import { clockToleranceSeconds, maxTokenLifeSeconds } from "./limits.ts";
import type { RegistrationPort } from "./ports.ts";

type ClaimedToken = { idToken: string; registration: Registration };

/** What a token must match. */
type VerificationRequest = ClaimedToken & {
  /** From `signerOf`. */
  signer: Signer;
  /** The nonce of our own login request. */
  nonce: string;
  /** When that request was made (ms). An older token isn't its answer. */
  requestedAt: number;
};

export type LaunchVerifier = ReturnType<typeof createLaunchVerifier>;

/**
 * Verifies an id_token completely: key, issuer, audience, times, nonce, and the claims of every LTI message. `jose` checks the
 * signature; this file checks what OpenID Connect and LTI require beyond that.
 */
export function createLaunchVerifier(deps: { keySets: KeySets; clock: Clock }) {
  return {
    /** Fetches the key that `verify` needs, which may take time, before the launch's turn. @throws LaunchRefusal */
    signerOf: (claimed: ClaimedToken) => signerOf(deps, claimed),
    /** @throws LaunchRefusal */
    verify: async ({
      idToken,
      registration,
      nonce,
      requestedAt,
      signer,
    }: VerificationRequest): Promise<LaunchClaims> => {
      const now = deps.clock.now();
      const payload = await signedPayload(idToken, signer, registration, now);
      const claims = claimsIn(payload);
      checkAudience(claims, registration);
      if (
        claims.iat > now / 1000 + clockToleranceSeconds ||
        claims.iat < requestedAt / 1000 - clockToleranceSeconds
      ) {
        throw new LaunchRefusal("token-times", { claim: "iat" });
      }
      if (claims.nonce !== nonce) throw new LaunchRefusal("token-nonce");
      // A token that is valid for a century is remembered for a day.
      return { ...claims, exp: Math.min(claims.exp, now / 1000 + maxTokenLifeSeconds) };
    },
    /** For a token without a login of ours. It may be genuine, but lets nobody in. @throws LaunchRefusal */
    verifyWithoutLogin: async (claimed: ClaimedToken) => {
      const signer = await signerOf(deps, claimed);
      const payload = await signedPayload(claimed.idToken, signer, claimed.registration, deps.clock.now());
      // Without a login there is no nonce to repeat, and Moodle leaves the claim empty.
      return claimsIn({ ...z.looseObject({}).parse(payload), nonce: "none" });
    },
  };
}

type Signer = Awaited<ReturnType<typeof signerOf>>;

/** The key that a token names. @throws LaunchRefusal */
export async function signerOf({ keySets }: { keySets: KeySets }, { idToken, registration }: ClaimedToken) {
  const { kid, alg } = headerOf(idToken);
  return { alg, ...(await keySets.keyFor(registration.jwksUrl, kid, alg)) };
}

/**
 * Only `kid` chooses the key, among those of the registered set; `jku`, `jwk` and `x5u` are ignored. `alg` must be an algorithm with key
 * pairs, and the key must be made for it.
 */
export function headerOf(idToken: string): { kid: string; alg: LaunchAlgorithm } {
  let header;
  try {
    header = decodeProtectedHeader(idToken);
  } catch (thrown) {
    throw new LaunchRefusal("token-malformed", {}, thrown);
  }
  const { alg, kid } = header;
  if (!isLaunchAlgorithm(alg)) throw new LaunchRefusal("token-algorithm");
  if (typeof kid !== "string" || kid === "") throw new LaunchRefusal("token-key-unknown");
  return { kid, alg };
}

/** The payload of a token whose signature, issuer, audience and times are right. @throws LaunchRefusal */
export async function signedPayload(
  idToken: string,
  { key, alg }: { key: CryptoKey; alg: LaunchAlgorithm },
  registration: Registration,
  now: number,
): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(idToken, key, {
      algorithms: [alg],
      issuer: registration.issuer,
      audience: registration.clientId,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(now),
      requiredClaims: ["exp", "iat", "nonce"],
    });
    return payload;
  } catch (thrown) {
    throw new LaunchRefusal(
      codeOf(thrown),
      thrown instanceof errors.JOSEError ? { reason: thrown.code } : {},
      thrown,
    );
  }
}

function codeOf(thrown: unknown): LaunchRefusalCode {
  if (thrown instanceof errors.JWTExpired) return "token-expired";
  if (thrown instanceof errors.JWSSignatureVerificationFailed) return "token-signature";
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    if (thrown.claim === "iss") return "token-issuer";
    if (thrown.claim === "aud") return "token-audience";
    return thrown.claim === "nonce" ? "token-nonce" : "token-times";
  }
  return "token-malformed";
}

/**
 * With several audiences, `azp` must be us (OpenID Connect Core, 3.1.3.7) and we must trust the others (Security 1.0, 5.1.3), because
 * the token may have been issued for them, and they can use it as well.
 */
export function checkAudience(
  claims: Pick<LaunchClaims, "aud" | "azp">,
  { clientId, trustedAudiences = [] }: Pick<Registration, "clientId" | "trustedAudiences">,
): void {
  const audiences = [claims.aud].flat();
  const azp = claims.azp ?? null;
  if ((audiences.length > 1 && azp === null) || (azp !== null && azp !== clientId)) {
    throw new LaunchRefusal("token-audience", { claim: "azp" });
  }
  const trusted = new Set([clientId, ...trustedAudiences]);
  if (!audiences.every((one) => trusted.has(one))) {
    throw new LaunchRefusal("token-audience", { claim: "aud", untrusted: true });
  }
}

/** @throws LaunchRefusal */
function claimsIn(payload: unknown): LaunchClaims {
  const parsed = launchClaims.safeParse(payload);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const claims = issues.map(({ path }) => path.join("."));
  if (claims.some((path) => path.startsWith("nonce"))) throw new LaunchRefusal("token-nonce");
  const isUnusable = issues.some(({ path }) => isIdentifier(path) && isGiven(valueAt(payload, path)));
  throw new LaunchRefusal(isUnusable ? "id-unusable" : "launch-incomplete", { claims });
}

/** Whether a path in the claims leads to an id. */
function isIdentifier(path: readonly PropertyKey[]): boolean {
  const last = path.at(-1);
  return last === "sub" || last === "id" || last === "user_id" || last === claim.deploymentId;
}

/** Whether a value was sent; Moodle sends "" for unset values. */
const isGiven = (value: unknown) => value !== undefined && value !== null && value !== "";

function valueAt(payload: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, name) => z.looseObject({}).catch({}).parse(value)[String(name)], payload);
}

/**
 * The registration that a token claims, if no login of ours names one. Trusted only after the signature is checked. If there are several
 * audiences, `azp` decides. @throws LaunchRefusal "platform-unknown", "platform-inactive", "token-audience", "token-malformed"
 */
export async function claimedRegistration(
  deps: { registrations: Pick<RegistrationPort, "findByClient"> },
  jwt: string,
): Promise<Registration> {
  const { iss, audiences } = addressOf(jwt);
  const known: Registration[] = [];
  for (const audience of audiences) {
    const found = await deps.registrations.findByClient(iss, audience);
    if (found !== null) known.push(found);
  }
  const [registration] = known;
  if (registration === undefined)
    throw new LaunchRefusal("platform-unknown", { issuer: iss, clientId: audiences[0] });
  if (known.length > 1) throw new LaunchRefusal("token-audience", { registrations: known.length });
  if (!registration.active) throw new LaunchRefusal("platform-inactive", { registration: registration.id });
  return registration;
}

function addressOf(jwt: string): { iss: string; audiences: readonly string[] } {
  let payload: JWTPayload;
  try {
    payload = decodeJwt(jwt);
  } catch (thrown) {
    throw new LaunchRefusal("token-malformed", {}, thrown);
  }
  const { aud, azp } = payload;
  const iss: unknown = payload.iss;
  const listed: unknown[] = Array.isArray(aud) ? aud : [aud];
  const audiences = listed.filter((one) => typeof one === "string");
  if (typeof iss !== "string" || audiences.length === 0 || audiences.length > 10) {
    throw new LaunchRefusal("token-malformed");
  }
  const meant = typeof azp === "string" && audiences.includes(azp) ? [azp] : audiences;
  return { iss, audiences: [...new Set(meant)] };
}
