import { storedDeployment, type Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import {
  courseCopyNotice,
  helloNotice,
  type Notice,
  type NoticeMeaning,
} from "../modules/courses/rules/course.ts";
import { claim, noticeClaims } from "./claims.ts";
import type { KeySets } from "./key-sets.ts";
import { LaunchRefusal } from "../domain/launch-refusal.ts";
import { admitDeployment } from "./launch-request.ts";
import { checkAudience, claimedRegistration, signedPayload, signerOf } from "./launch-verifier.ts";
import { clockToleranceSeconds, maxOrigins } from "./limits.ts";
import type { DeploymentPort, RegistrationPort } from "./ports.ts";
import { refusedBy } from "./requester.ts";
import { scopes as scope } from "./scopes.ts";
import type { ServiceCalls } from "./service-calls.ts";

export type NoticeVerifier = ReturnType<typeof createNoticeVerifier>;

/**
 * Verifies notices (PNS 1.0): a JWT with the claims of a launch, and `notice` in place of a message type. We didn't request it, so the
 * nonce is the LMS's own.
 */
export function createNoticeVerifier(deps: {
  registrations: RegistrationPort;
  deployments: DeploymentPort;
  keySets: KeySets;
  clock: Clock;
}) {
  return {
    /** @throws LaunchRefusal. The caller must check that nonce and notice are new. */
    verify: async (jwt: string): Promise<Notice> => {
      const registration = await claimedRegistration(deps, jwt);
      const signer = await signerOf(deps, { idToken: jwt, registration });
      const now = deps.clock.now();
      const parsed = noticeClaims.safeParse(await signedPayload(jwt, signer, registration, now));
      if (!parsed.success) {
        const claims = parsed.error.issues.map(({ path }) => path.join("."));
        throw new LaunchRefusal("launch-incomplete", { claims });
      }
      const claims = parsed.data;
      checkAudience(claims, registration);
      if (claims.iat > now / 1000 + clockToleranceSeconds)
        throw new LaunchRefusal("token-times", { claim: "iat" });
      const deploymentId = storedDeployment(registration, claims[claim.deploymentId]);
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

type NoticeHandlersTarget = { registration: Registration; url: string; scopes: readonly string[] };

export type NoticeHandlers = ReturnType<typeof createNoticeHandlers>;

/** The notice handlers service (Platform Notification Service 1.0). Canvas requires an address on the tool's own domain. */
export function createNoticeHandlers(deps: { calls: ServiceCalls; clock: Clock }) {
  return {
    /** Sets the address for one type of notice. @throws NamedError "notices-not-granted", or the LMS's error */
    set: async (target: NoticeHandlersTarget, { type, handler }: { type: string; handler: string }) => {
      const { registration, url, scopes } = target;
      if (!scopes.includes(scope.noticeHandlers)) {
        throw refusal("notices-not-granted", { status: 403, details: { needed: ["noticehandlers"] } });
      }
      const reply = await deps.calls.call(
        { registration, scopes: [scope.noticeHandlers] },
        {
          method: "PUT",
          url,
          headers: { accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ notice_type: type, handler }),
        },
      );
      if (reply.status < 200 || reply.status > 204) {
        throw refusedBy(reply, "a subscription to notices", deps.clock.now());
      }
    },
  };
}
