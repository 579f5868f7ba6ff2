import type { Request, Response } from "express";
import { newsField } from "./page-news.ts";
import type { PageLocation } from "./page-parts.ts";
import { isByAddress, sessionAskedFor, sessionFolder } from "./session-address.ts";

/** Fields in an address; empty ones are left out. */
export type AddressFields = Readonly<Record<string, string>>;

/** A proxy may refuse longer addresses. Such a page answers the form itself. */
const maxAddressLength = 4_000;

/**
 * The address of a page for the browser that asks, or null if the browser can't be redirected there.
 * @param room How many characters will still be added.
 */
export function addressOf(request: Request, path: string, fields: AddressFields, room = 0): string | null {
  const id = sessionAskedFor(request);
  if (id === null || !isByAddress(request)) return null;
  const address = pathOf(path, fields, room);
  return address === undefined ? null : sessionFolder(id) + address;
}

/** A page's address below its session's; undefined if it would be too long. */
export function pathOf(path: string, fields: AddressFields, room = 0): string | undefined {
  const address = addressBelow(path, fields);
  return address.length + room > maxAddressLength ? undefined : address;
}

/** A page's address below its session's, however long it is. */
export function addressBelow(path: string, fields: AddressFields): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== "")).toString();
  return path.replace(/^\/course/, "") + (query === "" ? "" : `?${query}`);
}

/** The most characters that `withNews` adds. */
export const newsLength = 32;

export function withNews(address: string, name: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}${newsField}=${encodeURIComponent(name)}`;
}

/**
 * Tells the page's scripts where the page is (`PageLocation`).
 * @param pagePath Left out for an answer to a form, which has no address to show it again.
 */
export function setPagePath(
  request: Pick<Request, "get">,
  response: Pick<Response, "locals">,
  pagePath?: string,
): void {
  const location: PageLocation = {
    mayBeFramed: request.get("sec-fetch-dest") !== "document",
    ...(pagePath === undefined ? {} : { pagePath }),
  };
  Object.assign(response.locals, location);
}

/** The fields that a form sends, without the session. */
export function textsIn(posted: unknown): AddressFields {
  const entries = typeof posted === "object" && posted !== null ? Object.entries(posted) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]: [string, unknown]) =>
      typeof value === "string" && name !== "session" ? [[name, value]] : [],
    ),
  );
}

/** For addresses from the LMS: only a web address may become a link, never `javascript:`. */
export function webAddressOrNull(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

export function originOrNull(address: string | null): string | null {
  const known = webAddressOrNull(address);
  return known === null ? null : new URL(known).origin;
}
