import type { Request } from "express";

/**
 * Whether the browser says that a form was sent from a page of ours. `Sec-Fetch-Site` decides where it is sent
 * ("none" is the person themselves: a reload, a restored tab); older browsers send `Origin`. A browser that sends
 * neither is left to what the form carries.
 */
export function isFromHere(request: Pick<Request, "get">, publicUrl: string): boolean {
  const site = request.get("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const origin = request.get("origin");
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin;
}
