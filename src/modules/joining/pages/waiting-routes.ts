import type { App } from "../../../app.ts";
import { readForm } from "../../../kernel/read-form.ts";
import { type Request, type Response, Router } from "express";
import type { QueuePosition } from "../rules/queue-position.ts";
import { enterClass, takeLogin } from "../enter-class.ts";
import { entryStateOf, findTarget } from "../entry-target.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { storedRefusal } from "../../../kernel/refusal.ts";
import { isInFrame, readerLocale } from "../../../web/browser-of.ts";
import { notSetUp, paused, showClosed, type AnyClosedEntry } from "./closed-entry.ts";
import { showError } from "../../../web/error-page.ts";
import { allowFormsTo } from "../../../web/security-headers.ts";
import type { Translate } from "../../../web/translate.ts";
import { sessionToEnter, showInside } from "./space-page.ts";
import { createQueueStreams, queueText } from "./queue-streams.ts";
import {
  nameOfCourse,
  readVisit,
  type Return,
  sendToWait,
  showElsewhere,
  showOver,
  showWaiting,
  type Visit,
  waitingAddress,
} from "./waiting-page.ts";
import { pagePresentMs, pollPresentMs } from "../rules/limits.ts";

type Owned = Extract<Visit, { proof: "ticket" }>;

/**
 * The waiting page also lets the person in once the login is there. It's loaded by POST if the browser keeps no cookie. /again tries again
 * after a failure. The page's script uses the other routes.
 */
export function waitingRoutes(app: App): Router {
  const router = Router();
  const streams = createQueueStreams(app);
  const form = readForm({ maxBytes: 4 * 1024 });
  // A prefetch must not use up the login.
  router.head("/waiting{/*rest}", (_request, response) => {
    response.status(204).end();
  });
  router.get("/waiting", async (request, response) => {
    if (isPrefetch(request)) response.status(503).set("Retry-After", "1").end();
    else await showPosition(app, await visitOf(app, request, response), request, response);
  });
  router.post("/waiting", form, async (request, response) => {
    const visit = await visitOf(app, request, response);
    // This browser has the cookie, so it needs only the address from here on, and a reload sends no form.
    if (visit.proof === "ticket" && visit.hasCookie) response.redirect(303, waitingAddress(visit.ticket));
    else await showPosition(app, visit, request, response);
  });
  /** A route for the page's script, which also learns here that the position is gone. */
  const forScript = (
    path: string,
    act: (position: QueuePosition, t: Translate, course: string, response: Response) => void | Promise<void>,
  ) =>
    router.post(path, form, async (request, response) => {
      const visit = await readVisit(app, request);
      if (visit.proof !== "ticket") {
        response.status(410).json({ state: "gone" });
        return;
      }
      const { position } = visit;
      const t = app.translatorOf(position.locale);
      await act(position, t, await nameOfCourse(app, t, position), response);
    });
  forScript("/waiting/events", (position, t, course, response) => {
    streams.open(position, course, (view) => queueText(t, course, view), response);
  });
  forScript("/waiting/state", async (position, t, course, response) => {
    const view = await app.waitingQueue.currentView(position, pollPresentMs);
    response.json(queueText(t, course, view));
  });
  // The address alone, for example from a bookmark, doesn't prove whose attempt it was.
  router.get("/waiting/again", async (_request, response) => {
    await showOver(app, "gone", null, response);
  });
  router.post("/waiting/again", form, async (request, response) => {
    await tryAgain(app, await visitOf(app, request, response), request, response);
  });
  return router;
}

/** The page shows the institution's branding only once the browser has proved that the position is its own. */
async function visitOf(app: App, request: Request, response: Response): Promise<Visit> {
  const visit = await readVisit(app, request);
  if (visit.proof === "ticket") await app.framing.useBranding(visit.position.registrationId);
  // The page's form leads into the Space.
  if (visit.proof !== "gone") allowFormsTo(response, app.entryTargetsOf(visit.position.environment));
  return visit;
}

function isPrefetch(request: Request): boolean {
  const purposes = ["Sec-Purpose", "Purpose", "X-Moz"].map((name) => request.get(name) ?? "");
  return purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose));
}

