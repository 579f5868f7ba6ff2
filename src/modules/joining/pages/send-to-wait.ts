import type { Request, Response } from "express";
import { ticketDigest } from "../enter-class.ts";
import type { WaitingQueue } from "../waiting-queue.ts";
import type { QueuePositionStore } from "../store/queue-position-store.ts";
import { isInFrame } from "../../../web/browser-of.ts";
import { showOver, showWaiting, type WaitingPageDeps } from "./waiting-page.ts";
import { keepsCookies } from "../../../web/session-address.ts";
import { keepTicket, waitingAddress } from "./waiting-proof.ts";
import { pagePresentMs } from "../rules/limits.ts";

export type SendToWaitDeps = WaitingPageDeps & {
  queuePositions: Pick<QueuePositionStore, "findByTicket">;
  waitingQueue: Pick<WaitingQueue, "look">;
  publicUrl: string;
};

/** With a new ticket: by redirect where the browser keeps cookies, else on a page that carries the ticket. */
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
  const view = await deps.waitingQueue.look({ ...position, state: "waiting" }, pagePresentMs);
  // Without scripts a page at top level reloads its address: nearly every browser keeps the cookie there.
  const looksAgain = isInFrame(request) ? "by-hand" : "by-address";
  await showWaiting(deps, position, view, { ticket, looksAgain }, response);
}
