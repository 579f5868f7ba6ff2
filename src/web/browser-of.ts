import type { Request } from "express";

/** What a request says of its browser, as far as an answer depends on it. */
export type Browser = {
  /** A phone or a tablet. */
  mobile: boolean;
  /** Perhaps a tablet that calls itself a computer; a page's script would know. */
  maybeTablet: boolean;
  /** The page is inside another one. */
  framed: boolean;
};

export function browserOf(request: Request): Browser {
  const maybeTablet = mayBeTablet(request.get("user-agent") ?? "");
  return { mobile: isMobile(request), maybeTablet, framed: isInFrame(request) };
}

/** iPadOS says Macintosh, but no browser there is Chrome's or Firefox's own; Android's "Desktop site" says Linux. */
export function mayBeTablet(userAgent: string): boolean {
  if (userAgent.includes("Macintosh")) return !/Chrome\/|Firefox\//.test(userAgent);
  return userAgent.includes("X11; Linux");
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
