import type { Dialect } from "../dialect.ts";
import type { Seen } from "./create-probe.ts";

export type Verdict =
  | "answers"
  /** It exists; the thing asked for does not, or the request was refused. */
  | "exists"
  | "complains"
  | "not-here"
  /** The same answer as for an address that does not exist. */
  | "like-unknown"
  /** A web page instead of JSON. */
  | "page"
  | "redirects"
  | "key-refused"
  | "limited"
  | "fails"
  | "no-answer";

/** An unknown address's answer, for comparison; its values are never shown. */
export function fingerprint(seen: Seen, own: readonly string[]): string {
  if (seen.kind === "failure") return `failure ${seen.reason}`;
  const text = typeof seen.reply === "string" ? seen.reply : JSON.stringify(seen.reply);
  const bare = own.reduce((rest, one) => rest.replaceAll(one, "#"), text);
  // Request ids, times and counters differ between answers.
  return `${seen.status} ${bare.replace(/\?[\w=&%#.-]*/g, "").replace(/[0-9a-f-]{8,}|\d+/gi, "#")}`;
}

/** @param unknown The fingerprint of an address that does not exist; null for none. */
export function judgeAnswer(
  statuses: Dialect["statuses"],
  seen: Seen,
  unknown: string | null,
  own: readonly string[],
): Verdict {
  if (seen.kind === "failure") return "no-answer";
  const { status } = seen;
  if (status === 429) return "limited";
  if (status >= 500) return "fails";
  if (statuses.keyRefused.includes(status)) return "key-refused";
  if (status < 300) return isPage(seen.reply) ? "page" : "answers";
  if (status < 400) return "redirects";
  if (statuses.gone.includes(status) || statuses.elsewhere.includes(status)) {
    if (status === 405) return "not-here";
    return fingerprint(seen, own) === unknown ? "like-unknown" : "exists";
  }
  return "complains";
}

function isPage(reply: unknown): boolean {
  return typeof reply === "string" && reply.trimStart().startsWith("<");
}
