import { isSameSecret } from "../kernel/sealer.ts";
import type { CryptoKey } from "jose";
import type { Launch } from "../domain/launch.ts";
import { withReportedProduct } from "../modules/registration/rules/registration.ts";
import { type Deployment, storedDeployment, type Registration } from "../domain/registration.ts";
import type { OpenedLogin } from "./login-state.ts";
import { claim, type LaunchClaims } from "./claims.ts";
import { courseUrlOf, launchFromClaims } from "./launch-from-claims.ts";
import { LaunchRefusal, type LaunchRefusalCode, provesLms } from "../domain/launch-refusal.ts";
import { claimedRegistration, headerOf, type LaunchVerifier } from "./launch-verifier.ts";
import {
  isOnOurHost,
  type LoginDeps,
  looksLikeState,
  type RequestParameters,
  requestParameters,
} from "./login-request.ts";
import type { DeploymentPort, NoncePort } from "./ports.ts";
import { clockDifferenceMs, launchLifetimeMs } from "./limits.ts";

type LaunchCheckDeps = LoginDeps & {
  deployments: DeploymentPort;
  nonces: NoncePort;
  verifier: LaunchVerifier;
  /** Starts to read what the launch needs later, in parallel with its own check. */
  beginReads?: (registration: Registration, launch: Launch) => Promise<unknown>;
};

/** A launch that passed all our checks. */
export type CheckedLaunch = {
  bound: true;
  launch: Launch;
  registration: Registration;
  handle: string;
  idToken: string;
  key: CryptoKey;
  /** Whether ltijs supports this message. It refuses some legal ones. */
  ltijsAgrees: boolean;
};

/**
 * A genuine launch that hasn't been used, from a browser without our cookie. Our page asks the LMS's platform storage for the browser
 * value and posts the launch again with it (record 0003).
 */
export type UnboundLaunch = {
  bound: false;
  state: string;
  handle: string;
  nonce: string;
  idToken: string;
  storageTarget: string | null;
  /** Answers count only from this origin. */
  authorizationOrigin: string;
  locale: string | null;
  /** The LMS's return address; not yet checked to be a web address. */
  returnUrl: string | null;
  /** For programs, and for people if the values can't be read. */
  refusal: LaunchRefusal;
};

/** The form field in which our page sends the browser value. An LMS never sends it. */
const browserField = "browser";

type AskingBrowser = {
  /** Whether the browser's cookie with this name has this value. */
  isSame: (handle: string, browserValue: string) => boolean;
  /** Whether our page sent the request. Otherwise the browser value doesn't count, since anyone can enter one elsewhere. */
  isFromOwnPage: () => boolean;
};

/** A launch whose login is known, and whose LMS's keys are there. */
type PreparedLaunch = Awaited<ReturnType<typeof prepareLaunch>>;

/** The LMS that a request names: by registration if our own login names it, otherwise as the request says. */
export type NamedLms = { registrationId: string | null; issuer: string | null; clientId: string | null };

const nameless: NamedLms = { registrationId: null, issuer: null, clientId: null };

/**
 * The LMS that a refused request names, without any proof. The refusal itself may name it. Null if the request has no token and names no
 * LMS, as when somebody opens the address by hand.
 */
export function namedLms(
  deps: LaunchCheckDeps,
  sources: readonly unknown[],
  thrown: unknown,
): NamedLms | null {
  const byRefusal = namesOf(thrown);
  if (byRefusal !== null) return byRefusal;
  try {
    const { iss = "", client_id: client = "", state, id_token: token = "" } = requestParameters(...sources);
    const login = looksLikeState(state) ? deps.loginStates.open(state) : null;
    if (login !== null) return { ...nameless, registrationId: login.registrationId };
    return iss + client + token === ""
      ? null
      : { ...nameless, issuer: iss || null, clientId: client || null };
  } catch {
    return nameless;
  }
}

function namesOf(thrown: unknown): NamedLms | null {
  const { registration, issuer, clientId } = thrown instanceof LaunchRefusal ? thrown.details : {};
  if (typeof registration === "string") return { ...nameless, registrationId: registration };
  if (typeof issuer !== "string") return null;
  return { ...nameless, issuer, clientId: typeof clientId === "string" ? clientId : null };
}

