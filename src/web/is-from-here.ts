import type { Request } from "express";

/** By `Sec-Fetch-Site` ("none" is the person: a reload, a restored tab), else `Origin`; true when both are missing. */
export function isFromHere(request: Pick<Request, "get">, publicUrl: string): boolean {
  const site = request.get("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const origin = request.get("origin");
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin;
}
