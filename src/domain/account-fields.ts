import { z } from "zod";
import { withoutTrailingSlashes } from "../kernel/text.ts";

/** Why a text is no address of a service; null when it is one. */
export function addressFault(text: string): "not-an-address" | "address-parts" | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "not-an-address";
  return url.search === "" && url.hash === "" && url.username === "" ? null : "address-parts";
}

/** As a browser would write it (lower-case scheme and host, no default port), without a trailing slash: it is compared and prefixed as text. */
export function plainAddress(text: string): string {
  return withoutTrailingSlashes(URL.parse(text)?.href ?? text);
}

/** Why a secret cannot travel in a header, where a space or an umlaut would never arrive as it was set; null when it can. */
export function headerSecretFault(text: string): "short-secret" | "not-ascii" | null {
  if (text.length < 8) return "short-secret";
  return /^[\x21-\x7e]*$/.test(text) ? null : "not-ascii";
}

export const webAddress = z
  .string({ error: "is missing" })
  .refine((text) => addressFault(text) !== "not-an-address", "must be a full http(s) address")
  .refine((text) => addressFault(text) !== "address-parts", "must have no user name, query or fragment")
  .transform(plainAddress);

export const headerSecret = z
  .string({ error: "is missing" })
  .refine((text) => headerSecretFault(text) !== "short-secret", "must have at least 8 characters")
  .refine((text) => headerSecretFault(text) !== "not-ascii", "must be ASCII without spaces or line breaks");
