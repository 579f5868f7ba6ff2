import { KeyObject } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import type { Launch } from "../domain/launch.ts";
import type { Registration } from "../domain/registration.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { isFromOwnPage, readForm } from "../kernel/read-form.ts";
import { createBrowserCookie, createLoginStates } from "./login-state.ts";
import { type Arrival, createTurnstile, type TurnstileLimits } from "../kernel/turnstile.ts";
import { LaunchRefusal } from "../domain/launch-refusal.ts";
import {
  type CheckedLaunch,
  checkLaunch,
  type NamedLms,
  namedLms,
  platformError,
  prepareLaunch,
  type UnboundLaunch,
} from "./launch-request.ts";
import type { LaunchVerifier } from "./launch-verifier.ts";
import {
  answerLogin,
  beginAgain,
  checkLogin,
  type PageLogin,
  type RequestParameters,
  requestParameters,
} from "./login-request.ts";
import { createLtijsEngine } from "./ltijs-engine.ts";
import type { DeploymentPort, NoncePort, RegistrationPort } from "./ports.ts";
import type { ToolKeys } from "./tool-keys.ts";
import { maxBodyBytes } from "./limits.ts";

export type LtiProviderDeps = {
  registrations: RegistrationPort;
  deployments: DeploymentPort;
  nonces: NoncePort;
  toolKeys: ToolKeys;
  verifier: LaunchVerifier;
  /** Where browsers reach the tool, without a trailing slash. */
  publicUrl: string;
  /** States are sealed with it, and ltijs gets a key derived from it. */
  secretKey: string;
  /** Logins that started under this key are still valid. */
  secretKeyPrevious: string | undefined;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** For a launch with a verified token: starts to read what `onLaunch` needs. It must not change anything yet. */
  beginReads?: (registration: Registration, launch: Launch) => Promise<unknown>;
  /** For a browser that may not store a cookie: shows the page that continues the login. */
  onKeep: (login: PageLogin, request: Request, response: Response) => void | Promise<void>;
  /** For a genuine launch without our cookie: shows the page that asks for the browser value, or refuses. */
  onResume: (launch: ResumedLaunch, request: Request, response: Response) => void | Promise<void>;
  /**
   * For a launch that passed every check, with its registration.
   * @param order.cameAt When the launch arrived (ms).
   * @param order.onPlaced Call it when the order of launches no longer matters, at the latest at the end.
   */
  onLaunch: (
    launch: Launch,
    request: Request,
    response: Response,
    registration: Registration,
    order: { cameAt: number; onPlaced: () => void },
  ) => Promise<void>;
  /** For a refused login or launch: shows message and status. @param lms The LMS that the request names; null as for `namedLms`. */
  onRefused: (
    refusal: LaunchRefusal,
    request: Request,
    response: Response,
    lms: NamedLms | null,
  ) => void | Promise<void>;
  /** For any unexpected error, including those of `onLaunch`. */
  onError: (error: unknown, request: Request, response: Response) => void | Promise<void>;
  /** Default: `launchTurns`. */
  turns?: Partial<TurnstileLimits>;
};

/**
 * Launches run a few at a time, and those of an LMS in order of arrival. If all started together, each would take as long as all of
 * them. More than eight lose the order; fewer leave a distant database idle. A launch that would wait too long is refused.
 */
const launchTurns: TurnstileLimits = { atOnce: 8, maxWaiting: 3_000, turnLasts: 5_000 };

/** A launch whose browser we haven't recognised yet. */
export type ResumedLaunch = UnboundLaunch & {
  /** Whether posting it again from our own page may send the cookie. */
  postAgain: boolean;
};

const form = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** A request for one of our paths. */
type Visit = {
  request: Request;
  response: Response;
  /** Whether the answer is shown in a frame (Fetch Metadata). */
  framed: boolean;
};

/**
 * ltijs behind a guard: it only sees requests that we have checked, and stores nothing (record 0002). Alone, it accepts foreign nonces
 * and used states, a crafted request ends the process, and it fetches keys without a time limit.
 */