/** The part of a launch that needs no turn: parses the posted form, and waits for the LMS's keys. @throws LaunchRefusal */
export async function prepareLaunch(deps: LaunchCheckDeps, parameters: RequestParameters) {
  const { id_token: idToken, state } = parameters;
  if (idToken === undefined && state === undefined) throw new LaunchRefusal("not-a-launch");
  if (idToken && state === undefined) throw await withoutLogin(deps, idToken);
  if (!idToken || !looksLikeState(state)) throw new LaunchRefusal("request-malformed");
  const login = deps.loginStates.open(state);
  if (login === null) throw await withForeignState(deps, idToken);
  if (deps.clock.now() >= login.startedAt + launchLifetimeMs) throw new LaunchRefusal("launch-expired");
  const known = await deps.registrations.find(login.registrationId);
  if (known === null) throw new LaunchRefusal("platform-unknown");
  const registration = await calledBy(deps, idToken, known);
  if (!registration.active) throw new LaunchRefusal("platform-inactive", { registration: registration.id });
  const signer = await deps.verifier.signerOf({ idToken, registration });
  // The browser value that our page sent instead of the cookie.
  const presentedValue = parameters[browserField];
  return { idToken, state, login, registration, signer, presentedValue };
}

/** The LMS according to the token's client id, which may be one from an earlier registration. Nothing in the token is trusted yet. */
async function calledBy({ registrations }: LaunchCheckDeps, idToken: string, registration: Registration) {
  // The tool was registered only once, so there is no earlier registration.
  if (registration.renamedDeployments === undefined) return registration;
  const findByClient = (issuer: string, clientId: string) =>
    clientId === registration.clientId
      ? Promise.resolve(registration)
      : registrations.findByClient(issuer, clientId);
  const called = await claimedRegistration({ registrations: { findByClient } }, idToken).catch(
    (thrown: unknown) => {
      // Let the verifier say what is wrong with the token, because it knows more.
      if (thrown instanceof LaunchRefusal) return null;
      throw thrown;
    },
  );
  return called?.id === registration.id ? called : registration;
}

/**
 * Checks a launch in this order: state (in `prepareLaunch`), token, target, browser, first use, deployment. So the LMS can repeat a
 * broken answer, and nothing is stored before the signature is verified.
 * @returns an unbound launch if only the browser is in doubt and hasn't been asked for its value yet.
 * @throws LaunchRefusal
 */
export async function checkLaunch(
  deps: LaunchCheckDeps,
  { idToken, state, login, registration, signer, presentedValue }: PreparedLaunch,
  browser: AskingBrowser,
): Promise<CheckedLaunch | UnboundLaunch> {
  const bound =
    browser.isSame(login.handle, login.browserValue) ||
    (browser.isFromOwnPage() && isSameSecret(presentedValue ?? "", login.browserValue));
  const claims = await deps.verifier.verify({
    idToken,
    registration,
    nonce: login.nonce,
    requestedAt: login.startedAt,
    signer,
  });
  if (!bound && presentedValue !== undefined) throw new LaunchRefusal("browser-unknown");
  checkTarget(claims, login, deps.launchUrl);
  const claimed = launchOf(registration, claims);
  const launch = withAnswerTo(
    withCourseUrl(withReportedProduct(registration, claimed.product ?? null), claimed),
    login.answerTo,
  );
  // A launch that can no longer succeed must not be written into a page.
  if (!bound && (await deps.nonces.wasUsed(registration.id, login.nonce)))
    throw new LaunchRefusal("launch-used");
  if (!bound) return unbound({ ...login, state, idToken }, registration, launch);
  // An insert with a unique key: of all requests with this login only one gets in, whatever process they reach.
  const usableUntil = login.startedAt + launchLifetimeMs + clockDifferenceMs;
  const [, known] = await Promise.all([
    deps.nonces.use(registration.id, login.nonce, usableUntil),
    // Read in the same round trip.
    deps.deployments.find(registration.id, launch.deploymentId),
    deps.beginReads?.(registration, launch),
  ]);
  await admitDeployment(deps, registration, launch.deploymentId, known);
  return {
    bound: true,
    launch,
    registration,
    handle: login.handle,
    idToken,
    key: signer.key,
    ltijsAgrees: signer.alg === "RS256" && ltijsAgrees(claims, launch, deps.clock.now()),
  };
}

/** The launch, with its deployment's stored name. @throws LaunchRefusal "registration-replaced" */
function launchOf(registration: Registration, claims: LaunchClaims): Launch {
  const launch = launchFromClaims(registration.id, claims);
  const stored = { ...launch, deploymentId: storedDeployment(registration, launch.deploymentId) };
  if (registration.isFormer !== true) return stored;
  // Our answer would carry the newer client id, which this launch doesn't expect.
  if (launch.kind !== "resource-link") throw new LaunchRefusal("registration-replaced");
  return { ...stored, grades: null, membershipsUrl: null, groups: null, notices: null };
}

function withCourseUrl(registration: Registration, launch: Launch): Launch {
  const courseUrl = courseUrlOf(registration, launch);
  return { ...launch, presentation: { ...launch.presentation, courseUrl } };
}

