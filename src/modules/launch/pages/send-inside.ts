import type { Request, Response } from "express";
import type { App } from "../../../app.ts";
import { sessionLifetimeMs } from "../../../domain/browser-session.ts";
import type { Registration } from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { scannedAt } from "../../check-in/rules/check-in.ts";
import { closedFor, type EnteringApp, enterTarget, reserveFor } from "../../joining/enter-class.ts";
import type { EntryTarget } from "../../joining/entry-target.ts";
import { type AnyClosedEntry, closedByAccount, showClosed } from "../../joining/pages/closed-entry.ts";
import { showInside, type EntryView, entryTargetFor } from "../../joining/pages/space-page.ts";
import { sendToWait } from "../../joining/pages/waiting-page.ts";
import type { RecordedLaunch } from "../record-launch.ts";
import { closedSpaceRefusals } from "../../spaces/space-rights.ts";
import { sendAnswer } from "../../../web/answer.ts";
import { browserOf, isInFrame } from "../../../web/browser-of.ts";
import { frameOf } from "../../../web/course-words.ts";
import { showError } from "../../../web/error-page.ts";
import { setPagePath } from "../../../web/page-address.ts";
import { keepsCookies, minePath, sessionFolder, sessionIdIn } from "../../../web/session-address.ts";
import type { Session } from "../../../web/session.ts";
import { setTemplateLocals } from "../../../web/visits.ts";
import { homePage } from "./home-page.ts";

/** What a launch has just read and written, so it isn't read again. */
export type KnownOfLaunch = RecordedLaunch & { registration: Registration };

/**
 * Shows the first page, at its own address if the browser keeps cookies, then reserves a queue position. If entry is closed, a learner's home
 * says so. Others get a separate page.
 */
export async function showInFrame(
  app: App & EnteringApp,
  session: Session,
  request: Request,
  response: Response,
  { returnUrl, known }: { returnUrl: string | null; known?: KnownOfLaunch },
): Promise<void> {
  const target = await entryTargetFor(app, session, browserOf(request), "as-set", known);
  const shut = closedByAccount(app, target.course);
  const shutFor = session.role === "instructor" ? null : shut;
  const [{ closed, reserves }, token] = await Promise.all([
    // No position for a Space that can't be entered. Instructors can arrange their course in the meantime.
    shut === null ? closedOrHome(app, session, target) : { closed: shutFor, reserves: false },
    app.sessions.issue(session, known),
  ]);
  const begun = { ...session, token };
  await showFirstPage(app, begun, request, response, { returnUrl, target, closed });
  // The arrival time decides the position, so the answer doesn't wait for it. If the position is missing, the button makes it.
  if (reserves) await app.background.finish("reserve a position", () => reserveFor(app, target));
}

async function showFirstPage(
  app: App & EnteringApp,
  begun: Session & { token: string },
  request: Request,
  response: Response,
  shown: { returnUrl: string | null; target: EntryTarget; closed: AnyClosedEntry | null },
): Promise<void> {
  const { token } = begun;
  const { returnUrl, target, closed } = shown;
  const instructs = begun.role === "instructor";
  if (begun.only === "entry" && closed !== null) {
    await showClosed(app, begun, closed, response, { framed: true, shown: "tab", returnUrl });
    return;
  }
  if (begun.only !== "entry" && keepsCookies(request)) {
    app.sessionCookie.set(request, response, token, sessionLifetimeMs);
    app.sessionCookie.point(request, response, token, sessionLifetimeMs, minePath);
    // A person who scans a code with this browser comes to their own page of the course.
    if (!instructs && target.course.checkIn)
      app.sessionCookie.point(request, response, token, sessionLifetimeMs, scannedAt);
    response.redirect(303, `${sessionFolder(sessionIdIn(token))}/home?launched=1`);
    return;
  }
  const visit = { session: begun, course: target.course };
  if (begun.only !== "entry") setPagePath(request, response, "/home");
  if (instructs) setTemplateLocals(request, begun, target.course);
  const context = {
    visit,
    fields: {},
    t: app.translatorOf(begun.locale),
    browser: browserOf(request),
    typed: null,
  };
  await sendAnswer(response, await homePage(app, context, null, target), () => frameOf(app, visit));
}

