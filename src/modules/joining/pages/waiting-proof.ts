import type { Request, Response } from "express";
import type { QueuePosition } from "../rules/queue-position.ts";
import { ticketDigest } from "../enter-class.ts";
import { noteActor } from "../../../kernel/request-scope.ts";
import type { QueuePositionStore } from "../store/queue-position-store.ts";
import { isInFrame } from "../../../web/browser-of.ts";
import { placeNameOf, ticketOf } from "./ticket-of.ts";
import { positionKeptMs } from "../rules/limits.ts";

/**
 * Proof of a position. The page's address carries the ticket's digest, which gives nothing; the ticket stays in its
 * browser, in a cookie, or in the page where cookies are not kept.
 */
export type Visit =
  /** No such position, or none was named. */
  | { proof: "gone" }
  /** The position exists, but the browser has no ticket. */
  | { proof: "none"; position: QueuePosition }
  /** `kept`: the cookie came along, so this browser needs only the address. */
  | { proof: "ticket"; position: QueuePosition; ticket: string; kept: boolean };

/** It does not reveal the ticket. */
export function waitingAddress(ticket: string): string {
  return `/waiting?place=${ticketDigest(ticket)}`;
}

export function waitingCookieName(publicUrl: string, position: string): string {
  return `${isSecure(publicUrl) ? "__Secure-" : ""}place_${position}`;
}

/**
 * For the waiting page alone. In an LMS's frame only a partitioned cross-site cookie can work; at top level no other
 * site's request carries it.
 */
export function keepTicket(publicUrl: string, ticket: string, request: Request, response: Response): void {
  const secure = isSecure(publicUrl);
  const framed = secure && isInFrame(request);
  response.cookie(waitingCookieName(publicUrl, ticketDigest(ticket)), ticket, {
    httpOnly: true,
    path: "/waiting",
    secure,
    sameSite: framed ? "none" : "lax",
    partitioned: framed,
    // As long as the position, so that coming back later shows the outcome.
    maxAge: positionKeptMs,
  });
}

export async function readVisit(
  deps: { queuePositions: Pick<QueuePositionStore, "findByTicket">; publicUrl: string },
  request: Request,
): Promise<Visit> {
  const form = fieldsOf(request.body);
  const posted = ticketOf(form.get("ticket"));
  const name =
    posted === null
      ? placeNameOf(request.method === "GET" ? request.query.place : form.get("place"))
      : ticketDigest(posted);
  const position = name === null ? null : await deps.queuePositions.findByTicket(name);
  if (name === null || position === null) return { proof: "gone" };
  const cookie = cookieOf(request, waitingCookieName(deps.publicUrl, name));
  const kept = cookie !== null && ticketDigest(cookie) === name ? cookie : null;
  const ticket = posted ?? kept;
  const { registrationId, personId, role } = position;
  if (ticket !== null) noteActor({ kind: "person", registrationId, personId, role });
  return ticket === null
    ? { proof: "none", position }
    : { proof: "ticket", position, ticket, kept: kept !== null };
}

function fieldsOf(body: unknown): Map<string, unknown> {
  return new Map(typeof body === "object" && body !== null ? Object.entries(body) : []);
}

function cookieOf(request: Request, name: string): string | null {
  const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const own = pairs.find((pair) => pair.startsWith(`${name}=`));
  return own === undefined ? null : ticketOf(own.slice(name.length + 1));
}

function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === "https:";
}
