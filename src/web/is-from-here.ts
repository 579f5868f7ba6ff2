import type { Request } from "express";

/**
 * Whether a page of ours sent a form, by the browser. `Sec-Fetch-Site` decides ("none" is the person: a reload, a
 * restored tab), in older browsers `Origin`. Without both, what the form carries must decide.
 */
export function isFromHere(request: Pick<Request, "get">, publicUrl: string): boolean {
  const site = request.get("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const origin = request.get("origin");
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin;
}
