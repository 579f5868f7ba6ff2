import { z } from "zod";

/** An http(s) address as a browser would write it (lower-case scheme and host, no default port), without a trailing slash: it is compared and prefixed as text. */
export const webAddress = z
  .string({ error: "is missing" })
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be a full http(s) address")
  .refine((text) => {
    const url = URL.parse(text);
    return url === null || (url.search === "" && url.hash === "" && url.username === "");
  }, "must have no user name, query or fragment")
  .transform((text) => (URL.parse(text)?.href ?? text).replace(/\/+$/, ""));

/** A secret that travels in a header, where a space or an umlaut would never arrive as it was set. */
export const headerSecret = z
  .string({ error: "is missing" })
  .min(8, "must have at least 8 characters")
  .regex(/^[\x21-\x7e]*$/, "must be ASCII without spaces or line breaks");
