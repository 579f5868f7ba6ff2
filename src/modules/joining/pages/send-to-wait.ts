import type { Request, Response } from "express";
import { ticketDigest } from "../enter-class.ts";
import type { WaitingQueue } from "../waiting-queue.ts";
import type { QueuePositionStore } from "../store/queue-position-store.ts";
import { isInFrame } from "./closed-page.ts";
import { showOver, showWaiting, type WaitingPageDeps } from "./waiting-page.ts";
import { keepsCookies, keepTicket, waitingAddress } from "./waiting-proof.ts";

export type SendToWaitDeps = WaitingPageDeps & {
  queuePositions: Pick<QueuePositionStore, "findByTicket">;
  waitingQueue: Pick<WaitingQueue, "look">;
  publicUrl: string;
};

/** Somebody counts as there for so long (ms) after opening the page: without scripts it comes again after five seconds. */
export const pageCountsFor = 30_000;

/**
 * Sends somebody with a new ticket to the waiting page. A browser that is known to keep cookies goes to the page's address;
 * otherwise the answer is the page itself, with the ticket in it, since a redirect could not bring that along.
 */
export async function sendToWait(
  deps: SendToWaitDeps,
  ticket: string,
  request: Request,
  response: Response,
): Promise<void> {
  keepTicket(deps.publicUrl, ticket, request, response);
  if (keepsCookies(request)) {
    response.redirect(303, waitingAddress(ticket));
    return;
  }
  const position = await deps.queuePositions.findByTicket(ticketDigest(ticket));
  if (position === null) {
    await showOver(deps, "gone", null, response);
    return;
  }
  const view = await deps.waitingQueue.look({ ...position, state: "waiting" }, pageCountsFor);
  // Without scripts a page in a window of its own looks again by its address: there nearly every browser keeps the cookie.
  const looksAgain = isInFrame(request) ? "by-hand" : "by-address";
  await showWaiting(deps, position, view, { ticket, looksAgain }, response);
}
