import { join } from "node:path";
import ejs from "ejs";
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { type ErrorPageDeps, showError } from "./error-page.ts";
import { keepFormsHere } from "./form-targets.ts";
import { forbidFrames } from "./framing.ts";
import { reloadedPages } from "./reloaded-pages.ts";
import { ownFormsOnly } from "./own-forms-only.ts";
import { rateLimitDoors } from "./rate-limit-doors.ts";
import { readerLocale } from "./reader-locale.ts";
import { requestLog, type RequestLogDeps } from "./request-log.ts";
import { securityHeaders } from "./security-headers.ts";
import type { TranslatorOf } from "./translate.ts";

export type WebAppDeps = Omit<ErrorPageDeps, "t"> & {
  translatorOf: TranslatorOf;
  clock: Clock;
  /** For the metrics. */
  onAnswered?: RequestLogDeps["onAnswered"];
  /** For the metrics: somebody was refused at a door because their address asked too much. */
  onLimited?: (door: string) => void;
  trustProxy: boolean | number | string;
  /** See `requestLog`. */
  logActors: boolean;
  /** Where browsers reach the tool: forms of other origins are refused. */
  publicUrl: string;
  /** Plain http on loopback, for development: no upgrade of requests, no HSTS. */
  plainHttp: boolean;
  /** Where entering may lead: it is a form that is answered with the way into the Space. */
  entryTargets: readonly string[];
  /** Folder of the templates and assets. */
  viewsFolder: string;
  health: RequestHandler;
  webhooks: RequestHandler;
  /** See `createFraming`. */
  framing: RequestHandler;
  /** What calendar programs read. */
  calendar: RequestHandler;
  /** Before `lti`: what LMSs post without a person. */
  notices: RequestHandler;
  lti: RequestHandler;
  registration: RequestHandler;
  console: RequestHandler;
  /** Pages after a class. */
  ended: RequestHandler;
  launch: RequestHandler;
  waiting: RequestHandler;
};

/** The whole HTTP front in its order. `lti` comes before any body parser: ltijs reads bodies itself. */
export function createWebApp(deps: WebAppDeps): Express {
  const app = express();
  app.set("trust proxy", deps.trustProxy);
  app.engine("ejs", (path, values, done) => {
    ejs.renderFile(path, values, done);
  });
  app.set("view engine", "ejs");
  // Compiling a template takes longer than filling it in; Express keeps them only where NODE_ENV says "production".
  app.enable("view cache");
  app.set("views", deps.viewsFolder);
  app.set("query parser", "simple");
  app.disable("x-powered-by");
  app.use(requestLog(deps));
  app.use(securityHeaders(deps.plainHttp, deps.entryTargets));
  app.use(deps.health);
  app.use("/webhooks", deps.webhooks);
  app.use(
    "/assets",
    assetHeaders,
    express.static(join(deps.viewsFolder, "assets"), { index: false, maxAge: "1h", fallthrough: false }),
  );
  app.use(deps.framing);
  app.use(rateLimitDoors(deps));
  app.use("/calendar", (_request, response, next) => {
    forbidFrames(response);
    next();
  });
  app.use(deps.calendar);
  app.use("/lti", deps.notices);
  app.use("/lti", deps.lti);
  app.use("/lti", deps.registration);
  app.use("/admin", (_request, response, next) => {
    keepFormsHere(response);
    next();
  });
  app.use("/admin", deps.console);
  app.use(ownFormsOnly(deps.publicUrl));
  app.use(deps.ended);
  app.use(deps.launch);
  app.use(deps.waiting);
  app.use(reloadedPages(deps.translatorOf));
  app.use((request: Request) => {
    throw new NamedError("not-found", deps.translatorOf(readerLocale(request))("problem.notFound"), {
      status: 404,
    });
  });
  app.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    showError(
      { ...deps, t: deps.translatorOf(readerLocale(request)) },
      request,
      response,
      asExpected(thrown),
    );
  });
  return app;
}

/** Express's own refusals (a body too large, a missing asset) are the request's fault, not ours. */
function asExpected(thrown: unknown): unknown {
  if (thrown instanceof NamedError || typeof thrown !== "object" || thrown === null) return thrown;
  const status = "status" in thrown && typeof thrown.status === "number" ? thrown.status : 500;
  if (status < 400 || status >= 500) return thrown;
  return new NamedError("bad-request", "The request could not be understood. Go back and try again.", {
    status,
  });
}

/** LMSs show our icon on pages of theirs; nothing here is a secret, and browsers may keep it. */
const assetHeaders: RequestHandler = (_request, response, next) => {
  response.removeHeader("Cache-Control");
  response.set("Cross-Origin-Resource-Policy", "cross-origin");
  next();
};
