import type { Request, Response } from "express";
import { z } from "zod";
import { isOfStorage, messageOf, NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { currentRequest } from "../kernel/request-scope.ts";
import type { en, Translate } from "./translate.ts";
import type { Head } from "./partials.ts";
import { noteRefusal, pathToLog } from "./request-log.ts";
import { sayError } from "./page-text.ts";
import { defineView, renderView } from "./view.ts";
import { webAddressOrNull } from "./page-address.ts";

export type ErrorPageDeps = { t: Translate; ids: Ids; logger: Logger };

type ErrorPageOptions = {
  /** Lets the reader try the same entry again, with a session or with the ticket of a queue position. */
  retry?:
    | { action: string; session: string; shown?: "tab" | "embedded" }
    | { action: string; place: string; ticket: string | null };
  /** Instructors see the details open, and are told to ask their administrator. Learners see them closed. */
  showReason?: boolean;
  returnUrl?: string | null;
};

export type ProblemPage = Head & {
  message: string;
  reference: string | null;
  code: string;
  /** Whether the details are open. */
  open: boolean;
  /** The tab's own history may contain the proof that the page is theirs (views/assets/fill-page.js). */
  fills: boolean;
  retry: NonNullable<ErrorPageOptions["retry"]> | null;
  returnUrl: string | null;
  /** The reader's own home page, if only the requested page is missing. */
  homeUrl: string | null;
};

const problemPage = defineView<ProblemPage>("errors/problem");

/** The only function that shows failures. The page names the request's id, by which its log lines are found. */
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
  const reference = referenceOf(deps.ids, thrown);
  log(deps.logger, request, response, thrown, reference);
  const toInstructor = options.showReason === true;
  const problem = thrown instanceof NamedError ? expected(deps.t, thrown, toInstructor) : unexpected(deps.t);
  response.status(problem.status);
  if (problem.temporary && response.get("Retry-After") === undefined) response.set("Retry-After", "10");
  if (request.accepts(["html", "json"]) === "json") {
    response.json({ error: problem.code, message: problem.message, reference });
    return;
  }
  const { returnUrl, homeUrl } = addresses.parse(response.locals);
  renderView(response, problemPage, {
    t: deps.t,
    title: deps.t(`problem.titles.${titleOf(problem.code, request.originalUrl)}`),
    message: problem.message,
    reference,
    code: problem.code,
    open: toInstructor,
    fills: problem.code === "not-this-browser",
    retry: options.retry ?? null,
    returnUrl: webAddressOrNull(options.returnUrl ?? returnUrl),
    homeUrl,
  });
}

/** Made once, because making it takes a twentieth of the time of a refusal. */
const address = z.string().nullable().catch(null);
const addresses = z.object({ returnUrl: address, homeUrl: address });

/** Null for a page that doesn't exist: there is nothing to look up, and all such pages are alike. */
function referenceOf(ids: Ids, thrown: unknown): string | null {
  if (thrown instanceof NamedError && titles.get(thrown.code) === "notFound") return null;
  return currentRequest() ?? ids.id("ref");
}

type Problem = { code: string; status: number; message: string; temporary: boolean };

function expected(t: Translate, error: NamedError, toInstructor: boolean): Problem {
  const { code, status, temporary } = error;
  return { code, status, temporary, message: personalMessage(t, error, toInstructor) };
}

function unexpected(t: Translate): Problem {
  return { code: "unexpected", status: 500, temporary: false, message: t("problem.unexpected") };
}

/** Logs an expected failure as part of its request's line, because for a stranger's request, logging costs most. */
function log(
  logger: Logger,
  request: Request,
  response: Response,
  thrown: unknown,
  reference: string | null,
): void {
  if (thrown instanceof NamedError) {
    // Only an operator can fix these, so the log has the sentence and pages don't.
    const sentence = isOperators(thrown.code) ? { sentence: thrown.message } : {};
    noteRefusal(response, { code: thrown.code, ...sentence });
  } else {
    const facts = { path: pathToLog(request), method: request.method };
    logger.error({ ...facts, reference, error: messageOf(thrown) }, "unexpected failure");
  }
}

type Title = keyof (typeof en)["problem"]["titles"];

/** Codes whose title isn't "the classroom cannot be opened". */
const codesByTitle: readonly (readonly [Title, string])[] = [
  ["unexpected", "unexpected bad-request too-many-requests"],
  ["notFound", "not-found not-found-here"],
  ["notAllowed", "instructors-only review-of-somebody-else not-in-course"],
  ["again", "session-over signed-out role-changed launch-again ended-by-administrator too-many-sessions"],
  ["again", "foreign-form dialog-over launch-expired launch-used platform-launch-expired page-reloaded"],
  ["again", "not-this-browser token-expired token-issuer token-nonce token-signature nonce-used"],
  ["again", "target-changed not-a-launch login-unknown"],
];
const titles: ReadonlyMap<string, Title> = new Map(
  codesByTitle.flatMap(([title, codes]) => codes.split(" ").map((code) => [code, title] as const)),
);

function titleOf(code: string, address: string): Title {
  if (isOfStorage(code)) return "unexpected";
  const title = titles.get(code);
  if (title !== undefined) return title;
  return address.startsWith("/lti/register") ? "registration" : "classroom";
}

/** Codes whose sentences name variables and files of the tool. */
const operatorsOnly: ReadonlySet<string> = new Set([
  "account-paused",
  "dialect-unreadable",
  "environment-off",
  "sealed-with-unknown-key",
  "throttle-store-unreachable",
]);

function isOperators(code: string): boolean {
  return code.startsWith("classroom-") || operatorsOnly.has(code);
}

/** A failure's sentence for the reader. All failures of the classroom get the same calm words; the log has their own sentences. */
function personalMessage(t: Translate, error: NamedError, toInstructor: boolean): string {
  // The log tells the operator which disk is full. People can only try again later.
  if (isOfStorage(error.code)) return t("problem.storageAway");
  if (!isOperators(error.code)) return sayError(t, error);
  if (error.temporary) return t(toInstructor ? "problem.unavailableToInstructor" : "problem.unavailable");
  return t(toInstructor ? "problem.brokenToInstructor" : "problem.broken");
}
