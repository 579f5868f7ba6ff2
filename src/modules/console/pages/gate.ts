import type { NextFunction, Request, RequestHandler, Response } from "express";
import { timingSafeEqual } from "node:crypto";
import { letsAdministratorsIn } from "../../courses/rules/lms-administrator.ts";
import type { AuditDeps } from "../../audit/write-audit.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { noteActor } from "../../../kernel/request-scope.ts";
import { readerLocale } from "../../../web/reader-locale.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { ConsoleSession } from "./console-session.ts";
import { formField } from "./form-field.ts";
import { isFromHere } from "../../../web/is-from-here.ts";
import type { PublicFrame } from "./partials.ts";
import { problemPage } from "./problem-page.ts";
import { type Page, showPublicPage, showPage } from "./show-page.ts";

/** The log-in page. */
export type LogInPage = PublicFrame & {
  /** Where the reader wanted to go. */
  to: string;
  /** A wrong password was just given. */
  wrong: boolean;
  /** A form was sent without a session, and is lost. */
  lost: boolean;
};

const logInPage = defineView<LogInPage>("admin/log-in");

/** What a route gets to work with: somebody who is logged in asked for something. */
export type Visit = {
  session: ConsoleSession;
  /** The LMS whose administrator this is: nothing of another one may be read or changed. Null for operators. */
  within: string | null;
  /** Who it is, for the audit log: to be laid over the dependencies of a feature that writes into it. */
  by: Pick<AuditDeps, "who" | "personId">;
  request: Request;
  response: Response;
  t: Translate;
  /** A field of the posted form; empty when it is missing. */
  field: (name: string) => string;
  /** A named part of the path. */
  part: (name: string) => string;
  show: <Own extends object>(page: Page<Own>) => void;
  /** Leads to a page of the console by GET, so that a reload does nothing twice; `note` is shown there once. */
  goTo: (path: string, note?: string) => void;
};

/**
 * Opens a route to the administrators of one LMS: says which registration the request is about, null for one that is not
 * known. Whose it is not gets the answer of an address that does not exist.
 */
export type OpenTo = (visit: Visit) => string | null | Promise<string | null>;

/** The request is about the registration that its path names. */
export const ofRegistration: OpenTo = ({ part }) => part("id");

/** A page that shows operators everything and others only what is of `visit.within`: it must narrow down each read. */
export const narrowed: OpenTo = ({ within }) => within;

export type Gate = {
  /**
   * A page for people who are logged in; everybody else gets the log-in page, whatever the address.
   * @param openTo Left out: for operators only.
   */
  page: (show: (visit: Visit) => void | Promise<void>, openTo?: OpenTo) => RequestHandler;
  /** The target of a form: the same, and the form must be one of ours. */
  action: (act: (visit: Visit) => void | Promise<void>, openTo?: OpenTo) => RequestHandler;
};

/** The only way to the pages of the console. */
export function createGate(deps: ConsoleApp): Gate {
  const { publicUrl, translatorOf } = deps;

  const enter =
    (pass: (visit: Visit) => void | Promise<void>, openTo: OpenTo = closed): RequestHandler =>
    async (request: Request, response: Response, next: NextFunction) => {
      const session = await presentSession(deps, request);
      if (session === null) {
        showLogIn(deps, request, response);
        return;
      }
      noteActor(
        session.scope === null ? { kind: "operator" } : { kind: "lms-administrator", ...session.scope },
      );
      const visit = visitOf(deps, session, request, response);
      try {
        if (visit.within !== null && (await openTo(visit)) !== visit.within)
          throw new NamedError("not-found", visit.t("console.problem.notFound"), { status: 404 });
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

  return {
    page: enter,
    action: (act, openTo) =>
      enter(async (visit) => {
        if (!isFromHere(visit.request, publicUrl) || !isSame(visit.field("form"), visit.session.formToken)) {
          const t = translatorOf(readerLocale(visit.request));
          throw new NamedError("foreign-form", t("console.problem.foreignForm"), { status: 403 });
        }
        await act(visit);
      }, openTo),
  };
}

const closed: OpenTo = () => null;

/**
 * The session that a request carries. One of an LMS's administrator is worth nothing once the LMS was switched off or
 * the operator no longer lets its administrators in.
 */
export async function presentSession(
  { consoleSessions, cookie, registrations }: ConsoleApp,
  request: Request,
): Promise<ConsoleSession | null> {
  const session = await consoleSessions.read(cookie.read(request));
  if (session?.scope == null) return session;
  const registration = await registrations.find(session.scope.registrationId);
  return registration !== null && letsAdministratorsIn(registration) ? session : null;
}

/**
 * The log-in page in place of the page that was asked for.
 * @param wrong Whether a wrong password was just given.
 */
export function showLogIn(deps: ConsoleApp, request: Request, response: Response, wrong = false): void {
  const t = deps.translatorOf(readerLocale(request));
  const wanted = request.method === "GET" ? request.originalUrl : formField(request.body, "to");
  const atDoor = request.method === "GET" && pathOf(wanted) === "/admin";
  response.status(atDoor ? 200 : 401);
  showPublicPage(deps, response, {
    view: logInPage,
    title: t("console.logIn.heading"),
    // A form that was sent without a session is lost; say so, instead of seeming to have done it.
    model: { to: inConsole(wanted), wrong, lost: request.method !== "GET" && !wrong },
  });
}

/** An address that may be gone to after the log-in: a page of the console and nothing else. */
export function inConsole(address: string): string {
  return /^\/admin\/[\w/-]+$/.test(address) && !address.includes("//") ? address : "/admin/registrations";
}

function visitOf(deps: ConsoleApp, session: ConsoleSession, request: Request, response: Response): Visit {
  return {
    session,
    within: session.scope?.registrationId ?? null,
    by:
      session.scope === null
        ? { who: "console" }
        : { who: "lms-administrator", personId: session.scope.personId },
    request,
    response,
    t: deps.translatorOf(readerLocale(request)),
    field: (name) => formField(request.body, name),
    part: (name) => {
      const value = request.params[name];
      return typeof value === "string" ? value : "";
    },
    show: (page) => showPage(deps, response, session, page),
    goTo: (path, note) => response.redirect(303, note === undefined ? path : `${path}?note=${note}`),
  };
}

function showProblem({ t, show }: Visit, { code, message }: NamedError): void {
  show({ view: problemPage, title: t("console.problem.heading"), area: null, model: { message, code } });
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function pathOf(address: string): string {
  return address.replace(/\?.*$/, "").replace(/\/$/, "");
}
