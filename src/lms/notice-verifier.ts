import { decodeJwt, type JWTPayload } from "jose";
import {
  courseCopyNotice,
  helloNotice,
  type Notice,
  type NoticeMeaning,
} from "../modules/courses/rules/notice.ts";
import { keptDeployment, type Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { claim, noticeClaims } from "./claims.ts";
import type { KeySets } from "./key-sets.ts";
import { LaunchRefusal } from "./launch-refusal.ts";
import { admitDeployment } from "./launch-request.ts";
import { checkAudience, headerOf, signedPayload } from "./launch-verifier.ts";
import type { DeploymentPort, RegistrationPort } from "./ports.ts";
import { clockToleranceSeconds, maxOrigins } from "./limits.ts";

export type NoticeVerifierDeps = {
  registrations: RegistrationPort;
  deployments: DeploymentPort;
  keySets: KeySets;
  clock: Clock;
};

/** Verifies notices like launches; without a request of ours, the nonce is the LMS's own. */
export type NoticeVerifier = {
  /** @throws LaunchRefusal; the caller checks that the nonce and the notice are new. */
  verify: (jwt: string) => Promise<Notice>;
};

/** PNS 1.0: a JWT with the claims of a launch, and `notice` in place of a message type. */
export function createNoticeVerifier(deps: NoticeVerifierDeps): NoticeVerifier {
  return {
    verify: async (jwt) => {
      const registration = await registrationOf(deps, jwt);
      const { kid, alg } = headerOf(jwt);
      const { key } = await deps.keySets.keyFor(registration.jwksUrl, kid, alg);
      const now = deps.clock.now();
      const parsed = noticeClaims.safeParse(await signedPayload(jwt, { key, alg }, registration, now));
      if (!parsed.success) {
        const claims = parsed.error.issues.map(({ path }) => path.join("."));
        throw new LaunchRefusal("launch-incomplete", { claims });
      }
      const claims = parsed.data;
      checkAudience(claims, registration);
      if (claims.iat > now / 1000 + clockToleranceSeconds)
        throw new LaunchRefusal("token-times", { claim: "iat" });
      const deploymentId = keptDeployment(registration, claims[claim.deploymentId]);
      await admitDeployment(deps, registration, deploymentId);
      const { id, type } = claims[claim.notice];
      const context = claims[claim.context] ?? null;
      return {
        registrationId: registration.id,
        deploymentId,
        id,
        nonce: claims.nonce,
        type,
        meaning: meaningOf(type, context?.id ?? null, claims[claim.originContexts]),
      };
    },
  };
}

/** The registration a notice claims, not believed before the signature. Of several audiences `azp` says which. */
async function registrationOf(deps: NoticeVerifierDeps, jwt: string): Promise<Registration> {
  const { iss, audiences } = addressOf(jwt);
  const known: Registration[] = [];
  for (const audience of audiences) {
    const found = await deps.registrations.findByClient(iss, audience);
    if (found !== null) known.push(found);
  }
  const [registration] = known;
  if (registration === undefined) throw new LaunchRefusal("platform-unknown");
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

function meaningOf(type: string, contextId: string | null, origins: readonly string[]): NoticeMeaning {
  if (type === helloNotice) return { kind: "hello" };
  if (type !== courseCopyNotice || contextId === null) return { kind: "other" };
  const others = origins.filter((id) => id !== contextId && id.length > 0 && id.length <= 255);
  return { kind: "course-copied", contextId, origins: [...new Set(others)].slice(0, maxOrigins) };
}
