import { SignJWT } from "jose";
import { z } from "zod";
import { lmsDeployment, type Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import { parseJson, retryAfterMs } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Sealer } from "../kernel/sealer.ts";
import { claim } from "./claims.ts";
import type { LmsPauses, TokenRefusal } from "./lms-pauses.ts";
import type { AccessTokenPort, DeploymentPort } from "./ports.ts";
import { isThrottled, jsonOf, type LmsReply, type LmsRequest, type Requester } from "./requester.ts";
import type { ToolKeys } from "./tool-keys.ts";
import { assertionLifetimeSeconds, backdatedSeconds, maxTokenLifeMs, tokenMarginMs } from "./limits.ts";

export type AccessTokensDeps = {
  request: Requester;
  accessTokens: AccessTokenPort;
  deployments: Pick<DeploymentPort, "listOf">;
  pauses: Pick<LmsPauses, "heard" | "beforeToken" | "refused" | "given">;
  toolKeys: ToolKeys;
  sealer: Sealer;
  clock: Clock;
  ids: Ids;
};

export type AccessTokens = ReturnType<typeof createAccessTokens>;

const tokenReply = z.object({
  // Only characters that a header can carry.
  access_token: z.string().regex(/^[\x21-\x7e]{1,16384}$/),
  expires_in: z.coerce.number().positive().catch(3600),
});
const errorReply = z.object({ error: z.string() });

/** Gets access tokens by client credentials with a signed assertion (Security 1.0, section 4.1), and stores them sealed. */
export function createAccessTokens(deps: AccessTokensDeps) {
  const { clock, sealer, pauses } = deps;
  const underWay = new Map<string, Promise<string>>();

  const fetchToken = async (registration: Registration, scopes: string): Promise<string> => {
    const tried = await pauses.beforeToken(registration.id, scopes);
    const request: LmsRequest = {
      method: "POST",
      url: registration.tokenUrl,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await signedAssertion(deps, registration),
        scope: scopes,
      }).toString(),
    };
    const reply = await pauses.heard(registration.id, null, () => deps.request(request));
    const parsed = reply.status === 200 || reply.status === 201 ? tokenReply.safeParse(jsonOf(reply)) : null;
    if (parsed?.success !== true) {
      const refusal = refusalOf(reply);
      if (refusal === null) throw unavailable(registration, reply, clock.now());
      throw await pauses.refused(registration.id, scopes, tried, refusal);
    }
    const { access_token: token, expires_in: seconds } = parsed.data;
    const life = Math.min(seconds * 1000, maxTokenLifeMs);
    await deps.accessTokens.save({
      registrationId: registration.id,
      scopes,
      sealedToken: sealer.seal(purposeOf(registration.id), token),
      expiresAt: clock.now() + life - Math.min(tokenMarginMs, life / 2),
    });
    await pauses.given(registration.id, scopes, tried);
    return token;
  };

  const stored = async (registrationId: string, scopes: string) => {
    const found = await deps.accessTokens.find(registrationId, scopes, clock.now());
    if (found === null) return null;
    try {
      return {
        token: sealer.open(purposeOf(registrationId), found.sealedToken),
        sealedToken: found.sealedToken,
      };
    } catch {
      return null; // sealed with a lost key; asking for a new token is cheap
    }
  };

  return {
    /**
     * A token for exactly these scopes, stored until it expires. Concurrent callers share one request.
     * @throws NamedError, temporary: "lms-key-refused", "lms-token-refused" (these scopes), or no answer.
     */
    get: async (registration: Registration, scopeList: readonly string[]) => {
      const scopes = scopeSet(scopeList);
      const key = `${registration.id} ${scopes}`;
      const running = underWay.get(key);
      if (running !== undefined) return running;
      const found = (async () =>
        (await stored(registration.id, scopes))?.token ?? (await fetchToken(registration, scopes)))().finally(
        () => {
          if (underWay.get(key) === found) underWay.delete(key);
        },
      );
      underWay.set(key, found);
      return found;
    },
    /** Deletes a token that the LMS refused, unless a newer one has replaced it. */
    drop: async (registration: Registration, scopeList: readonly string[], token: string) => {
      const scopes = scopeSet(scopeList);
      const known = await stored(registration.id, scopes);
      if (known?.token !== token) return;
      await deps.accessTokens.drop({
        registrationId: registration.id,
        scopes,
        sealedToken: known.sealedToken,
      });
      // A caller that is reading the store now may have the dropped token, so the next caller must not share its request.
      underWay.delete(`${registration.id} ${scopes}`);
    },
  };
}

async function signedAssertion(deps: AccessTokensDeps, registration: Registration): Promise<string> {
  const { kid, privateKey } = await deps.toolKeys.signingKey(registration.id);
  const now = Math.floor(deps.clock.now() / 1000);
  const deployments = await deps.deployments.listOf(registration.id);
  // A token serves all deployments, so we name a deployment only if there is just one.
  const [only, another] = deployments.filter(({ status }) => status === "accepted");
  const about =
    only === undefined || another !== undefined
      ? {}
      : { [claim.deploymentId]: lmsDeployment(registration, only.deploymentId) };
  return new SignJWT(about)
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
    .setIssuer(registration.clientId)
    .setSubject(registration.clientId)
    .setAudience(registration.tokenAudience ?? registration.tokenUrl)
    .setIssuedAt(now - backdatedSeconds)
    .setExpirationTime(now + assertionLifetimeSeconds)
    .setJti(deps.ids.secret(16))
    .sign(privateKey);
}

/** The LMS's refusal of the token; null for a page of a proxy or of maintenance, whatever its status (RFC 6749, 5.2). */
function refusalOf(reply: LmsReply): TokenRefusal | null {
  const { status } = reply;
  const error = oauthErrorOf(reply);
  const isAnswer = error !== null || [400, 401, 403].includes(status);
  return !isAnswer || status >= 500 || isThrottled(reply) ? null : { status, error };
}

function unavailable(registration: Registration, reply: LmsReply, now: number): NamedError {
  const { status } = reply;
  return refusal("lms-token-unavailable", {
    values: { status },
    temporary: true,
    details: {
      registration: registration.id,
      status,
      error: oauthErrorOf(reply) ?? `status ${status}`,
      retryAfterMs: retryAfterMs(reply, now),
    },
  });
}

/** `error` of OAuth 2.0, or null. We also search the text, because Moodle's JSON isn't always valid. */
function oauthErrorOf(reply: LmsReply): string | null {
  try {
    const parsed = errorReply.safeParse(parseJson(reply.text));
    if (parsed.success && /^[\w-]{1,64}$/.test(parsed.data.error)) return parsed.data.error;
  } catch {
    // not JSON
  }
  return /invalid_(client|scope|request|grant)|unauthorized_client/.exec(reply.text)?.[0] ?? null;
}

function scopeSet(scopes: readonly string[]): string {
  return [...new Set(scopes)].sort().join(" ");
}

function purposeOf(registrationId: string): string {
  return `access-token ${registrationId}`;
}
