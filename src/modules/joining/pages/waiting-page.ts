import type { App } from "../../../app.ts";
import type { Request, Response } from "express";
import { noteActor } from "../../../kernel/request-scope.ts";
import { ticketDigest } from "../enter-class.ts";
import { pagePresentMs, positionLifetimeMs, refreshSeconds } from "../rules/limits.ts";
import type { QueuePosition, QueueView } from "../rules/queue-position.ts";
import type { QueuePositionStore } from "../store/queue-position-store.ts";
import { isInFrame } from "../../../web/browser-of.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import type { Head } from "../../../web/partials.ts";
import { allowFormsTo } from "../../../web/security-headers.ts";
import { cookiesOf, keepsCookies } from "../../../web/session-address.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { type QueueText, queueText } from "./queue-streams.ts";

type WaitingApp = Pick<App, "courses" | "queuePositions" | "waitingQueue" | "entryTargetsOf"> &
  Pick<App, "publicUrl" | "translatorOf">;

/** Sends a person with a new ticket to the waiting page: by redirect if the browser keeps cookies, otherwise the page itself carries the ticket. */
export async function sendToWait(app: WaitingApp, ticket: string, request: Request, response: Response) {
  keepTicket(app.publicUrl, ticket, request, response);
  if (keepsCookies(request)) {
    response.redirect(303, waitingAddress(ticket));
    return;
  }
  const position = await app.queuePositions.findByTicket(ticketDigest(ticket));
  if (position === null) {
    await showOver(app, "gone", null, response);
    return;
  }
  const view = await app.waitingQueue.currentView({ ...position, state: "waiting" }, pagePresentMs);
  // Without scripts, a page at top level reloads its address, because nearly every browser keeps the cookie there.
  const looksAgain = isInFrame(request) ? "by-hand" : "by-address";
  await showWaiting(app, position, view, { ticket, looksAgain }, response);
}

/** How a waiting page asks again. */
export type Return = {
  /** The ticket that its forms carry, or null if the cookie has it. */
  ticket: string | null;
  /** Without scripts, it reloads its address or waits for its button. */
  looksAgain: "by-address" | "by-hand";
};

export type WaitingPage = Head & {
  courseName: string;
  words: Pick<Extract<QueueText, { title: string }>, "place" | "time" | "trouble" | "before">;
  address: string;
  /** The ticket's digest, as in the page's address. */
  place: string;
} & Return;

/** The page for a person without a position. */
export type WaitingOverPage = Head & {
  courseName: string | null;
  courseUrl: string | null;
  over: "entered" | "gone";
};

/** The page for a browser that has the address but not the ticket. */
export type WaitingElsewherePage = Head & { courseUrl: string | null };

const waitingPage = defineView<WaitingPage>("waiting/waiting");
const overPage = defineView<WaitingOverPage>("waiting/over");
const elsewherePage = defineView<WaitingElsewherePage>("waiting/elsewhere");

/** For a position that was just lost. The page says so at its next update. */
const noWords = { place: "", time: "", trouble: false, before: 0 };

/** Returns the course's name, or the tool's if the course is gone. */
export async function nameOfCourse(app: WaitingApp, t: Translate, position: QueuePosition): Promise<string> {
  const course = await app.courses.find(position.courseId);
  return course === null ? t("product.name") : courseNameOf(t, course);
}

/** Shows the waiting page. Its script or a reload keeps it up to date. */
export async function showWaiting(
  app: WaitingApp,
  position: QueuePosition,
  view: QueueView,
  { ticket, looksAgain }: Return,
  response: Response,
): Promise<void> {
  const t = app.translatorOf(position.locale);
  // The page's forms lead into the Space, and it may be shown without a session that allows that.
  allowFormsTo(response, app.entryTargetsOf(position.environment));
  const courseName = await nameOfCourse(app, t, position);
  const words = queueText(t, courseName, view);
  const address = `/waiting?place=${position.ticket}`;
  renderView(response, waitingPage, {
    t,
    title: "title" in words ? words.title : courseName,
    courseName,
    words: "title" in words ? words : noWords,
    address,
    place: position.ticket,
    ticket,
    ...(looksAgain === "by-address" ? { refreshes: `${refreshSeconds};url=${address}` } : {}),
    looksAgain,
  });
}

