import type { Request, Response } from "express";
import { sessionLifetimeMs } from "../../../domain/browser-session.ts";
import type { Registration } from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { scannedAt } from "../../check-in/rules/check-in.ts";
import { type EnterClassDeps, enterTarget, reserveFor } from "../../joining/enter-class.ts";
import type { EntryTarget } from "../../joining/entry-target.ts";
import { closedByAccount, type ClosedPageDeps, showClosed } from "../../joining/pages/closed-entry.ts";
import {
  showInside,
  type ShowInsideDeps,
  type ShownWish,
  targetAsShown,
} from "../../joining/pages/space-page.ts";
import { sendToWait, type SendToWaitDeps } from "../../joining/pages/waiting-page.ts";
import type { RecordedLaunch } from "../record-launch.ts";
import { closedSpaceRefusals } from "../../spaces/space-rights.ts";
import { sendAnswer } from "../../../web/answer.ts";
import { browserOf, isInFrame } from "../../../web/browser-of.ts";
import { frameOf } from "../../../web/course-pages.ts";
import { type ErrorPageDeps, showError } from "../../../web/error-page.ts";
import { sayPlace } from "../../../web/page-address.ts";
import {
  keepsCookies,
  type SessionCookie,
  sessionFolder,
  sessionIdIn,
} from "../../../web/session-address.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { homePage, type HomePageDeps } from "./home-page.ts";

type SendInsideDeps = EnterClassDeps &
  HomePageDeps &
  ClosedPageDeps &
  ShowInsideDeps &
  SendToWaitDeps &
  Omit<ErrorPageDeps, "t"> & {
    sessions: Sessions;
    sessionCookie: SessionCookie;
    translatorOf: TranslatorOf;
  };

/** What a launch has just read and written, so that it is not read again. */
export type KnownOfLaunch = RecordedLaunch & { registration: Registration };

/**
 * Reserves a queue position, and shows the first page, at its own address where the browser keeps cookies. Of a closed
 * entry a learner's home says so, else a page of its own.
 */
export async function showInFrame(
  deps: SendInsideDeps,
  session: Session,
  request: Request,
  response: Response,
  { returnUrl, known }: { returnUrl: string | null; known?: KnownOfLaunch },
): Promise<void> {
  const target = await targetAsShown(deps, session, browserOf(request), "as-set", known);
  const instructs = session.role === "instructor";
  const shut = closedByAccount(deps, target.course);
  const shutFor = instructs ? null : shut;
  // Begun together, two writes share one commit of the embedded engine.
  const [closed, token] = await Promise.all([
    // No position for a Space that cannot be entered; instructors arrange their course meanwhile.
    shut === null ? reserveOrHome(deps, session, target) : shutFor,
    deps.sessions.issue(session, known),
  ]);
  const begun = { ...session, token };
  if (session.only === "entry" && closed !== null) {
    await showClosed(deps, begun, closed, response, { framed: true, shown: "tab", returnUrl });
    return;
  }
  if (session.only !== "entry" && keepsCookies(request)) {
    deps.sessionCookie.set(request, response, token, sessionLifetimeMs);
    // A person who scans a code with this browser comes to their own page of the course.
    if (!instructs && target.course.checkIn)
      deps.sessionCookie.point(request, response, token, sessionLifetimeMs, scannedAt);
    response.redirect(303, `${sessionFolder(sessionIdIn(token))}/home?launched=1`);
    return;
  }
  const { registration } = known ?? {};
  if (session.only !== "entry") sayPlace(request, response, "/home");
  const answer = await homePage(deps, begun, { ...target, registration });
  await sendAnswer(response, answer, () => frameOf(deps, { session: begun, course: target.course }));
}

async function showEntered(
  deps: SendInsideDeps,
  session: Session,
  entered: Awaited<ReturnType<typeof enterTarget>>,
  request: Request,
  response: Response,
  { wish, returnUrl }: { wish: ShownWish; returnUrl: string | null },
): Promise<void> {
  if (entered.state === "inside") await showInside(deps, { ...entered, session }, response);
  else if (entered.state === "closed")
    await showClosed(deps, session, entered.closed, response, {
      framed: isInFrame(request),
      shown: wish === "tab" ? "tab" : "embedded",
      returnUrl,
    });
  else await sendToWait(deps, entered.ticket, request, response);
}

/** Redirects the browser into the Space, or shows a page from which the same entry can be tried again. */
export async function sendInside(
  deps: SendInsideDeps,
  session: Session,
  request: Request,
  response: Response,
  { wish, returnUrl, known }: { wish: ShownWish; returnUrl: string | null; known?: KnownOfLaunch },
): Promise<void> {
  try {
    const target = await targetAsShown(deps, session, browserOf(request), wish, known);
    const { shown, mobile } = target.entry;
    if (shown === "tab" && isInFrame(request) && (wish === "embedded" || mobile)) {
      // The setting has changed since, or this is a phone's or a tablet's frame.
      await showInFrame(deps, session, request, response, { returnUrl });
      return;
    }
    const shut = session.role === "instructor" ? null : closedByAccount(deps, target.course);
    if (shut !== null) {
      await showClosed(deps, session, shut, response, {
        framed: isInFrame(request),
        shown: "tab",
        returnUrl,
      });
      return;
    }
    const entered = await enterTarget(deps, target);
    await showEntered(deps, session, entered, request, response, { wish, returnUrl });
  } catch (thrown) {
    if (choosesSpace(session, thrown)) {
      await showInFrame(deps, session, request, response, { returnUrl });
      return;
    }
    showError({ ...deps, t: deps.translatorOf(session.locale) }, request, response, thrown, {
      retry: {
        action: "/enter",
        session: await deps.sessions.issue(session),
        shown: wish === "tab" ? "tab" : "embedded",
      },
      showReason: session.role === "instructor",
      returnUrl,
    });
  }
}

/** Null before a Space that the course may not use, for instructors: they see their home. */
async function reserveOrHome(deps: EnterClassDeps, session: Session, target: EntryTarget) {
  try {
    return await reserveFor(deps, target);
  } catch (thrown) {
    if (choosesSpace(session, thrown)) return null;
    throw thrown;
  }
}

/** Whether a person who was refused a Space can choose another one: they see their home, not an error page. */
function choosesSpace({ role, only }: Session, thrown: unknown): boolean {
  const refused = thrown instanceof NamedError && closedSpaceRefusals.includes(thrown.code);
  return refused && role === "instructor" && only !== "entry";
}
