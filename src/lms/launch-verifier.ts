import { type CryptoKey, decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { type LaunchClaims, launchClaims } from "./claims.ts";
import type { KeySets, PlatformJwk } from "./key-sets.ts";
import { LaunchRefusal, type LaunchRefusalCode } from "./launch-refusal.ts";

/** What a token must answer to. */
export type VerificationRequest = {
  idToken: string;
  registration: Registration;
  /** The nonce of our own login request. */
  nonce: string;
  /** When that request was made (ms); no answer is older. */
  requestedAt: number;
};

/** Verified claims and the key they were verified with. */
export type VerifiedLaunch = { claims: LaunchClaims; jwk: PlatformJwk };

/**
 * Verifies an id_token completely: signature by a key the LMS publishes, issuer, audience, times, nonce, and the
 * claims every LTI message has. Everything behind it relies on this type alone, so it can be replaced.
 */
export type LaunchVerifier = {
  /** @throws LaunchRefusal */
  verify: (request: VerificationRequest) => Promise<VerifiedLaunch>;
};

/** Clocks of two machines may differ by this much (seconds). */
const tolerance = 60;

/** The verifier: `jose` for the signature, this file for what OpenID Connect and LTI ask beyond it. */
export function createLaunchVerifier(deps: { keySets: KeySets; clock: Clock }): LaunchVerifier {
  return {
    verify: async ({ idToken, registration, nonce, requestedAt }) => {
      const { key, jwk } = await deps.keySets.keyFor(registration.jwksUrl, keyIdOf(idToken));
      const now = deps.clock.now();
      const payload = await signedPayload(idToken, key, registration, now);
      const parsed = launchClaims.safeParse(payload);
      if (!parsed.success) throw malformed(parsed.error.issues.map(({ path }) => path.join(".")));
      const claims = parsed.data;
      checkAudience(claims, registration.clientId);
      if (claims.iat > now / 1000 + tolerance || claims.iat < requestedAt / 1000 - tolerance) {
        throw new LaunchRefusal("token-times", { claim: "iat" });
      }
      if (claims.nonce !== nonce) throw new LaunchRefusal("token-nonce");
      return { claims, jwk };
    },
  };
}

/** Only `kid` chooses the key, and only among those of the registered key set: `jku`, `jwk`, `x5u` are not read. */
function keyIdOf(idToken: string): string {
  let header;
  try {
    header = decodeProtectedHeader(idToken);
  } catch (thrown) {
    throw new LaunchRefusal("token-malformed", {}, thrown);
  }
  if (header.alg !== "RS256") throw new LaunchRefusal("token-algorithm");
  if (typeof header.kid !== "string" || header.kid === "") throw new LaunchRefusal("token-key-unknown");
  return header.kid;
}

async function signedPayload(
  idToken: string,
  key: CryptoKey,
  registration: Registration,
  now: number,
): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(idToken, key, {
      algorithms: ["RS256"],
      issuer: registration.issuer,
      audience: registration.clientId,
      clockTolerance: tolerance,
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

/** Several audiences need `azp`, and `azp` must be us (OpenID Connect Core, 3.1.3.7). */
function checkAudience(claims: LaunchClaims, clientId: string): void {
  const several = Array.isArray(claims.aud) && claims.aud.length > 1;
  const azp = claims.azp ?? null;
  if ((several && azp === null) || (azp !== null && azp !== clientId)) {
    throw new LaunchRefusal("token-audience", { claim: "azp" });
  }
}

function malformed(paths: readonly string[]): LaunchRefusal {
  if (paths.some((path) => path.startsWith("nonce"))) return new LaunchRefusal("token-nonce");
  return new LaunchRefusal("launch-incomplete", { claims: paths });
}
