import { AsyncLocalStorage } from "node:async_hooks";
import { hkdfSync, KeyObject } from "node:crypto";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { type LtijsHandler, Provider } from "ltijs";
import type { Launch } from "../domain/launch.ts";
import type { Registration } from "../domain/registration.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { createBrowserCookie } from "./browser-cookie.ts";
import { type Arrival, createTurnstile, type TurnstileLimits } from "../kernel/turnstile.ts";
import { LaunchRefusal } from "./launch-refusal.ts";
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
import { answerLogin, beginAgain, checkLogin, type KeptLogin, type Login } from "./login-request.ts";
import { createLoginStates } from "./login-state.ts";
import { createLtijsDatabase, type LtijsScope } from "./ltijs-database.ts";
import { enterLtijs, ltijsReason, type LtijsVisit } from "./ltijs-visit.ts";
import { isFromOwnPage } from "./own-page.ts";
import type { DeploymentPort, NoncePort, RegistrationPort } from "./ports.ts";
import { type RequestParameters, requestParameters } from "./request-parameters.ts";
import type { ToolKeys } from "./tool-keys.ts";
import { launchLifetimeMs, maxBodyBytes } from "./limits.ts";

export type LtiProviderDeps = {
  registrations: RegistrationPort;
  deployments: DeploymentPort;
  nonces: NoncePort;
  toolKeys: ToolKeys;
  verifier: LaunchVerifier;
  /** Where browsers reach the tool, without a trailing slash. */
  publicUrl: string;
  /** ltijs gets a key derived from SECRET_KEY, and states are sealed under it. */
  secretKey: string;
  /** Logins that began under it still count. */
  secretKeyPrevious: string | undefined;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** For a browser that may keep no cookie: shows the page that continues the login. */
  onKeep: (login: KeptLogin, request: Request, response: Response) => void | Promise<void>;
  /** For a genuine launch without a cookie: shows the page that asks for the browser value, or refuses. */
  onResume: (launch: ResumedLaunch, request: Request, response: Response) => void | Promise<void>;
  /**
   * For a launch that passed every check, with its registration.
   * @param order.cameAt When the launch came.
   * @param order.onPlaced To be called when nothing more depends on the order of launches, at the latest at the end.
   */
  onLaunch: (
    launch: Launch,
    request: Request,
    response: Response,
    registration: Registration,
    order: { cameAt: number; onPlaced: () => void },
  ) => Promise<void>;
  /** For a refused login or launch: shows message and status. @param lms That the request names. */
  onRefused: (
    refusal: LaunchRefusal,
    request: Request,
    response: Response,
    lms: NamedLms,
  ) => void | Promise<void>;
  /** For anything unexpected, also thrown by `onLaunch`. */
  onError: (error: unknown, request: Request, response: Response) => void | Promise<void>;
  /** `launchTurns` when left out. */
  turns?: Partial<TurnstileLimits>;
};

/**
 * Launches run a few at a time, in order of arrival: all at once would each take as long as all together. More than
 * eight lose the order, fewer leave a distant database idle. Too long a wait is refused instead.
 */
const launchTurns: TurnstileLimits = { atOnce: 8, mostWaiting: 3_000, turnLasts: 5_000 };

/** A launch whose browser is still to be recognised. */
export type ResumedLaunch = UnboundLaunch & {
  /** Whether posting it again from our own page may bring the cookie along. */
  postAgain: boolean;
};

export type LtiProvider = {
  /** Mount at "/lti", before any body parser: /login (GET, POST), /launch and /keys; other paths go on. */
  router: RequestHandler;
  close: () => Promise<void>;
};

const form = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * ltijs behind a guard: it sees only checked requests and stores nothing (record 0002). By itself it accepts foreign
 * nonces and used states, ends the process on a crafted request, and fetches keys without a time limit.
 */
