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

/** A request from a logged-in person. */
export type Visit = {
  session: ConsoleSession;
  /** The LMS whose administrator this is: nothing of another one may be read or changed. Null for operators. */
  within: string | null;
  /** From which that administrator came; null for operators. */
  deployment: string | null;
  /** For the audit log: laid over the app of a use case that writes into it. */
  by: Pick<AuditApp, "who" | "personId" | "operator">;
  /** The same where a route is for operators only. */
  asOperator: { who: "console"; operator?: string };
  request: Request;
  response: Response;
  t: Translate;
  /** Empty when it is missing. */
  field: (name: string) => string;
  part: (name: string) => string;
  /** Which of these notes the address has, see `goTo`. */
  note: <Name extends string>(names: readonly Name[]) => Name | null;
  show: <Own extends object>(page: Page<Own>) => void;
  /** By GET, so a reload does nothing twice; `note` is shown there once. */
  goTo: (path: string, note?: string) => void;
};

/**
 * Opens a route to administrators of one LMS. @returns the registration that the request is about; null when unknown.
 * To others the address does not exist.
 */
export type OpenTo = (visit: Visit) => string | null | Promise<string | null>;

export const ofRegistration: OpenTo = ({ part }) => part("id");

/** That of the course in the path. */
export const ofCourse =
  ({ courses }: Pick<ConsoleApp, "courses">): OpenTo =>
  async ({ part }) =>
    (await courses.find(part("id")))?.registrationId ?? null;

/** Operators see everything, others what is of `visit.within`: the page must narrow down each read. */
export const narrowed: OpenTo = ({ within }) => within;

export const operatorsOnly: OpenTo = () => null;

type Act = (visit: Visit) => void | Promise<void>;

export type GatedRoutes = {
  router: Router;
  page: (path: string, show: Act) => void;
  action: (path: string, act: Act) => void;
};

export type Gate = {
  /** Before a long form is read: without a login the answer is the login page. */
  loggedIn: RequestHandler;
  /** Without a login the answer is the login page, whatever the address. @param openTo Left out: for operators only. */
  page: (
    show: Act,
    openTo?: OpenTo,
    /** The office whose one page it is. */
    office?: ConsoleOffice,
  ) => RequestHandler;
  /** The target of a form, which must be one of ours. @param also Who may send it, too; "all": readers and offices. */
  action: (act: Act, openTo?: OpenTo, also?: "readers" | "all") => RequestHandler;
  /** Pages and targets of forms that are open to the same people. @param openTo Left out: for operators only. */
  routes: (openTo?: OpenTo, router?: Router) => GatedRoutes;
  /** Writes into the audit log that a list was downloaded, which may hold names. */
  noteDownload: (visit: Visit, list: string) => Promise<void>;
};

/** The only way to the pages of the console. */
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
      // Numbers of all LMSs are for operators.
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

/** The first page after a login leads to the office's own; the others do not exist for it. */
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

/** An LMS administrator's ends once the LMS is switched off or does not let its administrators in. */
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
  /** Whether the password is asked for. */
  password: boolean;
  /** Host of the provider where people log in; null without one. */
  provider: string | null;
  /** A form was sent without a session. */
  lost: boolean;
};

const logInPage = defineView<LogInPage>("admin/log-in");

/** In place of the page that was asked for. @param wrong Whether a wrong password was just given. */
export function showLogIn(app: ConsoleApp, request: Request, response: Response, wrong = false): void {
  const t = app.translatorOf(readerLocale(request));
  const address = request.method === "GET" ? request.originalUrl : formField(request.body, "to");
  const inQueue = request.method === "GET" && pathOf(address) === "/admin";
  response.status(inQueue ? 200 : 401);
  showPublicPage(app, response, {
    view: logInPage,
    title: t("console.logIn.button"),
    // The page says that the form is lost, instead of seeming to have done it.
    model: { to: inConsole(address), wrong, ...ways(app), lost: request.method !== "GET" && !wrong },
  });
}

function ways({ adminPassword, provider }: ConsoleApp): Pick<LogInPage, "password" | "provider"> {
  return { password: adminPassword !== undefined, provider: provider?.host ?? null };
}

/** A page of the console, with what its address asks for, and nothing else. */
export function inConsole(address: string): string {
  return /^\/admin\/[\w/-]+(\?[\w=&%.+-]*)?$/.test(address) && !address.includes("//") ? address : "/admin";
}

function pathOf(address: string): string {
  return address.replace(/\?[^]*/, "").replace(/\/$/, "");
}
