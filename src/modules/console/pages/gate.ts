import type { NextFunction, Request, RequestHandler, Response } from "express";
import { timingSafeEqual } from "node:crypto";
import { areaCounts, type AreaCounts } from "./area-counts.ts";
import type { AuditDeps } from "../../audit/write-audit.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type Actor, noteActor } from "../../../kernel/request-scope.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { ConsoleSession } from "./console-session.ts";
import { formField } from "./form-field.ts";
import { isFromOwnPage } from "../../../kernel/read-form.ts";
import { showLogIn } from "./log-in-page.ts";
import { presentSession } from "./present-session.ts";
import { problemPage } from "./problem-page.ts";
import { type Page, showPage } from "./show-page.ts";

/** A request of somebody who is logged in. */
export type Visit = {
  session: ConsoleSession;
  /** The LMS whose administrator this is: nothing of another one may be read or changed. Null for operators. */
  within: string | null;
  /** From which that administrator came; null for operators. */
  deployment: string | null;
  /** For the audit log: laid over the deps of a use case that writes into it. */
  by: Pick<AuditDeps, "who" | "personId" | "operator">;
  /** The same where a route is for operators only. */
  asOperator: { who: "console"; operator?: string };
  request: Request;
  response: Response;
  t: Translate;
  /** Empty when it is missing. */
  field: (name: string) => string;
  part: (name: string) => string;
  show: <Own extends object>(page: Page<Own>) => void;
  /** By GET, so that a reload does nothing twice; `note` is shown there once. */
  goTo: (path: string, note?: string) => void;
};

/**
 * Opens a route to administrators of one LMS. @returns the registration that the request is about; null when unknown.
 * To others the address does not exist.
 */
export type OpenTo = (visit: Visit) => string | null | Promise<string | null>;

/** The registration in the path. */
export const ofRegistration: OpenTo = ({ part }) => part("id");

/** Operators see everything, others what is of `visit.within`: the page must narrow down each read. */
export const narrowed: OpenTo = ({ within }) => within;

export type Gate = {
  /** Before a long form is read: without a log-in the answer is the log-in page. */
  loggedIn: RequestHandler;
  /** Whoever is not logged in gets the log-in page, whatever the address. @param openTo Left out: for operators only. */
  page: (show: (visit: Visit) => void | Promise<void>, openTo?: OpenTo) => RequestHandler;
  /** The target of a form, which must be one of ours. @param also Whether readers may send it, too. */
  action: (act: (visit: Visit) => void | Promise<void>, openTo?: OpenTo, also?: "readers") => RequestHandler;
};

/** The only way to the pages of the console. */
export function createGate(deps: ConsoleApp): Gate {
  const { publicUrl } = deps;
  const readCounts = areaCounts(deps);

  const enter =
    (pass: (visit: Visit) => void | Promise<void>, openTo: OpenTo = closed): RequestHandler =>
    async (request: Request, response: Response, next: NextFunction) => {
      const session = await presentSession(deps, request);
      if (session === null) {
        showLogIn(deps, request, response);
        return;
      }
      noteActor(actorOf(session));
      // Numbers of all LMSs are for operators.
      const counts = session.scope === null ? await readCounts() : {};
      const visit = visitOf(deps, session, counts, request, response);
      try {
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

  return {
    loggedIn: async (request, response, next) => {
      if (request.method !== "POST" || (await presentSession(deps, request)) !== null) next();
      else showLogIn(deps, request, response);
    },
    page: enter,
    action: (act, openTo, also) =>
      enter(async (visit) => {
        const isForeign = isFromOwnPage(visit.request, publicUrl) === false;
        if (isForeign || !isSame(visit.field("form"), visit.session.formToken)) {
          throw refusal("foreign-console-form", { status: 403 });
        }
        if (visit.session.role === "reader" && also !== "readers")
          throw refusal("console-reader", { status: 403 });
        await act(visit);
      }, openTo),
  };
}

function actorOf({ scope }: ConsoleSession): Actor {
  if (scope === null) return { kind: "operator" };
  const { registrationId, personId } = scope;
  return { kind: "lms-administrator", registrationId, personId };
}

const closed: OpenTo = () => null;

function visitOf(
  deps: ConsoleApp,
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
    t: deps.translatorOf(readerLocale(request)),
    field: (name) => formField(request.body, name),
    part: (name) => {
      const value = request.params[name];
      return typeof value === "string" ? value : "";
    },
    show: (page) => showPage(deps, response, session, counts, page),
    goTo: (path, note) => response.redirect(303, note === undefined ? path : `${path}?note=${note}`),
  };
}

function showProblem({ t, show }: Visit, error: NamedError): void {
  const model = { message: sayError(t, error), code: error.code };
  show({ view: problemPage, title: t("console.problem.heading"), area: null, model });
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
