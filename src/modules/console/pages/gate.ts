import { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
import { NamedError } from "../../../kernel/errors.ts";
import { isFromOwnPage } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type Actor, noteActor } from "../../../kernel/request-scope.ts";
import { isSameSecret } from "../../../kernel/sealer.ts";
import { type AuditApp, writeAudit } from "../../audit/audit.ts";
import { letsAdministratorsIn } from "../../courses/rules/course.ts";
import { type ConsoleOffice, officeOf } from "../../operations/rules/console-access.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp, ConsoleSession } from "./console-session.ts";
import { formField } from "./requests.ts";
import { areaCounts, type AreaCounts, pathOfOffice } from "./navigation.ts";
import type { PublicFrame } from "./partials.ts";
import { type Page, problemPage, showPage, showPublicPage } from "./show-page.ts";

/** A request from a person who is logged in. */
export type Visit = {
  session: ConsoleSession;
  /** The LMS whose administrator this is: nothing of another LMS may be read or changed. Null for operators. */
  within: string | null;
  /** The deployment from which that administrator came. Null for operators. */
  deployment: string | null;
  /** For the audit log: spread over the app of a use case that writes into it. */
  by: Pick<AuditApp, "who" | "personId" | "operator">;
  /** The same for a route that is for operators only. */
  asOperator: { who: "console"; operator?: string };
  request: Request;
  response: Response;
  t: Translate;
  /** Empty if the field is missing. */
  field: (name: string) => string;
  part: (name: string) => string;
  /** Which of these notes the address has. See `goTo`. */
  note: <Name extends string>(names: readonly Name[]) => Name | null;
  show: <Own extends object>(page: Page<Own>) => void;
  /** Redirects by GET, so a reload does nothing twice. `note` is shown there once. */
  goTo: (path: string, note?: string) => void;
};

/**
 * Opens a route to administrators of one LMS. For others the address doesn't exist.
 * @returns the registration that the request is about, or null if it's unknown.
 */
export type OpenTo = (visit: Visit) => string | null | Promise<string | null>;

export const ofRegistration: OpenTo = ({ part }) => part("id");

/** The registration of the course in the path. */
export const ofCourse =
  ({ courses }: Pick<ConsoleApp, "courses">): OpenTo =>
  async ({ part }) =>
    (await courses.find(part("id")))?.registrationId ?? null;

/** Operators see everything, others only what belongs to `visit.within`, to which the page must limit each read. */
export const narrowed: OpenTo = ({ within }) => within;

export const operatorsOnly: OpenTo = () => null;

type Act = (visit: Visit) => void | Promise<void>;

export type GatedRoutes = {
  router: Router;
  page: (path: string, show: Act) => void;
  action: (path: string, act: Act) => void;
};

export type Gate = {
  /** Runs before a long form is read. Without a login, it answers with the login page. */
  loggedIn: RequestHandler;
  /** Without a login, it answers with the login page, whatever the address. @param openTo Default: operators only. */
  page: (
    show: Act,
    openTo?: OpenTo,
    /** The office whose only page this is. */
    office?: ConsoleOffice,
  ) => RequestHandler;
  /** The target of a form, which must be one of ours. @param also Who else may send it. "all": readers and offices. */
  action: (act: Act, openTo?: OpenTo, also?: "readers" | "all") => RequestHandler;
  /** Pages and targets of forms for the same people. @param openTo Default: operators only. */
  routes: (openTo?: OpenTo, router?: Router) => GatedRoutes;
  /** Writes into the audit log that a list was downloaded, because it may hold names. */
  noteDownload: (visit: Visit, list: string) => Promise<void>;
};

/** The only way to the console's pages. */
export function createGate(app: ConsoleApp): Gate {
  const readCounts = areaCounts(app);

  const enter =
    (pass: Act, openTo: OpenTo = operatorsOnly, openFor?: ConsoleOffice | "all"): RequestHandler =>
    async (request: Request, response: Response, next: NextFunction) => {
      const session = await presentSession(app, request);
      if (session === null) {
        showLogIn(app, request, response);
        return;
      }
      noteActor(actorOf(session));
      const office = officeOf(session.role);
      // Only operators see the numbers of all LMSs.
      const counts = session.scope === null && office === null ? await readCounts() : {};
      const visit = visitOf(app, session, counts, request, response);
      try {
        if (office !== null && openFor !== office && openFor !== "all") {
          turnAway(visit, office);
          return;
        }
        if (visit.within !== null && (await openTo(visit)) !== visit.within)
          throw refusal("no-such-console-page", { status: 404 });
        await pass(visit);
      } catch (thrown) {
        if (!(thrown instanceof NamedError) || response.headersSent) {
          next(thrown);
          return;
        }
        response.status(thrown.status);
        showProblem(visit, thrown);
      }
    };

  const action: Gate["action"] = (act, openTo, also) => {
    const checked = async (visit: Visit) => {
      const isForeign = isFromOwnPage(visit.request, app.publicUrl) === false;
      if (isForeign || !isSameSecret(visit.field("form"), visit.session.formToken)) {
        throw refusal("foreign-console-form", { status: 403 });
      }
      if (visit.session.role === "reader" && also === undefined)
        throw refusal("console-reader", { status: 403 });
      await act(visit);
    };
    return enter(checked, openTo, also === "all" ? also : undefined);
  };

  return {
    loggedIn: async (request, response, next) => {
      if (request.method !== "POST" || (await presentSession(app, request)) !== null) next();
      else showLogIn(app, request, response);
    },
    page: enter,
    action,
    routes: (openTo, router = Router()) => ({
      router,
      page: (path, show) => router.get(path, enter(show, openTo)),
      action: (path, act) => router.post(path, action(act, openTo)),
    }),
    noteDownload: ({ by, within }, list) =>
      writeAudit({ ...app, ...by }, { what: "list-downloaded", registrationId: within, on: list }),
  };
}

