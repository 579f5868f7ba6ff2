import { join } from "node:path";
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import { type Clock, dayMs } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { leaveUnread } from "../kernel/read-form.ts";
import { refusal } from "../kernel/refusal.ts";
import { notePerson } from "../kernel/request-scope.ts";
import type { MountPoint } from "../module.ts";
import { readerLocale } from "./browser-of.ts";
import { type ErrorPageDeps, showError } from "./error-page.ts";
import { type Framing, keepFormsHere, ownFormsOnly, securityHeaders } from "./security-headers.ts";
import type { Head } from "./partials.ts";
import { rateLimitRoutes } from "./rate-limit.ts";
import { type AnsweredRequest, requestLog, watchRoutes } from "./request-log.ts";
import { sessionAskedFor, sessionFolder, tokenOf } from "./session-address.ts";
import type { Sessions } from "./session.ts";
import type { TranslatorOf } from "./translate.ts";
import { defineView, renderTemplate, renderView } from "./view.ts";

export type WebAppDeps = Omit<ErrorPageDeps, "t"> & {
  translatorOf: TranslatorOf;
  clock: Clock;
  metrics: Metrics;
  framing: Pick<Framing, "remember">;
  /** See `sessionAddresses`. */
  sessionAddresses: RequestHandler;
  sessions: Pick<Sessions, "read">;
  config: {
    trustProxy: boolean | number | string;
    logActors: boolean;
    /** If one of these is set, there is a console, and the front page links to it. */
    adminPassword?: string | undefined;
    oidc?: object | null;
    /** Null: there is no mail, and pages don't mention it. */
    mail?: object | null;
  } & SecurityTxtDeps["config"];
  /** Where browsers reach the tool. Forms from other origins are refused. Plain http is for development. */
  publicUrl: string;
};

type MountedRoutes = (point: MountPoint) => readonly RequestHandler[];

/**
 * The whole HTTP front, in order. "lti" comes before any body parser, because it reads bodies itself.
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
  app.locals["hasMail"] = (deps.config.mail ?? null) !== null;
  // Without this, Express looks for a template's file at each page unless NODE_ENV is "production".
  app.enable("view cache");
  app.set("views", viewsFolder);
  app.set("query parser", "simple");
  app.disable("x-powered-by");
  // No browser keeps a page, so none asks whether it has changed. What can be kept has its own tag.
  app.disable("etag");
  app.use(requestLog({ ...deps, ...deps.config, routeOf: watchRoutes(app), onAnswered }));
  app.use(securityHeaders(publicUrl.startsWith("http://")));
  mount("health");
  app.use(securityTxtRoutes(deps));
  mount("webhooks", "/webhooks");
  // Before `peopleFirst`, because programs wait behind people.
  mount("api", "/api/v1");
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
  app.use(frontPageRoutes(deps, hasConsole(deps.config)));
  mount("pages");
  app.use(reloadRedirects(deps));
  app.use(() => {
    throw refusal("not-found", { status: 404 });
  });
  app.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    // Otherwise a stranger could keep sending a refused body for as long as a request may last.
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

/** Express's own refusals (a body too large, a missing asset) are the client's fault, not ours. */
function asExpected(thrown: unknown): unknown {
  if (thrown instanceof NamedError || typeof thrown !== "object" || thrown === null) return thrown;
  const status = "status" in thrown && typeof thrown.status === "number" ? thrown.status : 500;
  if (status < 400 || status >= 500) return thrown;
  return refusal("bad-request", { status });
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

/** Limits the label's values, because clients may invent methods. */
function known(method: string): string {
  return ["GET", "POST", "HEAD", "OPTIONS"].includes(method) ? method : "other";
}

/** LMSs show our icon on their pages. Assets contain no secrets, and browsers may cache them. */
const assetHeaders: RequestHandler = (_request, response, next) => {
  response.removeHeader("Cache-Control");
  response.set("Cross-Origin-Resource-Policy", "cross-origin");
  next();
};

/** From here on, a person waits for the answer, so webhooks and background work give way. */
const peopleFirst: RequestHandler = (_request, response, next) => {
  const answered = notePerson();
  response.on("close", answered);
  next();
};

/**
 * Addresses that expect a form with its session. Loading one without a form (a reload, a bookmark, a restored tab) has no session, and
 * the answer says to open the link in the course again. Addresses of a session come here only if there is no such page. Mount last.
 */
function reloadRedirects({ sessions }: Pick<WebAppDeps, "sessions">): Router {
  const router = Router();
  router.get(["/enter", "/door", "/choose", "/course", "/course/*rest"], async (request, response) => {
    const [id, token] = [sessionAskedFor(request), tokenOf(request)];
    if (id !== null && token !== null) {
      await sessions.read(token);
      response.locals["homeUrl"] = `${sessionFolder(id)}/home`;
      throw refusal("not-found-here", { status: 404 });
    }
    response.set("Allow", "POST");
    throw refusal("page-reloaded", { status: 405 });
  });
  return router;
}

export type FrontPage = Head & { hasConsole: boolean };

const frontPage = defineView<FrontPage>("front/front");

/** For people who type the tool's address: says what it is, and where to go. */
function frontPageRoutes({ translatorOf }: WebAppDeps, hasConsole: boolean): Router {
  const router = Router();
  router.get("/", (request, response) => {
    const t = translatorOf(readerLocale(request));
    renderView(response, frontPage, { t, title: t("product.name"), hasConsole });
  });
  return router;
}

type SecurityTxtDeps = {
  clock: Pick<Clock, "now">;
  publicUrl: string;
  config: { securityContact?: string | undefined; securityPolicy?: string | undefined };
};

/** RFC 9116 asks for less than a year. The date is computed each time the file is read. */
const validMs = 180 * dayMs;

/** Says where to report a security problem (RFC 9116), if the operator has named a contact. */
function securityTxtRoutes({ clock, publicUrl, config }: SecurityTxtDeps): Router {
  const router = Router();
  router.get("/.well-known/security.txt", (_request, response, next) => {
    const { securityContact, securityPolicy } = config;
    if (securityContact === undefined) {
      next();
      return;
    }
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(clock.now() + validMs).toISOString()}`,
      "Preferred-Languages: en",
      // At the host's root, even if the tool itself is below a path.
      `Canonical: ${new URL("/.well-known/security.txt", publicUrl).href}`,
      ...(securityPolicy === undefined ? [] : [`Policy: ${securityPolicy}`]),
    ];
    response.type("text/plain").send(`${lines.join("\n")}\n`);
  });
  return router;
}