/** Shows that the position was used, taken by another tab, or forgotten. */
export async function showOver(
  app: WaitingApp,
  why: "ready" | "entered" | "gone",
  position: QueuePosition | null,
  response: Response,
): Promise<void> {
  const t = app.translatorOf(position?.locale ?? null);
  const course = position === null ? null : await app.courses.find(position.courseId);
  const over = why === "entered" ? "entered" : "gone";
  renderView(response.status(410), overPage, {
    t,
    title: t(`waiting.over.${over}.heading`),
    courseName: course === null ? null : courseNameOf(t, course),
    courseUrl: webAddressOrNull(course?.courseUrl ?? null),
    over,
  });
}

/** Names no person and no course. The owner's tab may have the ticket in its history, and then its script uses it. */
export async function showElsewhere(
  app: WaitingApp,
  locale: string | null,
  position: QueuePosition,
  response: Response,
): Promise<void> {
  const t = app.translatorOf(locale);
  const course = await app.courses.find(position.courseId);
  renderView(response.status(403), elsewherePage, {
    t,
    title: t("waiting.elsewhere.heading"),
    courseUrl: webAddressOrNull(course?.courseUrl ?? null),
  });
}

/**
 * Whether a browser has proved that a position is its own. The page's address carries the ticket's digest, which proves nothing. The ticket
 * itself stays in a cookie, or in the page if the browser keeps no cookies.
 */
export type Visit =
  /** The position doesn't exist, or the request named none. */
  | { proof: "gone" }
  /** The position exists, but the browser has no ticket for it. */
  | { proof: "none"; position: QueuePosition }
  /** `hasCookie`: the request carried the cookie, so this browser needs only the address. */
  | { proof: "ticket"; position: QueuePosition; ticket: string; hasCookie: boolean };

/** The address doesn't reveal the ticket. */
export function waitingAddress(ticket: string): string {
  return `/waiting?place=${ticketDigest(ticket)}`;
}

export function waitingCookieName(publicUrl: string, position: string): string {
  return `${isSecure(publicUrl) ? "__Secure-" : ""}place_${position}`;
}

/**
 * Keeps the ticket in a cookie that only the waiting page gets. In an LMS's frame, only a partitioned cross-site cookie can work. At top
 * level, requests from other sites don't carry it.
 */
function keepTicket(publicUrl: string, ticket: string, request: Request, response: Response): void {
  const secure = isSecure(publicUrl);
  const framed = secure && isInFrame(request);
  response.cookie(waitingCookieName(publicUrl, ticketDigest(ticket)), ticket, {
    httpOnly: true,
    path: "/waiting",
    secure,
    sameSite: framed ? "none" : "lax",
    partitioned: framed,
    // Lives as long as the position, so a person who comes back later sees the outcome.
    maxAge: positionLifetimeMs,
  });
}

export async function readVisit(
  app: { queuePositions: Pick<QueuePositionStore, "findByTicket">; publicUrl: string },
  request: Request,
): Promise<Visit> {
  const form = fieldsOf(request.body);
  const posted = ticketOf(form.get("ticket"));
  const name =
    posted === null
      ? positionNameOf(request.method === "GET" ? request.query.place : form.get("place"))
      : ticketDigest(posted);
  const position = name === null ? null : await app.queuePositions.findByTicket(name);
  if (name === null || position === null) return { proof: "gone" };
  const cookie = ticketOf(cookiesOf(request, waitingCookieName(app.publicUrl, name))[0]);
  const cookieTicket = cookie !== null && ticketDigest(cookie) === name ? cookie : null;
  const ticket = posted ?? cookieTicket;
  const { registrationId, personId, role } = position;
  if (ticket !== null) noteActor({ kind: "person", registrationId, personId, role });
  return ticket === null
    ? { proof: "none", position }
    : { proof: "ticket", position, ticket, hasCookie: cookieTicket !== null };
}

function fieldsOf(body: unknown): Map<string, unknown> {
  return new Map(typeof body === "object" && body !== null ? Object.entries(body) : []);
}

function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === "https:";
}

/** Accepts a ticket as `enterClass` makes it, or a longer one. Null for anything else, such as a repeated parameter. */
function ticketOf(given: unknown): string | null {
  return typeof given === "string" && /^[\w-]{20,100}$/.test(given) ? given : null;
}

/** Accepts a ticket's digest, as in the waiting page's address. Null for anything else. */
function positionNameOf(given: unknown): string | null {
  return typeof given === "string" && /^[\w-]{43}$/.test(given) ? given : null;
}
