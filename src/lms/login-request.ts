import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { shortDigest } from "../kernel/ids.ts";
import { cutTo } from "../kernel/text.ts";
import { LaunchRefusal } from "../domain/launch-refusal.ts";
import { maxParameterLength, maxTargetLength } from "./limits.ts";
import type { LoginStates, OpenedLogin } from "./login-state.ts";
import type { RegistrationPort } from "./ports.ts";
import { productOf } from "./products/products.ts";

/** A request's parameters: each name once, each value a text. */
export type RequestParameters = Readonly<Record<string, string>>;

/**
 * Query and form parameters as text; the form wins.
 * @throws LaunchRefusal "request-malformed" for repeated names and values that aren't text, which could reach a database as operators
 * or a cookie as part of its name.
 */
export function requestParameters(...sources: readonly unknown[]): RequestParameters {
  const entries: [string, string][] = [];
  for (const source of sources) {
    if (source === undefined || source === null) continue;
    if (typeof source !== "object" || Array.isArray(source)) throw new LaunchRefusal("request-malformed");
    for (const [name, value] of Object.entries(source)) {
      if (typeof value !== "string" || value.length > maxParameterLength || /[[\]$]/.test(name)) {
        throw new LaunchRefusal("request-malformed", { parameter: cutTo(name, 40) });
      }
      entries.push([name, value]);
    }
  }
  return Object.fromEntries(entries);
}

/** Whether a state is URL-safe base64, as ours are. ltijs puts it into the name of a cookie. */
export function looksLikeState(state: string | undefined): state is string {
  return state !== undefined && /^[\w-]{1,2048}$/.test(state);
}

export type LoginDeps = {
  registrations: RegistrationPort;
  loginStates: LoginStates;
  clock: Clock;
  /** `${publicUrl}/lti/launch`, the only redirect URI. */
  launchUrl: string;
};

/** A checked login initiation (LTI Core 1.3, section 5.1.1). */
type Login = {
  registration: Registration;
  targetLinkUri: string;
  /** The frame that stores values for us (`lti_storage_target`); null for none. */
  storageTarget: string | null;
  /** Digest of the key of our frame that opened this window and waits for an answer; null for most logins. */
  answerTo: string | null;
  /** Whether the LMS says that this login opens a link, so no dialog of the LMS waits for content. */
  opensLink: boolean;
  /** Parameters that start the same login again, in a separate window. */
  again: Record<string, string>;
  /** What ltijs gets instead of the request's parameters. */
  forLtijs: Record<string, string>;
};

/** Where the browser goes next, and what it must send back. */
type LoginAnswer = Pick<OpenedLogin, "handle" | "nonce" | "browserValue"> & {
  location: string;
  /** Origin of the registered authorization address. Only this origin may store our values. */
  authorizationOrigin: string;
};

/**
 * A login that our page continues, because the browser may not store a cookie. The page puts handle, nonce and browser value into the
 * LMS's platform storage (1EdTech LTI postMessage Storage), or opens a new window.
 */
export type PageLogin = LoginAnswer &
  Pick<Login, "storageTarget" | "again" | "opensLink"> & {
    /** Attributes of the cookie that we also set, so the page can try whether it works. */
    cookieAttributes: string;
    /** The button of an earlier such page led here: the new window opened inside the frame, as in some apps. */
    begunHere: boolean;
  };

/** The form field of our frame that opens a window and waits. An LMS never sends it. */
const answerToField = "answer_to";

/**
 * Checks a login request, sent by GET or POST.
 * @param fromOwnPage Whether our page sent it. Only such a page may get an answer; otherwise any site could start a login and fetch the
 * answer.
 * @throws LaunchRefusal for missing parameters, an LMS that is unknown, ambiguous or turned off, and a foreign target.
 */
export async function checkLogin(deps: LoginDeps, parameters: RequestParameters, fromOwnPage: boolean) {
  const { iss, login_hint: loginHint, target_link_uri: targetLinkUri } = parameters;
  if (!iss || !loginHint || !targetLinkUri) throw new LaunchRefusal("login-incomplete");
  const registration = await registrationFor(deps, iss, parameters["client_id"]);
  if (!isOnOurHost(targetLinkUri, deps.launchUrl)) throw new LaunchRefusal("target-foreign");
  // The page that starts the login again contains it. None of our addresses is this long.
  if (targetLinkUri.length > maxTargetLength)
    throw new LaunchRefusal("request-malformed", { parameter: "target_link_uri" });
  const passedOn = only(parameters, ["lti_message_hint", "lti_deployment_id"]);
  return {
    registration,
    targetLinkUri,
    storageTarget: frameName(parameters["lti_storage_target"]),
    answerTo: fromOwnPage ? digestFrom(parameters[answerToField]) : null,
    opensLink: productOf(registration).links.opensLink(parameters["lti_message_hint"] ?? ""),
    // Without the storage target, because a new window has no LMS page around it to ask.
    again: { ...passedOn, ...only(parameters, ["iss", "login_hint", "target_link_uri", "client_id"]) },
    forLtijs: {
      ...passedOn,
      iss,
      login_hint: loginHint,
      client_id: registration.clientId,
      // ltijs makes its redirect address from this, so it is ours whatever the request says.
      target_link_uri: deps.launchUrl,
    },
  };
}

/** Completes the address from ltijs with our state, with our nonce in place of its guessable one, and with the registered query. */
export function answerLogin(deps: LoginDeps, login: Login, ltijsLocation: string): LoginAnswer {
  const { registration } = login;
  const location = new URL(registration.authorizationUrl);
  for (const [name, value] of new URL(ltijsLocation).searchParams) location.searchParams.set(name, value);
  const { state, ...made } = deps.loginStates.seal({
    registrationId: registration.id,
    targetLinkUri: login.targetLinkUri,
    storageTarget: login.storageTarget,
    answerTo: login.answerTo,
    startedAt: deps.clock.now(),
  });
  location.searchParams.set("state", state);
  location.searchParams.set("nonce", made.nonce);
  location.search = location.searchParams.toString().replaceAll("+", "%20");
  return { ...made, location: location.href, authorizationOrigin: location.origin };
}

/** Whether an address has our scheme, host and port. */
export function isOnOurHost(address: string, ownAddress: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.username === "" && url.origin === new URL(ownAddress).origin;
}

function only(parameters: RequestParameters, names: readonly string[]): Record<string, string> {
  const named = new Set(names);
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => named.has(name)));
}

/**
 * The form that starts a login again in a separate window.
 * @param browserValue The key with which the frame that opens the window fetches the answer.
 */
export function beginAgain(login: Login, browserValue: string): Record<string, string> {
  return { ...login.again, [answerToField]: shortDigest(browserValue) };
}

function digestFrom(given: string | undefined): string | null {
  return given !== undefined && /^[\w-]{16}$/.test(given) ? given : null;
}

function frameName(given: string | undefined): string | null {
  return given === undefined || given === "" || given.length > 255 ? null : given;
}

async function registrationFor(deps: LoginDeps, issuer: string, clientId: string | undefined) {
  if (clientId) {
    const found = await deps.registrations.findByClient(issuer, clientId);
    if (found === null) throw new LaunchRefusal("platform-unknown");
    if (!found.active) throw new LaunchRefusal("platform-inactive", { registration: found.id });
    return found;
  }
  const all = await deps.registrations.listByIssuer(issuer);
  const active = all.filter((registration) => registration.active);
  const [only] = active;
  if (only === undefined) throw new LaunchRefusal(all.length > 0 ? "platform-inactive" : "platform-unknown");
  if (active.length > 1) throw new LaunchRefusal("client-id-missing");
  return only;
}
