import type { Request } from "express";

/** What a request says of its browser, as far as an answer depends on it. */
export type Browser = {
  /** A phone or a tablet. */
  mobile: boolean;
  /** The page is inside another one. */
  framed: boolean;
};

export function browserOf(request: Request): Browser {
  return { mobile: isMobile(request), framed: isInFrame(request) };
}

/** Whether a page of ours is loaded in a frame. */
export function isInFrame(request: Pick<Request, "get">): boolean {
  const destination = request.get("sec-fetch-dest");
  return destination === "iframe" || destination === "frame";
}

/**
 * Whether the browser is a phone's or a tablet's, where the classroom is not reliable inside another page (document part
 * 1.2) and cannot record locally (part 4). iPadOS calls itself Macintosh: only a page's script can tell, and the page says
 * it in its form (`views/assets/device.js`).
 */
export function isMobile(request: Request): boolean {
  if (request.get("sec-ch-ua-mobile") === "?1") return true;
  if (/Mobi|Android|iPhone|iPad/i.test(request.get("user-agent") ?? "")) return true;
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "device" in body && body.device === "tablet";
}