/** After a login, an office's people start at its own page. The others don't exist for them. */
function turnAway({ request, goTo }: Visit, office: ConsoleOffice): void {
  if (pathOf(request.originalUrl) !== "/admin") throw refusal("no-such-console-page", { status: 404 });
  goTo(pathOfOffice(office));
}

function actorOf({ scope }: ConsoleSession): Actor {
  if (scope === null) return { kind: "operator" };
  const { registrationId, personId } = scope;
  return { kind: "lms-administrator", registrationId, personId };
}

function visitOf(
  app: ConsoleApp,
  session: ConsoleSession,
  counts: AreaCounts,
  request: Request,
  response: Response,
): Visit {
  const asOperator = {
    who: "console" as const,
    ...(session.operator === null ? {} : { operator: session.operator }),
  };
  return {
    session,
    asOperator,
    within: session.scope?.registrationId ?? null,
    deployment: session.scope?.deploymentId ?? null,
    by: session.scope === null ? asOperator : { who: "lms-administrator", personId: session.scope.personId },
    request,
    response,
    t: app.translatorOf(readerLocale(request)),
    field: (name) => formField(request.body, name),
    part: (name) => {
      const value = request.params[name];
      return typeof value === "string" ? value : "";
    },
    note: (names) => names.find((one) => one === request.query["note"]) ?? null,
    show: (page) => showPage(app, response, session, counts, page),
    goTo: (path, note) =>
      response.redirect(
        303,
        note === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}note=${note}`,
      ),
  };
}

function showProblem({ t, show }: Visit, error: NamedError): void {
  const model = { message: sayError(t, error), code: error.code };
  show({ view: problemPage, title: t("console.problem.heading"), area: null, model });
}

/** An LMS administrator's session ends once the LMS is switched off or doesn't let its administrators in. */
export async function presentSession(
  { logIns, cookie, registrations }: ConsoleApp,
  request: Request,
): Promise<ConsoleSession | null> {
  const session = await logIns.read(cookie.read(request));
  if (session?.scope == null) return session;
  const registration = await registrations.find(session.scope.registrationId);
  return registration !== null && letsAdministratorsIn(registration) ? session : null;
}

export type LogInPage = PublicFrame & {
  to: string;
  wrong: boolean;
  /** Whether the page asks for the password. */
  password: boolean;
  /** Host of the provider where people log in. Null without one. */
  provider: string | null;
  /** A form was sent without a session. */
  lost: boolean;
};

const logInPage = defineView<LogInPage>("admin/log-in");

/** Shows the login page instead of the page that was asked for. @param wrong Whether a wrong password was just given. */
export function showLogIn(app: ConsoleApp, request: Request, response: Response, wrong = false): void {
  const t = app.translatorOf(readerLocale(request));
  const address = request.method === "GET" ? request.originalUrl : formField(request.body, "to");
  const inQueue = request.method === "GET" && pathOf(address) === "/admin";
  response.status(inQueue ? 200 : 401);
  showPublicPage(app, response, {
    view: logInPage,
    title: t("console.logIn.button"),
    // The page says that the form is lost, so nobody thinks that it was processed.
    model: { to: inConsole(address), wrong, ...ways(app), lost: request.method !== "GET" && !wrong },
  });
}

function ways({ adminPassword, provider }: ConsoleApp): Pick<LogInPage, "password" | "provider"> {
  return { password: adminPassword !== undefined, provider: provider?.host ?? null };
}

/** Accepts only a page of the console with its query. */
export function inConsole(address: string): string {
  return /^\/admin\/[\w/-]+(\?[\w=&%.+-]*)?$/.test(address) && !address.includes("//") ? address : "/admin";
}

function pathOf(address: string): string {
  return address.replace(/\?[^]*/, "").replace(/\/$/, "");
}
