import { join } from "node:path";
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { leaveUnread } from "../kernel/read-form.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { MountPoint } from "../module.ts";
import { type ErrorPageDeps, showError } from "./error-page.ts";
import { keepFormsHere } from "./form-targets.ts";
import { frontPageRoutes } from "./front-page.ts";
import type { Framing } from "./framing.ts";
import { reloadRedirects } from "./reload-redirects.ts";
import { ownFormsOnly } from "./own-forms-only.ts";
import { peopleFirst } from "./people-first.ts";
import { rateLimitRoutes } from "./rate-limit-routes.ts";
import { readerLocale } from "./reader-locale.ts";
import { renderTemplate } from "./render-template.ts";
import { type AnsweredRequest, requestLog } from "./request-log.ts";
import { securityHeaders } from "./security-headers.ts";
import { type SecurityTxtDeps, securityTxtRoutes } from "./security-txt.ts";
import type { TranslatorOf } from "./translate.ts";
import { watchRoutes } from "./watch-routes.ts";

export type WebAppDeps = Omit<ErrorPageDeps, "t"> & {
  translatorOf: TranslatorOf;
  clock: Clock;
  metrics: Metrics;
  framing: Pick<Framing, "remember">;
  /** See `sessionAddresses`. */
  sessionAddresses: RequestHandler;
  config: {
    trustProxy: boolean | number | string;
    logActors: boolean;
    /** One of them set: there is a console, and the front page leads to it. */
    adminPassword?: string | undefined;
    oidc?: object | null;
    /** Null: there is no mail, and pages do not speak of it. */
    mail?: object | null;
  } & SecurityTxtDeps["config"];
  /** Where browsers reach the tool: forms of other origins are refused; plain http is for development. */
  publicUrl: string;
};

export type MountedRoutes = (point: MountPoint) => readonly RequestHandler[];

/**
 * The whole HTTP front in order. "lti" comes before any body parser: ltijs reads bodies itself.
 * @param viewsFolder Folder of the templates and assets.
 */
export function createWebApp(deps: WebAppDeps, routes: MountedRoutes, viewsFolder: string): Express {
  const app = express();
  const mount = (point: MountPoint, path = "/") => {
    for (const handler of routes(point)) app.use(path, handler);
  };
  const { publicUrl } = deps;
  const { onAnswered, onLimited } = watchRequests(deps.metrics);
  app.set("trust proxy", deps.config.trustProxy);
  app.engine("ejs", renderTemplate);
  app.set("view engine", "ejs");
  // Compiling a template takes longer than filling it in; Express keeps them only where NODE_ENV says "production".
  app.locals["hasMail"] = (deps.config.mail ?? null) !== null;
  app.enable("view cache");
  app.set("views", viewsFolder);
  app.set("query parser", "simple");
  app.disable("x-powered-by");
  app.use(requestLog({ ...deps, ...deps.config, routeOf: watchRoutes(app), onAnswered }));
  app.use(securityHeaders(publicUrl.startsWith("http://")));
  mount("health");
  app.use(securityTxtRoutes(deps));
  mount("webhooks", "/webhooks");
  app.use(
    "/assets",
    assetHeaders,
    express.static(join(viewsFolder, "assets"), { index: false, maxAge: "1h", fallthrough: false }),
  );
  app.use(peopleFirst);
  app.use(deps.framing.remember);
  app.use(rateLimitRoutes({ ...deps, onLimited }));
  mount("calendar");
  mount("lti", "/lti");
  app.use("/admin", (_request, response, next) => {
    keepFormsHere(response);
    next();
  });
  mount("admin", "/admin");
  app.use(ownFormsOnly(publicUrl));
  app.use(deps.sessionAddresses);
  app.use(frontPageRoutes({ ...deps, hasConsole: hasConsole(deps.config) }));
  mount("pages");
  app.use(reloadRedirects());
  app.use(() => {
    throw refusal("not-found", { status: 404 });
  });
  app.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    // Of what was refused before its body was read, a stranger could else send for as long as a request may last.
    if (request.method !== "GET") leaveUnread(request);
    showError(
      { ...deps, t: deps.translatorOf(readerLocale(request)) },
      request,
      response,
      asExpected(thrown),
    );
  });
  return app;
}

function hasConsole({ adminPassword, oidc = null }: WebAppDeps["config"]): boolean {
  return adminPassword !== undefined || oidc !== null;
}

/** Express's own refusals (a body too large, a missing asset) are the request's fault, not ours. */
function asExpected(thrown: unknown): unknown {
  if (thrown instanceof NamedError || typeof thrown !== "object" || thrown === null) return thrown;
  const status = "status" in thrown && typeof thrown.status === "number" ? thrown.status : 500;
  if (status < 400 || status >= 500) return thrown;
  return refusal("bad-request", {
    status,
  });
}

function watchRequests(metrics: Metrics) {
  const requests = metrics.counter("http_requests_total", "Requests by pattern of their route and status", [
    "method",
    "route",
    "status",
  ]);
  const seconds = metrics.histogram("http_request_seconds", "Time until a request was answered", ["route"]);
  const limited = metrics.counter(
    "rate_limited_total",
    "Requests refused because their address asked too much",
    ["door"],
  );
  return {
    onAnswered: ({ method, route, status, ms }: AnsweredRequest) => {
      requests.inc({ method: known(method), route, status: String(status) });
      seconds.observe({ route }, ms / 1000);
    },
    onLimited: (routeGroup: string) => {
      limited.inc({ door: routeGroup });
    },
  };
}

/** Clients may invent methods. */
function known(method: string): string {
  return ["GET", "POST", "HEAD", "OPTIONS"].includes(method) ? method : "other";
}

/** LMSs show our icon on pages of theirs; nothing here is a secret, and browsers may keep it. */
const assetHeaders: RequestHandler = (_request, response, next) => {
  response.removeHeader("Cache-Control");
  response.set("Cross-Origin-Resource-Policy", "cross-origin");
  next();
};
