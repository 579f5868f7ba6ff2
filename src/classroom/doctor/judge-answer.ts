import type { Dialect } from "../dialect.ts";
import type { Seen } from "./create-probe.ts";

/** What an answer says about an address. */
export type Verdict =
  /** It gave what was asked for. */
  | "answers"
  /** It is there; what was asked for is not, or the request was not liked. */
  | "exists"
  | "complains"
  /** Certainly not there with this method. */
  | "not-here"
  /** The same answer as for an address that certainly does not exist. */
  | "like-unknown"
  /** A web page instead of JSON. */
  | "page"
  | "redirects"
  | "key-refused"
  | "limited"
  | "fails"
  | "no-answer";

/** What an answer to an unknown address looks like, for comparison; values in it are compared, never shown. */
export function fingerprint(seen: Seen, own: readonly string[]): string {
  if (seen.kind === "failure") return `failure ${seen.reason}`;
  const text = typeof seen.reply === "string" ? seen.reply : JSON.stringify(seen.reply);
  const bare = own.reduce((rest, one) => rest.replaceAll(one, "#"), text);
  // Ids of requests, times and counters differ from answer to answer.
  return `${seen.status} ${bare.replace(/\?[\w=&%#.-]*/g, "").replace(/[0-9a-f-]{8,}|\d+/gi, "#")}`;
}

/** @param unknown The fingerprint of an address that does not exist; null when there is none to compare with. */
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
