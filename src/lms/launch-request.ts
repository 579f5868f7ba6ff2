import type { Launch } from "../domain/launch.ts";
import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { claim, type LaunchClaims } from "./claims.ts";
import type { PlatformJwk } from "./key-sets.ts";
import { launchFromClaims } from "./launch-from-claims.ts";
import { LaunchRefusal, type LaunchRefusalCode } from "./launch-refusal.ts";
import type { LaunchVerifier } from "./launch-verifier.ts";
import { isOnOurHost } from "./login-request.ts";
import type { DeploymentPort, LaunchRecord, LaunchRecordPort, RegistrationPort } from "./ports.ts";
import { isOurState, type RequestParameters } from "./request-parameters.ts";

export type LaunchCheckDeps = {
  registrations: RegistrationPort;
  deployments: DeploymentPort;
  launchRecords: LaunchRecordPort;
  verifier: LaunchVerifier;
  clock: Clock;
  launchUrl: string;
};

/** A launch that passed every check of ours. */
export type CheckedLaunch = {
  launch: Launch;
  registration: Registration;
  state: string;
  nonce: string;
  idToken: string;
  jwk: PlatformJwk;
  /** Until when the nonce must be remembered (ms). */
  nonceUntil: number;
  /** Whether ltijs supports this message, or would refuse it although it is legal. */
  ltijsAgrees: boolean;
};

/**
 * Checks what the LMS posted to the launch address: our own record of the launch, the browser, the token, the
 * target, the record's single use, and the deployment - in this order, so that a broken answer of the LMS can be
 * repeated and nothing is written down before the signature was verified.
 * @param isSameBrowser Whether the request's cookie fits this state and hash.
 * @throws LaunchRefusal
 */
export async function checkLaunch(
  deps: LaunchCheckDeps,
  parameters: RequestParameters,
  isSameBrowser: (state: string, browserHash: string) => boolean,
): Promise<CheckedLaunch> {
  if (parameters["error"] !== undefined) throw platformError(parameters["error"]);
  const { id_token: idToken, state } = parameters;
  if (idToken === undefined && state === undefined) throw new LaunchRefusal("not-a-launch");
  if (!idToken || !isOurState(state)) throw new LaunchRefusal("request-malformed");
  const record = await deps.launchRecords.find(state, deps.clock.now());
  if (record === null) throw new LaunchRefusal("launch-expired");
  if (!isSameBrowser(state, record.browserHash)) throw new LaunchRefusal("browser-unknown");
  const registration = await deps.registrations.find(record.registrationId);
  if (registration === null) throw new LaunchRefusal("platform-unknown");
  if (!registration.active) throw new LaunchRefusal("platform-inactive", { registration: registration.id });

  const { claims, jwk } = await deps.verifier.verify({
    idToken,
    registration,
    nonce: record.nonce,
    requestedAt: record.createdAt,
  });
  checkTarget(claims, record, deps.launchUrl);
  const launch = launchFromClaims(registration.id, claims);
  if ((await deps.launchRecords.consume(state, deps.clock.now())) === null)
    throw new LaunchRefusal("launch-used");
  await admitDeployment(deps, registration, launch.deploymentId);
  return {
    launch,
    registration,
    state,
    nonce: record.nonce,
    idToken,
    jwk,
    nonceUntil: Math.max(record.expiresAt, claims.exp * 1000) + 120_000,
    ltijsAgrees: ltijsAgrees(claims, launch, deps.clock.now()),
  };
}

/** The signed target decides where a launch goes; it must be ours, and the page the login asked for (Core, 5.3.3). */
function checkTarget(claims: LaunchClaims, record: LaunchRecord, launchUrl: string): void {
  const target = claims[claim.targetLinkUri] ?? "";
  if (target === "") {
    // Only a resource link needs one; Deep Linking and submission review carry it by custom.
    if (claims[claim.messageType] !== "LtiResourceLinkRequest") return;
    throw new LaunchRefusal("launch-incomplete", { missing: "target_link_uri" });
  }
  if (!isOnOurHost(target, launchUrl)) throw new LaunchRefusal("target-foreign");
  // The query may differ: Canvas adds marks of its own to one of the two.
  if (new URL(target).pathname !== new URL(record.targetLinkUri).pathname)
    throw new LaunchRefusal("target-changed");
}

async function admitDeployment(
  deps: LaunchCheckDeps,
  registration: Registration,
  deploymentId: string,
): Promise<void> {
  const deployment = await deps.deployments.record({
    registrationId: registration.id,
    deploymentId,
    // A refused one is written down as well, so that an administrator sees it and can accept it.
    status: registration.newDeployments === "accept" ? "accepted" : "refused",
    firstSeenAt: deps.clock.now(),
  });
  if (deployment.status === "refused") {
    throw new LaunchRefusal("deployment-refused", {
      registration: registration.id,
      deployment: deploymentId,
    });
  }
}

/** ltijs refuses anonymous launches, submission reviews, and clocks that differ by a second (5.9.9). */
function ltijsAgrees(claims: LaunchClaims, launch: Launch, now: number): boolean {
  const seconds = now / 1000;
  return (
    launch.person !== null &&
    launch.kind !== "submission-review" &&
    claims.exp > seconds + 1 &&
    (claims.nbf ?? 0) <= seconds - 1
  );
}

const platformErrors = new Map<string, LaunchRefusalCode>([
  ["login_required", "platform-login-required"],
  ["interaction_required", "platform-login-required"],
  ["account_selection_required", "platform-login-required"],
  ["consent_required", "platform-login-required"],
  ["launch_no_longer_valid", "platform-launch-expired"],
]);

/** What the LMS said instead of a token (OpenID Connect Core, 3.1.2.6); its own text may hold names, so it is dropped. */
function platformError(error: string): LaunchRefusal {
  const known = /^[\w-]{1,64}$/.test(error) ? error : "unreadable";
  return new LaunchRefusal(platformErrors.get(known) ?? "platform-refused", { platformError: known });
}