async function showEntered(
  app: App & EnteringApp,
  session: Session,
  entered: Awaited<ReturnType<typeof enterTarget>>,
  request: Request,
  response: Response,
  { requested, returnUrl }: { requested: EntryView; returnUrl: string | null },
): Promise<void> {
  if (entered.state === "inside") await showInside(app, { ...entered, session }, response);
  else if (entered.state === "closed")
    await showClosed(app, session, entered.closed, response, {
      framed: isInFrame(request),
      shown: requested === "tab" ? "tab" : "embedded",
      returnUrl,
    });
  else await sendToWait(app, entered.ticket, request, response);
}

/** In a tab, the page after class and links in mails find the reader's pages of this course by the browser's own cookie. */
async function findablePages(
  app: Pick<App, "sessions" | "sessionCookie">,
  session: Session,
  request: Request,
  response: Response,
  known?: KnownOfLaunch,
): Promise<Session> {
  if (session.only === "entry" || isInFrame(request)) return session;
  const token = await app.sessions.issue(session, known);
  app.sessionCookie.set(request, response, token, sessionLifetimeMs);
  app.sessionCookie.point(request, response, token, sessionLifetimeMs, minePath);
  return { ...session, token };
}

/** Redirects the browser into the Space, or shows a page from which the person can try again. */
export async function sendInside(
  app: App & EnteringApp,
  session: Session,
  request: Request,
  response: Response,
  { requested, returnUrl, known }: { requested: EntryView; returnUrl: string | null; known?: KnownOfLaunch },
): Promise<void> {
  try {
    const target = await entryTargetFor(app, session, browserOf(request), requested, known);
    const { shown, mobile } = target.entry;
    if (shown === "tab" && isInFrame(request) && (requested === "embedded" || mobile)) {
      // The setting has changed since, or this is a phone's or tablet's frame.
      await showInFrame(app, session, request, response, { returnUrl });
      return;
    }
    const shut = session.role === "instructor" ? null : closedByAccount(app, target.course);
    if (shut !== null) {
      await showClosed(app, session, shut, response, { framed: isInFrame(request), shown: "tab", returnUrl });
      return;
    }
    const [entered, begun] = await Promise.all([
      enterTarget(app, target),
      findablePages(app, session, request, response, known),
    ]);
    await showEntered(app, begun, entered, request, response, { requested, returnUrl });
  } catch (thrown) {
    if (choosesSpace(session, thrown)) {
      await showInFrame(app, session, request, response, { returnUrl });
      return;
    }
    showError({ ...app, t: app.translatorOf(session.locale) }, request, response, thrown, {
      retry: {
        action: "/enter",
        session: await app.sessions.issue(session),
        shown: requested === "tab" ? "tab" : "embedded",
      },
      showReason: session.role === "instructor",
      returnUrl,
    });
  }
}

/** An instructor refused a Space that the course may not use counts as let in, without a position, and sees their home. */
async function closedOrHome(app: EnteringApp, session: Session, target: EntryTarget) {
  try {
    const closed = await closedFor(app, target);
    return { closed, reserves: closed === null };
  } catch (thrown) {
    if (choosesSpace(session, thrown)) return { closed: null, reserves: false };
    throw thrown;
  }
}

/** Whether a person who was refused a Space can choose another one. They see their home instead of an error page. */
function choosesSpace({ role, only }: Session, thrown: unknown): boolean {
  const refused = thrown instanceof NamedError && closedSpaceRefusals.includes(thrown.code);
  return refused && role === "instructor" && only !== "entry";
}
