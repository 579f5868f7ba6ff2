import type { Request, Response } from "express";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Translate } from "./translate.ts";

export type ErrorPageDeps = { t: Translate; ids: Ids; logger: Logger };

/** What the page may offer and tell besides the sentence. */
export type ErrorPageOptions = {
  /** Lets the person try the same entry again. */
  retry?: { action: string; session: string };
  /** Instructors are told why; learners what to do. */
  showWhy?: boolean;
  returnUrl?: string | null;
};

/**
 * The only renderer of failures. An expected one is shown in its own words; an unexpected one is logged once
 * under a reference, and only the reference is shown.
 */
export function showError(
  deps: ErrorPageDeps,
  request: Request,
  response: Response,
  thrown: unknown,
  options: ErrorPageOptions = {},
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const reference = thrown instanceof NamedError ? null : deps.ids.id("ref");
  log(deps.logger, request, thrown, reference);
  const shown = thrown instanceof NamedError ? expected(deps.t, thrown) : unexpected(deps.t);
  response.status(shown.status);
  if (shown.temporary) response.set("Retry-After", "10");
  if (request.accepts(["html", "json"]) === "json") {
    response.json({ error: shown.code, message: shown.message, reference });
    return;
  }
  response.render("errors/problem", {
    t: deps.t,
    title: deps.t("problem.title"),
    message: shown.message,
    reference,
    code: shown.code,
    why: options.showWhy === true ? shown.why : null,
    retry: options.retry ?? null,
    returnUrl: webAddressOrNull(options.returnUrl ?? null),
  });
}

type Shown = { code: string; status: number; message: string; why: string | null; temporary: boolean };

function expected(t: Translate, error: NamedError): Shown {
  const { code, status, temporary } = error;
  return { code, status, temporary, message: personalMessage(t, error), why: error.message };
}

function unexpected(t: Translate): Shown {
  return { code: "unexpected", status: 500, temporary: false, message: t("problem.unexpected"), why: null };
}

function log(logger: Logger, request: Request, thrown: unknown, reference: string | null): void {
  const facts = { path: request.path, method: request.method };
  if (thrown instanceof NamedError) {
    logger.info({ ...facts, code: thrown.code, status: thrown.status }, "refused or failed as expected");
  } else {
    logger.error({ ...facts, reference, error: messageOf(thrown) }, "unexpected failure");
  }
}

/** The classroom's troubles are told to everybody in the same calm words; the reason is for instructors. */
function personalMessage(t: Translate, error: NamedError): string {
  return error.code.startsWith("classroom-") ? t("problem.unavailable") : error.message;
}

/** Return addresses come from the LMS: only a web address may become a link (never `javascript:`). */
function webAddressOrNull(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
