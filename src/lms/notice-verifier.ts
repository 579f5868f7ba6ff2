import {
  courseCopyNotice,
  helloNotice,
  type Notice,
  type NoticeMeaning,
} from "../modules/courses/rules/notice.ts";
import { keptDeployment } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { claim, noticeClaims } from "./claims.ts";
import { claimedRegistration } from "./claimed-registration.ts";
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
      const registration = await claimedRegistration(deps, jwt);
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

function meaningOf(type: string, contextId: string | null, origins: readonly string[]): NoticeMeaning {
  if (type === helloNotice) return { kind: "hello" };
  if (type !== courseCopyNotice || contextId === null) return { kind: "other" };
  const others = origins.filter((id) => id !== contextId && id.length > 0 && id.length <= 255);
  return { kind: "course-copied", contextId, origins: [...new Set(others)].slice(0, maxOrigins) };
}
