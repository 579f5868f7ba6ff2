import { maxIdLength } from "./limits.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";

/**
 * From its pasted address {app_url}/spaces/<space_id>, with or without parameters, or from the id alone. @param appUrl
 * The web application of the course's environment; others' addresses do not count. @returns null when it is neither.
 */
export function spaceIdFrom(typed: string, appUrl: string): string | null {
  const text = typed.trim();
  if (/^[A-Za-z0-9][\w.~-]*$/.test(text)) return usableId(text);
  const address = URL.parse(text);
  const app = URL.parse(appUrl);
  if (address === null || app === null || address.origin !== app.origin) return null;
  const folder = `${withoutTrailingSlashes(app.pathname)}/spaces/`;
  if (!address.pathname.startsWith(folder)) return null;
  const [segment = ""] = address.pathname.slice(folder.length).split("/");
  try {
    return usableId(decodeURIComponent(segment));
  } catch {
    return null; // a broken percent sign
  }
}

function usableId(id: string): string | null {
  const usable = id.length <= maxIdLength && /^[^\s/\\\p{Cc}]+$/u.test(id) && !/^\.*$/.test(id);
  return usable ? id : null;
}