/** Only a deep linking answer returns to the frame that opened the window. Opening a link stays in the window. */
function withAnswerTo(launch: Launch, answerTo: string | null): Launch {
  const { deepLinking } = launch;
  return deepLinking === null ? launch : { ...launch, deepLinking: { ...deepLinking, answerTo } };
}

/** If the state isn't ours, what is wrong with the token says more than the state. */
async function withForeignState(deps: LaunchCheckDeps, idToken: string): Promise<LaunchRefusal> {
  headerOf(idToken);
  await claimedRegistration(deps, idToken);
  return new LaunchRefusal("login-unknown", (await withoutLogin(deps, idToken)).details);
}

/**
 * Refuses a token that no login of ours requested. Moodle's app posts one if its feature "Launch via site" is disabled (moodle:
 * mod_lti_get_tool_launch_data). If the signature is right, the refusal names the LMS for the console, and the course.
 */
async function withoutLogin(deps: LaunchCheckDeps, idToken: string): Promise<LaunchRefusal> {
  let registration: Registration | null = null;
  let courseUrl: string | null = null;
  try {
    registration = await claimedRegistration(deps, idToken);
    const launch = launchFromClaims(
      registration.id,
      await deps.verifier.verifyWithoutLogin({ idToken, registration }),
    );
    courseUrl = courseUrlOf(withReportedProduct(registration, launch.product ?? null), launch);
  } catch (thrown) {
    if (!(thrown instanceof LaunchRefusal)) throw thrown;
    if (!provesLms(thrown.refusal)) registration = null;
  }
  const named = registration === null ? {} : { registration: registration.id };
  return new LaunchRefusal("launch-without-login", named, undefined, courseUrl);
}

function unbound(
  { state, handle, nonce, idToken, storageTarget }: OpenedLogin & Pick<UnboundLaunch, "state" | "idToken">,
  registration: Registration,
  launch: Launch,
): UnboundLaunch {
  const { locale, returnUrl } = launch.presentation;
  return {
    bound: false,
    state,
    handle,
    nonce,
    idToken,
    storageTarget,
    authorizationOrigin: new URL(registration.authorizationUrl).origin,
    locale,
    returnUrl,
    refusal: new LaunchRefusal("browser-unknown"),
  };
}

/** Checks the signed target, which decides where a launch leads: it must be ours, and the page that the login asked for (Core, 5.3.3). */
function checkTarget(claims: LaunchClaims, login: OpenedLogin, launchUrl: string): void {
  const target = claims[claim.targetLinkUri] ?? "";
  if (target === "") {
    // Only a resource link must have a target. Deep Linking and submission review usually have one.
    if (claims[claim.messageType] !== "LtiResourceLinkRequest") return;
    throw new LaunchRefusal("launch-incomplete", { missing: "target_link_uri" });
  }
  if (!isOnOurHost(target, launchUrl)) throw new LaunchRefusal("target-foreign");
  if (!login.hasTarget(target)) throw new LaunchRefusal("target-changed");
}

/** Admits a deployment that is accepted, or a new one if the LMS accepts those. @throws LaunchRefusal "deployment-refused" */
export async function admitDeployment(
  deps: Pick<LaunchCheckDeps, "deployments" | "clock">,
  registration: Registration,
  deploymentId: string,
  known: Deployment | null = null,
): Promise<void> {
  const first: Deployment = {
    registrationId: registration.id,
    deploymentId,
    // A refused deployment is stored, too, so an administrator sees it and can accept it.
    status: registration.newDeployments === "accept" ? "accepted" : "refused",
    firstSeenAt: deps.clock.now(),
  };
  const deployment = known ?? (await deps.deployments.record(first));
  if (deployment.status === "refused") {
    throw new LaunchRefusal("deployment-refused", {
      registration: registration.id,
      deployment: deploymentId,
    });
  }
}

/** ltijs 5.9.9 refuses anonymous launches, submission reviews, clocks that differ by a second, and algorithms other than RS256. */
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
 * The refusal when the LMS sends an error instead of a token (OpenID Connect Core, 3.1.2.6). Leaves out its text, which may contain
 * names. @param framed In a frame, "not logged in" often means that the browser blocked the LMS's own cookie.
 */
export function platformError(error: string, framed: boolean): LaunchRefusal {
  const known = /^[\w-]{1,64}$/.test(error) ? error : "unreadable";
  const code = platformErrors.get(known) ?? "platform-refused";
  return new LaunchRefusal(code === "platform-login-required" && framed ? "platform-login-hidden" : code, {
    platformError: known,
  });
}
