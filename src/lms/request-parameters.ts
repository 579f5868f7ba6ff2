import { LaunchRefusal } from "./launch-refusal.ts";
import { maxParameterLength } from "./limits.ts";
import { cutTo } from "../kernel/text.ts";

/** Each name once, each value text. */
export type RequestParameters = Readonly<Record<string, string>>;

/**
 * Query and form parameters as text; the form wins.
 * @throws LaunchRefusal "request-malformed" for repeated names and non-text values: they would reach a database as
 *   operators and a cookie as part of its name.
 */
export function requestParameters(...sources: readonly unknown[]): RequestParameters {
  const entries: [string, string][] = [];
  for (const source of sources) {
    if (source === undefined || source === null) continue;
    if (typeof source !== "object" || Array.isArray(source)) throw new LaunchRefusal("request-malformed");
    for (const [name, value] of Object.entries(source)) {
      if (typeof value !== "string" || value.length > maxParameterLength || /[[\]$]/.test(name)) {
        throw new LaunchRefusal("request-malformed", { parameter: cutTo(name, 40) });
      }
      entries.push([name, value]);
    }
  }
  return Object.fromEntries(entries);
}

/** URL-safe base64, as ours. ltijs puts it into the name of a cookie. */
export function looksLikeState(state: string | undefined): state is string {
  return state !== undefined && /^[\w-]{1,2048}$/.test(state);
}