async function showPosition(app: App, visit: Visit, request: Request, response: Response): Promise<void> {
  if (visit.proof !== "ticket") {
    await turnAway(app, visit, request, response);
    return;
  }
  const { position, ticket, hasCookie } = visit;
  try {
    const admission = await takeLogin(app, position);
    if (admission.state === "inside") {
      const { url, position: entry } = admission;
      await showInside(app, { url, entry, arrivedAt: position.arrivedAt }, response);
    } else if (admission.state === "failed") throw storedRefusal(admission.problem);
    else if (admission.state !== "waiting") await showOver(app, admission.state, position, response);
    else {
      // Also reached by a person whose login no longer fitted and who waits again.
      const view = await app.waitingQueue.currentView({ ...position, state: "waiting" }, pagePresentMs);
      const back: Return = hasCookie
        ? { ticket: null, looksAgain: "by-address" }
        : { ticket, looksAgain: "by-hand" };
      await showWaiting(app, position, view, back, response);
    }
  } catch (thrown) {
    await showProblem(app, visit, thrown, request, response);
  }
}

/** A browser without a ticket causes no calls to the classroom and uses nothing up. */
async function turnAway(app: App, visit: Exclude<Visit, Owned>, request: Request, response: Response) {
  if (visit.proof === "none") await showElsewhere(app, readerLocale(request), visit.position, response);
  else await showOver(app, "gone", null, response);
}

/** Joins the end of the queue again. Positions that haven't failed show their state. */
async function tryAgain(app: App, visit: Visit, request: Request, response: Response): Promise<void> {
  if (visit.proof !== "ticket") {
    await turnAway(app, visit, request, response);
    return;
  }
  const { position } = visit;
  if (position.state !== "failed") {
    if (visit.hasCookie) response.redirect(303, waitingAddress(visit.ticket));
    else await showPosition(app, visit, request, response);
    return;
  }
  try {
    const { courseId, personId, courseLinkId, role, locale, mobile, shown } = position;
    const entry = { courseId, personId, courseLinkId, role, locale, mobile, shown };
    const entered = await enterClass(app, entry);
    if (entered.state === "closed") {
      await showClosedEntry(app, position, entered.closed, request, response);
      return;
    }
    await app.queuePositions.forget(position.id);
    if (entered.state === "inside")
      await showInside(app, { ...entered, arrivedAt: position.arrivedAt }, response);
    else await sendToWait(app, entered.ticket, request, response);
  } catch (thrown) {
    await showProblem(app, visit, thrown, request, response);
  }
}

async function showClosedEntry(
  app: App,
  position: QueuePosition,
  closed: AnyClosedEntry,
  request: Request,
  response: Response,
): Promise<void> {
  const session = sessionToEnter(position, position.arrivedAt);
  const { shown } = position;
  await showClosed(app, session, closed, response, { framed: isInFrame(request), shown, returnUrl: null });
}

/** Returns null if the failure has another reason, or entry is open again. */
async function closedEntryBehind(
  app: App,
  position: QueuePosition,
  thrown: unknown,
): Promise<AnyClosedEntry | null> {
  if (!(thrown instanceof NamedError)) return null;
  if (thrown.code === "environment-off" && position.role !== "instructor") return notSetUp;
  if (thrown.code === "account-paused" && position.role !== "instructor") return paused;
  if (thrown.code !== "entry-closed") return null;
  const entryState = await entryStateOf(app, await findTarget(app, position));
  return entryState.state === "closed" ? entryState : null;
}

async function showProblem(
  app: App,
  { position, ticket, hasCookie }: Owned,
  thrown: unknown,
  request: Request,
  response: Response,
): Promise<void> {
  const closed = await closedEntryBehind(app, position, thrown);
  if (closed !== null) {
    await showClosedEntry(app, position, closed, request, response);
    return;
  }
  const options = { showReason: position.role === "instructor" };
  const again =
    position.state === "failed"
      ? { retry: { action: "/waiting/again", place: position.ticket, ticket: hasCookie ? null : ticket } }
      : {};
  const t = app.translatorOf(position.locale);
  showError({ ...app, t }, request, response, thrown, { ...options, ...again });
}