export function createLtiProvider(deps: LtiProviderDeps) {
  const launchUrl = `${deps.publicUrl}/lti/launch`;
  const cookie = createBrowserCookie(launchUrl);
  const loginStates = createLoginStates(deps);
  const loginDeps = { ...deps, launchUrl, loginStates };
  const turnstile = createTurnstile(deps.clock, { ...launchTurns, ...deps.turns });
  const arrivals = new WeakMap<Visit, { cameAt: number; arrival: Arrival }>();
  const ltijs = createLtijsEngine({
    secretKey: deps.secretKey,
    secureCookies: launchUrl.startsWith("https:"),
  });
  const readBody = readForm({ maxBytes: maxBodyBytes });

  const fail = async (visit: Visit, thrown: unknown): Promise<void> => {
    const { request, response } = visit;
    const lms = namedLms(loginDeps, [request.query, request.body], thrown);
    forgetForm(request);
    try {
      if (response.headersSent) throw thrown;
      const refusal = asRefusal(thrown);
      if (refusal === null) await deps.onError(thrown, request, response);
      else await deps.onRefused(refusal, request, response, lms);
    } catch (second) {
      deps.logger.error({ error: messageOf(second) }, "answering a failed launch failed");
      if (!response.headersSent) response.status(500);
      response.end();
    } finally {
      arrivals.get(visit)?.arrival.end();
    }
  };

  const deliver = async (
    visit: Visit,
    { launch, registration }: Pick<CheckedLaunch, "launch" | "registration">,
  ): Promise<void> => {
    const arrival = arrivals.get(visit);
    const onPlaced = () => arrival?.arrival.end();
    forgetForm(visit.request);
    const order = { cameAt: arrival?.cameAt ?? deps.clock.now(), onPlaced };
    await deps.onLaunch(launch, visit.request, visit.response, registration, order);
    onPlaced();
  };

  const login = async ({ request, response, framed }: Visit): Promise<void> => {
    const checked = await checkLogin(
      loginDeps,
      requestParameters(request.query, request.body),
      isFromOwnPage(request, launchUrl) === true,
    );
    // We don't set ltijs's own cookie, which lasts a minute and isn't bound to a browser.
    const location = await ltijs.loginLocation(checked.registration, checked.forLtijs);
    const answer = answerLogin(loginDeps, checked, location);
    cookie.set(response, answer.handle, answer.browserValue);
    response.setHeader("cache-control", "no-store");
    forgetForm(request);
    const { storageTarget, opensLink } = checked;
    const again = beginAgain(checked, answer.browserValue);
    if (framed || storageTarget !== null) {
      const begunHere = framed && checked.answerTo !== null;
      const page = { storageTarget, opensLink, again, begunHere };
      const pageLogin = { ...answer, ...page, cookieAttributes: cookie.attributes };
      await deps.onKeep(pageLogin, request, response);
    } else {
      response.redirect(302, answer.location);
    }
  };

  const launch = async (visit: Visit): Promise<void> => {
    const { request, response } = visit;
    response.setHeader("cache-control", "no-store");
    const parameters = launchParameters(request);
    if (parameters["error"] !== undefined) throw platformError(parameters["error"], visit.framed);
    const prepared = await prepareLaunch(loginDeps, parameters);
    const turn = (await arrivals.get(visit)?.arrival.turn(prepared.registration.id)) ?? "begun";
    if (turn === "left") return;
    if (turn === "full") throw new LaunchRefusal("launches-many");
    const checked = await checkLaunch(loginDeps, prepared, {
      isSame: (handle, value) => cookie.matches(request, handle, value),
      isFromOwnPage: () => isFromOwnPage(request, launchUrl) === true,
    });
    if (!checked.bound) {
      forgetForm(request);
      await deps.onResume({ ...checked, postAgain: cookie.ownSiteOnly }, request, response);
      arrivals.get(visit)?.arrival.end();
      return;
    }
    const { registration, handle, idToken, key } = checked;
    cookie.clear(response, handle);
    if (checked.ltijsAgrees) await ltijs.check(registration, KeyObject.from(key), idToken);
    await deliver(visit, checked);
  };

  const keys = async ({ response }: Visit): Promise<void> => {
    const set = { keys: await deps.toolKeys.publicKeys() };
    // A short time, because a platform may verify our first message right after the key was made.
    response.setHeader("cache-control", "public, max-age=60");
    response.status(200).json(set);
  };

  return {
    /** Mount at "/lti", before any body parser. Handles /login (GET, POST), /launch and /keys; other paths go to the next handler. */
    router: (request: Request, response: Response, next: NextFunction) => {
      const path = openPath(request.path);
      if (path === null || !["GET", "HEAD", "POST"].includes(request.method)) {
        next();
        return;
      }
      const framed = /^i?frame$/.test(request.headers["sec-fetch-dest"]?.toString() ?? "");
      const visit: Visit = { request, response, framed };
      if (path === "/launch") {
        const arrival = turnstile.arrive();
        arrivals.set(visit, { cameAt: deps.clock.now(), arrival });
        response.once("close", arrival.giveUp);
      }
      const unacceptable = formProblem(request);
      if (unacceptable !== null) {
        response.setHeader("connection", "close");
        void fail(visit, unacceptable);
        return;
      }
      const answer = { "/login": login, "/launch": launch, "/keys": keys }[path];
      readBody(request, response, (error?: unknown) => {
        const unread = isParserError(error) ? new LaunchRefusal("request-malformed", {}, error) : error;
        const answered = unread === undefined ? answer(visit) : fail(visit, unread);
        answered.catch((thrown: unknown) => fail(visit, thrown));
      });
    },
  };
}

/** So that code that shows pages sees no token. */
function forgetForm(request: Request): void {
  request.body = undefined;
}

function openPath(path: string): "/login" | "/launch" | "/keys" | null {
  return path === "/login" || path === "/launch" || path === "/keys" ? path : null;
}

/** An LMS posts a small form. JSON could contain objects instead of texts. */
function formProblem(request: Request): LaunchRefusal | null {
  if (request.method !== "POST") return null;
  if (request.path === "/keys" || !form.test(request.headers["content-type"] ?? "")) {
    return new LaunchRefusal("request-malformed", { contentType: "not a form" });
  }
  const length = Number(request.headers["content-length"] ?? 0);
  return length > maxBodyBytes ? new LaunchRefusal("request-malformed", { bytes: length }) : null;
}

/** A token only counts if it comes in a form (`response_mode=form_post`). An error may also come in the address. */
function launchParameters(request: Request): RequestParameters {
  if (request.method === "POST") return requestParameters(request.body);
  const { error } = requestParameters(request.query);
  return error === undefined ? {} : { error };
}

/** Errors of the form parser have an HTTP status below 500. */
function isParserError(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "status" in error &&
    typeof error.status === "number" &&
    error.status < 500
  );
}

function asRefusal(thrown: unknown): LaunchRefusal | null {
  if (thrown instanceof LaunchRefusal) return thrown;
  if (thrown instanceof NamedError && thrown.code === "nonce-used") return new LaunchRefusal("launch-used");
  return null;
}
