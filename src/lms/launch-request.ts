import type { CryptoKey } from "jose";
import type { Launch } from "../domain/launch.ts";
import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { hasHash } from "./browser-cookie.ts";
import { claim, type LaunchClaims } from "./claims.ts";
import { launchFromClaims } from "./launch-from-claims.ts";
import { LaunchRefusal, type LaunchRefusalCode } from "./launch-refusal.ts";
import type { LaunchVerifier } from "./launch-verifier.ts";
import { isOnOurHost } from "./login-request.ts";
import type { DeploymentPort, LaunchRecord, LaunchRecordPort, RegistrationPort } from "./ports.ts";
import { isOurState, type RequestParameters } from "./request-parameters.ts";
import { courseUrlOf } from "./way-back.ts";

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
  bound: true;
  launch: Launch;
  registration: Registration;
  state: string;
  nonce: string;
  idToken: string;
  /** The key that verified the token. */
  key: CryptoKey;
  /** Until when the nonce must be remembered (ms). */
  nonceUntil: number;
  /** Whether ltijs supports this message, or would refuse it although it is legal. */
  ltijsAgrees: boolean;
};

/**
 * A genuine launch, not used up yet, in a browser whose cookie did not come along. A page of ours asks the LMS's
 * platform storage for the browser value and posts the launch once more with it.
 */
export type UnboundLaunch = {
  bound: false;
  state: string;
  nonce: string;
  idToken: string;
  storageTarget: string | null;
  /** Whose answers count; the values are asked of no other origin. */
  authorizationOrigin: string;
  locale: string | null;
  /** Where the LMS wants people back; not yet checked to be a web address. */
  returnUrl: string | null;
  /** What a program is told, and a person when the values cannot be read. */
  refusal: LaunchRefusal;
};

/** The form field with which a page of ours brings the browser value; the LMS never sends it. */
export const browserField = "browser";

/**
 * Checks what the LMS posted to the launch address: our own record of the launch, the token, the target, the
 * browser, the record's single use, and the deployment - in this order, so that a broken answer of the LMS can be
 * repeated and nothing is written down before the signature was verified.
 * @param isSameBrowser Whether the request's cookie fits this state and hash.
 * @returns An unbound launch when only the browser is in doubt and it was not asked for its value yet.
 * @throws LaunchRefusal
 */
export async function checkLaunch(
  deps: LaunchCheckDeps,
  parameters: RequestParameters,
  isSameBrowser: (state: string, browserHash: string) => boolean,
): Promise<CheckedLaunch | UnboundLaunch> {
  const { idToken, state } = tokenAndState(parameters);
  const record = await deps.launchRecords.find(state, deps.clock.now());
  if (record === null) throw new LaunchRefusal("launch-expired");
  const shown = parameters[browserField];
  const bound = isSameBrowser(state, record.browserHash) || hasHash(shown ?? "", record.browserHash);
  if (!bound && shown !== undefined) throw new LaunchRefusal("browser-unknown");
  const registration = await deps.registrations.find(record.registrationId);
  if (registration === null) throw new LaunchRefusal("platform-unknown");
  if (!registration.active) throw new LaunchRefusal("platform-inactive", { registration: registration.id });

  const { claims, jwk, key } = await deps.verifier.verify({
    idToken,
    registration,
    nonce: record.nonce,
    requestedAt: record.createdAt,
  });
  checkTarget(claims, record, deps.launchUrl);
  const launch = withCourseUrl(registration, launchFromClaims(registration.id, claims));
  if (!bound) return unbound(record, registration, launch, idToken);
  if ((await deps.launchRecords.consume(state, deps.clock.now())) === null)
    throw new LaunchRefusal("launch-used");
  await admitDeployment(deps, registration, launch.deploymentId);
  return {
    bound: true,
    launch,
    registration,
    state,
    nonce: record.nonce,
    idToken,
    key,
    nonceUntil: Math.max(record.expiresAt, claims.exp * 1000) + 120_000,
    ltijsAgrees: jwk.alg === "RS256" && ltijsAgrees(claims, launch, deps.clock.now()),
  };
}

function withCourseUrl(registration: Registration, launch: Launch): Launch {
  const courseUrl = courseUrlOf(registration, launch);
  return { ...launch, presentation: { ...launch.presentation, courseUrl } };
}

function tokenAndState(parameters: RequestParameters): { idToken: string; state: string } {
  const { id_token: idToken, state } = parameters;
  if (idToken === undefined && state === undefined) throw new LaunchRefusal("not-a-launch");
  if (!idToken || !isOurState(state)) throw new LaunchRefusal("request-malformed");
  return { idToken, state };
}

function unbound(
  record: LaunchRecord,
  registration: Registration,
  launch: Launch,
  idToken: string,
): UnboundLaunch {
  const { locale, returnUrl } = launch.presentation;
  return {
    bound: false,
    state: record.state,
    nonce: record.nonce,
    idToken,
    storageTarget: record.storageTarget,
    authorizationOrigin: new URL(registration.authorizationUrl).origin,
    locale,
    returnUrl,
    refusal: new LaunchRefusal("browser-unknown"),
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

/** Lets a deployment in that is accepted, or unseen where unseen ones are. @throws LaunchRefusal "deployment-refused" */
export async function admitDeployment(
  deps: Pick<LaunchCheckDeps, "deployments" | "clock">,
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

/** ltijs refuses anonymous launches, submission reviews, clocks that differ by a second, and all but RS256 (5.9.9). */
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

/**
 * What the LMS said instead of a token (OpenID Connect Core, 3.1.2.6); its own text may hold names, so it is dropped.
 * @param framed Inside a frame "not logged in" often means that the LMS's own cookie was blocked there.
 */
export function platformError(error: string, framed: boolean): LaunchRefusal {
  const known = /^[\w-]{1,64}$/.test(error) ? error : "unreadable";
  const code = platformErrors.get(known) ?? "platform-refused";
  return new LaunchRefusal(code === "platform-login-required" && framed ? "platform-login-hidden" : code, {
    platformError: known,
  });
}