export function createLtiProvider(deps: LtiProviderDeps): LtiProvider {
  const launchUrl = `${deps.publicUrl}/lti/launch`;
  const cookie = createBrowserCookie(launchUrl);
  const loginStates = createLoginStates(deps);
  const loginDeps = { ...deps, launchUrl, loginStates };
  const turnstile = createTurnstile(deps.clock, { ...launchTurns, ...deps.turns });
  const arrivals = new WeakMap<LtijsVisit, { cameAt: number; place: Arrival }>();
  const scope = new AsyncLocalStorage<LtijsScope>();
  const visits = new WeakMap<object, LtijsVisit>();

  const fail = async (visit: LtijsVisit, thrown: unknown): Promise<void> => {
    const { request, response, query } = visit;
    const lms = namedLms(loginDeps, [query, request.body]);
    visit.leave();
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
      arrivals.get(visit)?.place.end();
    }
  };

  const deliver = async (
    visit: LtijsVisit,
    { launch, registration }: Pick<CheckedLaunch, "launch" | "registration">,
  ): Promise<void> => {
    visit.leave();
    const arrival = arrivals.get(visit);
    const onPlaced = () => arrival?.place.end();
    const order = { cameAt: arrival?.cameAt ?? deps.clock.now(), onPlaced };
    await deps.onLaunch(launch, visit.request, visit.response, registration, order);
    onPlaced();
  };

  const login = async (visit: LtijsVisit, next: () => void): Promise<void> => {
    const { request, response } = visit;
    const checked = await checkLogin(
      loginDeps,
      requestParameters(visit.query, request.body),
      isFromOwnPage(request, launchUrl),
    );
    Object.defineProperty(request, "query", { value: {}, configurable: true, writable: true });
    request.body = checked.forLtijs;
    // ltijs sets its own cookie (a minute, unbound) and redirects at once; ours replace both.
    const setCookie = response.cookie.bind(response);
    const redirected = (location: string) => {
      finishLogin(visit, setCookie, checked, location).catch((thrown: unknown) => fail(visit, thrown));
    };
    Object.defineProperty(response, "cookie", { value: () => response, configurable: true });
    Object.defineProperty(response, "redirect", { value: redirected, configurable: true });
    const { registration } = checked;
    scope.run({ registration, key: null, launch: null }, next);
  };

  const finishLogin = async (
    visit: LtijsVisit,
    setCookie: Response["cookie"],
    checked: Login,
    location: string,
  ): Promise<void> => {
    const answer = answerLogin(loginDeps, checked, location);
    cookie.set({ cookie: setCookie }, answer.handle, answer.browserValue);
    visit.leave();
    visit.response.setHeader("cache-control", "no-store");
    const { storageTarget } = checked;
    const again = beginAgain(checked, answer.browserValue);
    if (visit.framed || storageTarget !== null) {
      const kept = { ...answer, storageTarget, again, cookieAttributes: cookie.attributes };
      await deps.onKeep(kept, visit.request, visit.response);
    } else {
      visit.response.redirect(302, answer.location);
    }
  };

  const launch = async (visit: LtijsVisit, next: () => void): Promise<void> => {
    const { request, response } = visit;
    response.setHeader("cache-control", "no-store");
    const parameters = launchParameters(visit);
    if (parameters["error"] !== undefined) throw platformError(parameters["error"], visit.framed);
    const prepared = await prepareLaunch(loginDeps, parameters);
    const turn = (await arrivals.get(visit)?.place.turn()) ?? "begun";
    if (turn === "left") {
      visit.leave();
      return;
    }
    if (turn === "full") throw new LaunchRefusal("launches-many");
    const checked = await checkLaunch(loginDeps, prepared, {
      isSame: (handle, value) => cookie.matches(request, handle, value),
      fromOwnPage: isFromOwnPage(request, launchUrl),
    });
    if (!checked.bound) {
      visit.leave();
      await deps.onResume({ ...checked, postAgain: cookie.ownSiteOnly }, visit.request, visit.response);
      arrivals.get(visit)?.place.end();
      return;
    }
    const { registration, handle } = checked;
    cookie.clear(response, handle);
    if (!checked.ltijsAgrees) {
      await deliver(visit, checked);
      return;
    }
    request.body = { id_token: checked.idToken, state: handle };
    request.signedCookies = { [`state${handle}`]: registration.issuer };
    Object.defineProperty(response, "clearCookie", { value: () => response, configurable: true });
    const key = KeyObject.from(checked.key);
    scope.run({ registration, key, launch: checked.launch }, next);
  };

  const keys = async ({ response, leave }: LtijsVisit): Promise<void> => {
    const set = { keys: await deps.toolKeys.publicKeys() };
    leave();
    // Short: a platform that verifies our first message fetches the set right after the key was made.
    response.setHeader("cache-control", "public, max-age=60");
    response.status(200).json(set);
  };

  const guard: LtijsHandler = (request, response, next) => {
    const visit = visits.get(request);
    if (visit === undefined) {
      response.statusCode = 404;
      response.end();
      return;
    }
    visit.dropHeaders();
    request.token = undefined; // no ltik is ever honoured
    const answer = { "/login": login, "/launch": launch, "/keys": keys }[openPath(request.path) ?? "/keys"];
    answer(visit, next).catch((thrown: unknown) => fail(visit, thrown));
  };

  const connected = (_token: unknown, request: object): void => {
    const visit = visits.get(request);
    const { launch = null, registration } = scope.getStore() ?? {};
    if (visit === undefined || launch === null || registration === undefined)
      throw new Error("a launch reached ltijs past the guard");
    deliver(visit, { launch, registration }).catch((thrown: unknown) => fail(visit, thrown));
  };
  const refused: LtijsHandler = (request, response) => {
    const visit = visits.get(request);
    if (visit === undefined) {
      response.end();
      return;
    }
    const why: unknown = "locals" in response ? response.locals : undefined;
    void fail(visit, new LaunchRefusal("token-malformed", { ltijs: ltijsReason(why) }));
  };

  const ltijs = new Provider.constructor();
  ltijs.setup(
    Buffer.from(hkdfSync("sha256", deps.secretKey, "spaces-lti", "ltijs", 32)).toString("hex"),
    { plugin: createLtijsDatabase(scope) },
    {
      appRoute: "/launch",
      loginRoute: "/login",
      keysetRoute: "/keys",
      cors: false,
      ltiaas: true,
      devMode: false,
      // The age is checked against our own state; ltijs must not be stricter.
      tokenMaxAge: launchLifetimeMs / 1000 + 120,
      cookies: { secure: launchUrl.startsWith("https:"), sameSite: "None" },
      serverAddon: (app) => app.use(guard),
    },
  );
  ltijs.onConnect(connected);
  ltijs.onDeepLinking(connected);
  ltijs.onInvalidToken(refused);
  ltijs.onSessionTimeout(refused);
  ltijs.onUnregisteredPlatform(refused);
  ltijs.onInactivePlatform(refused);
  // `deploy()` is not called: in serverless mode it would only add a SIGINT handler that ends the process.

  return {
    router: (request: Request, response: Response, next: NextFunction) => {
      if (openPath(request.path) === null || !["GET", "HEAD", "POST"].includes(request.method)) {
        next();
        return;
      }
      const visit = enterLtijs(request, response);
      visits.set(request, visit);
      if (request.path === "/launch") {
        const arrival = turnstile.arrive();
        arrivals.set(visit, { cameAt: deps.clock.now(), place: arrival });
        response.once("close", arrival.giveUp);
      }
      const unacceptable = formProblem(request);
      if (unacceptable !== null) {
        response.setHeader("connection", "close");
        void fail(visit, unacceptable);
        return;
      }
      ltijs.app(request, response, (error) => {
        visit.dropHeaders();
        if (error === undefined) {
          visit.leave();
          next();
        } else {
          void fail(visit, isParserError(error) ? new LaunchRefusal("request-malformed", {}, error) : error);
        }
      });
    },
    close: () => Promise.resolve(),
  };
}

function openPath(path: string): "/login" | "/launch" | "/keys" | null {
  return path === "/login" || path === "/launch" || path === "/keys" ? path : null;
}

/** An LMS posts a small form; JSON would bring objects where text is expected. */
function formProblem(request: Request): LaunchRefusal | null {
  if (request.method !== "POST") return null;
  if (request.path === "/keys" || !form.test(request.headers["content-type"] ?? "")) {
    return new LaunchRefusal("request-malformed", { contentType: "not a form" });
  }
  const length = Number(request.headers["content-length"] ?? 0);
  return length > maxBodyBytes ? new LaunchRefusal("request-malformed", { bytes: length }) : null;
}

/** A token counts only from a form (`response_mode=form_post`); an error may also come by address. */
function launchParameters({ request, query }: LtijsVisit): RequestParameters {
  if (request.method === "POST") return requestParameters(request.body);
  const { error } = requestParameters(query);
  return error === undefined ? {} : { error };
}

/** Errors of the body parser carry an HTTP status below 500. */
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
