import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { shortDigest } from "../kernel/ids.ts";
import { cutTo } from "../kernel/text.ts";
import { LaunchRefusal } from "./launch-refusal.ts";
import { maxParameterLength, maxTargetLength } from "./limits.ts";
import type { LoginStates, OpenedLogin } from "./login-state.ts";
import type { RegistrationPort } from "./ports.ts";
import { productOf } from "./products/products.ts";

/** Each name once, each value text. */
export type RequestParameters = Readonly<Record<string, string>>;

/**
 * Query and form parameters as text; the form wins.
 * @throws LaunchRefusal "request-malformed" for repeated names and non-text values: they would reach a database as
 *   operators and a cookie as part of its name.
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

/** URL-safe base64, as ours. ltijs puts it into the name of a cookie. */
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
  /** The frame that keeps values for us (`lti_storage_target`); null for none. */
  storageTarget: string | null;
  /** Digest of the key of our frame that opened this window and waits for the answer; null for most logins. */
  answerTo: string | null;
  /** Whether the LMS says that this login opens a link: then no dialog of the LMS waits for content. */
  opensLink: boolean;
  /** Parameters to begin the same login again, in its own window. */
  again: Record<string, string>;
  /** ltijs gets these in place of the request's parameters. */
  forLtijs: Record<string, string>;
};

/** Where the browser goes next, and what it must bring back. */
type LoginAnswer = Pick<OpenedLogin, "handle" | "nonce" | "browserValue"> & {
  location: string;
  /** Origin of the registered authorization address, the only one that may keep our values. */
  authorizationOrigin: string;
};

/**
 * A login continued by our page, because the browser may keep no cookie: the page puts handle, nonce and browser value
 * into the LMS's platform storage (1EdTech LTI postMessage Storage), or opens a new window.
 */
export type PageLogin = LoginAnswer &
  Pick<Login, "storageTarget" | "again" | "opensLink"> & {
    /** Attributes of the cookie that was set as well, for the page to try. */
    cookieAttributes: string;
    /** By the button of an earlier such page: the window it asked for opened in the frame, as in some apps. */
    begunHere: boolean;
  };

/** Form field of our frame that opens a window and waits; an LMS never sends it. */
const answerToField = "answer_to";

/**
 * Checks a login initiation, sent by GET or POST.
 * @param fromOwnPage Whether our page sent it: only to such a page an answer may go, else any site could begin a login
 *   and fetch it.
 * @throws LaunchRefusal for missing parameters, an LMS that is unknown, ambiguous or switched off, and a foreign
 *   target.
 */
export async function checkLogin(deps: LoginDeps, parameters: RequestParameters, fromOwnPage: boolean) {
  const { iss, login_hint: loginHint, target_link_uri: targetLinkUri } = parameters;
  if (!iss || !loginHint || !targetLinkUri) throw new LaunchRefusal("login-incomplete");
  const registration = await registrationFor(deps, iss, parameters["client_id"]);
  if (!isOnOurHost(targetLinkUri, deps.launchUrl)) throw new LaunchRefusal("target-foreign");
  // It goes into the page that begins the login again; no address of ours is as long.
  if (targetLinkUri.length > maxTargetLength)
    throw new LaunchRefusal("request-malformed", { parameter: "target_link_uri" });
  const passedOn = only(parameters, ["lti_message_hint", "lti_deployment_id"]);
  return {
    registration,
    targetLinkUri,
    storageTarget: frameName(parameters["lti_storage_target"]),
    answerTo: fromOwnPage ? digestFrom(parameters[answerToField]) : null,
    opensLink: productOf(registration).links.opensLink(parameters["lti_message_hint"] ?? ""),
    // Without the storage target: a new window has no LMS page around it that could be asked.
    again: { ...passedOn, ...only(parameters, ["iss", "login_hint", "target_link_uri", "client_id"]) },
    forLtijs: {
      ...passedOn,
      iss,
      login_hint: loginHint,
      client_id: registration.clientId,
      // ltijs makes its redirect URI from this; it is ours whatever the request says.
      target_link_uri: deps.launchUrl,
    },
  };
}

/** Completes ltijs's address: our own state, our nonce for its guessable one, and the registered query. */
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

/** Same scheme, host and port as our own. */
export function isOnOurHost(address: string, ownAddress: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.username === "" && url.origin === new URL(ownAddress).origin;
}

function only(parameters: RequestParameters, names: readonly string[]): Record<string, string> {
  const named = new Set(names);
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => named.has(name)));
}

/**
 * The form that begins a login again in its own window.
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
