import { type Clock, hourMs, systemClock } from "./clock.ts";
import { createTurnstile } from "./turnstile.ts";

/** The largest reply we read. Lists come in pages, so none needs more. */
export const maxReplyBytes = 2 * 1024 * 1024;
/** Replies longer than this are read one after the other. */
const largeBytes = 256 * 1024;
/** A sender that drips bytes holds up the others for no longer than this. */
const largeTurns = { atOnce: 1, maxWaiting: 1_000, turnLasts: 1_000 };

const maxJsonDepth = 32;
/** Most lists and objects in a reply: two bytes of JSON can take sixty in memory. Replies about people or events have a tenth of this. */
const maxJsonParts = 100_000;

/** JSON that we don't parse because it would cost too much. The message completes "It is ...". */
export class CostlyJson extends Error {
  readonly code = "reply too costly";
}

/** A reply that we didn't read to its end. */
export class LongReply extends Error {
  readonly code = "reply too long";
  constructor(maxBytes: number) {
    super(`its reply is longer than ${maxBytes} bytes`);
  }
}

/**
 * Parses JSON from outside: the classroom, an LMS, a provider, a sender of webhooks.
 * @param maxParts Most lists and objects in it.
 * @throws CostlyJson, or SyntaxError if it isn't JSON
 */
export function parseJson(text: string, maxParts = maxJsonParts): unknown {
  refuseCostly(text, maxParts);
  return JSON.parse(text);
}

const [quote, backslash] = ['"'.charCodeAt(0), "\\".charCodeAt(0)];
const opening: ReadonlySet<number> = new Set(["{".charCodeAt(0), "[".charCodeAt(0)]);
const closing: ReadonlySet<number> = new Set(["}".charCodeAt(0), "]".charCodeAt(0)]);

/** Counts the brackets outside strings. */
function refuseCostly(text: string, maxParts = maxJsonParts): void {
  let [depth, parts] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (opening.has(sign)) {
      depth += 1;
      parts += 1;
    } else if (closing.has(sign)) depth -= 1;
    if (depth > maxJsonDepth) throw new CostlyJson(`nested deeper than ${maxJsonDepth} levels`);
    if (parts > maxParts) throw new CostlyJson(`of more than ${maxParts} lists and objects`);
  }
}

/** @returns the index of the string's closing quote. */
function endOfString(text: string, begin: number): number {
  let at = begin + 1;
  for (; at < text.length && text.charCodeAt(at) !== quote; at += 1)
    if (text.charCodeAt(at) === backslash) at += 1;
  return at;
}

/** Whether the reply was too long or too costly, so asking again would bring the same. */
export function isBeyondBounds(thrown: unknown): boolean {
  return thrown instanceof CostlyJson || thrown instanceof LongReply;
}

/** Reads a body to its end. @param from Its sender; we read one long body per sender at a time. @throws LongReply */
type ReadReply = (body: AsyncIterable<Uint8Array>, from: string, maxBytes?: number) => Promise<Buffer>;

/** Long bodies of all senders are read one after the other, so many of them don't fill the memory. */
function createReadReply(clock: Pick<Clock, "sleep">): ReadReply {
  const turnstile = createTurnstile(clock, largeTurns);
  const last = new Map<string, Promise<void>>();

  /** Waits for the sender's earlier body, then in order of arrival. @returns a function that ends the turn. */
  const turnOf = async (from: string): Promise<() => void> => {
    let finish: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const before = last.get(from);
    last.set(from, over);
    await before;
    const arrival = turnstile.arrive();
    await arrival.turn();
    return () => {
      arrival.end();
      if (last.get(from) === over) last.delete(from);
      finish();
    };
  };
  return async (body, from, maxBytes = maxReplyBytes) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let end: (() => void) | null = null;
    try {
      for await (const chunk of body) {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size > maxBytes) throw new LongReply(maxBytes);
        if (size > largeBytes) end ??= await turnOf(from);
      }
      return Buffer.concat(chunks);
    } finally {
      end?.();
    }
  };
}

/** One reader for all replies, because they share the memory of this process. */
export const readReply = createReadReply(systemClock);

/** A `fetch` whose answers a library may parse: each is read within the limits and checked first. */
export function boundedFetch(from: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await from(input, init);
    const body: ReadableStream<Uint8Array> | null = answer.body;
    if (body === null) return answer;
    const text = (await readReply(body, new URL(answer.url).host)).toString("utf8");
    refuseCostly(text);
    return new Response(text, answer);
  };
}

const certificateUnknown =
  "its certificate is of an unknown authority; if that is your own, name it in NODE_EXTRA_CA_CERTS";
const certificateIncomplete =
  "its certificate comes without the ones between it and its authority, or of an unknown authority";

const words: ReadonlyMap<string, string> = new Map([
  ["ENOTFOUND", "its name is not known"],
  ["EAI_AGAIN", "its name cannot be looked up now"],
  ["ECONNREFUSED", "it refuses connections"],
  ["ECONNRESET", "it ended the connection"],
  ["EPIPE", "it ended the connection"],
  ["UND_ERR_SOCKET", "it ended the connection"],
  ["ETIMEDOUT", "no connection in time"],
  ["UND_ERR_CONNECT_TIMEOUT", "no connection in time"],
  ["timed out", "no answer in time"],
  ["EHOSTUNREACH", "no route leads there"],
  ["ENETUNREACH", "no route leads there"],
  ["EPRIVATE", "its name leads to a private address"],
  ["ERR_PROXY_TUNNEL", "the outgoing proxy lets nothing through to it"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", certificateUnknown],
  ["SELF_SIGNED_CERT_IN_CHAIN", certificateUnknown],
  ["UNABLE_TO_GET_ISSUER_CERT", certificateUnknown],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", certificateUnknown],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", certificateIncomplete],
  ["EPROTO", "it does not speak TLS there, or not as we do"],
]);

/** Says for operators why a server couldn't be reached. @param code The system's error code, or "timed out". */
export function whyUnreachable(code: string): string {
  const why = words.get(code);
  return why === undefined || code === "timed out" ? (why ?? code) : `${why}, ${code}`;
}

/** The system's error code, which fetch hides in the cause, or null. We never show the error's text: it may quote an address or a key. */
export function systemCodeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  if (thrown.name === "TimeoutError") return "timed out";
  const cause = systemCodeOf(thrown.cause);
  if (cause !== null) return cause;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : null;
}

/** The wait that `Retry-After` asks for (seconds or a date), in ms; null without one. At least 1 s (a "0" would cause a storm), at most 1 h. */
export function retryAfterMs({ headers }: { headers: Headers }, now: number): number | null {
  const given = headers.get("retry-after")?.trim();
  if (given === undefined || given === "") return null;
  const wait = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 1_000), hourMs);
}

/** A parameter other than `rel`. Its quoted text may contain anything, even `, <` or `rel=` (RFC 9110, 5.6.4). */
const otherQuoted = /;\s*(?!rel\s*=)[^\s=;,"]+\s*=\s*"(?:[^"\\]|\\.)*"/gi;

/**
 * The target of relation "next" in a Link header (RFC 8288, 3), as written; null if there is none, "" if unreadable. Reading is lenient,
 * because
 * Moodle's line item links have typographic quotes around `rel` (raw UTF-8, so three odd characters here) and `&amp;` in the address.
 */
export function nextLink(header: string | null): string | null {
  const plain = (header ?? "").replace(otherQuoted, "");
  for (const part of plain.split(/,\s*(?=<)/)) {
    const [, quoted = ""] = /;\s*rel\s*=\s*([^;]*)/i.exec(part) ?? [];
    const relations = quoted
      .toLowerCase()
      .replace(/[^\w\s.:/-]/g, "")
      .split(/\s+/);
    if (relations.includes("next")) return (/<([^<>]*)>/.exec(part)?.[1] ?? "").replaceAll("&amp;", "&");
  }
  return null;
}

/** What a watcher learns of a request, without its content. */
export type WatchedRequest = {
  method: string;
  /** The headers object that was sent; don't keep it. */
  headers: Headers;
  /** Null when there was no answer. */
  status: number | null;
  /** When the request left, and when the head of the answer came (ms). */
  askedAt: number;
  answeredAt: number;
};

/** A `fetch` that reports each of its requests. */
export function watchedFetch(
  deps: { fetch: typeof fetch; clock: Pick<Clock, "now"> },
  onAnswer: (request: WatchedRequest) => void,
): typeof fetch {
  const { clock } = deps;
  return async (input, init) => {
    const request = { ...factsOf(input, init), askedAt: clock.now() };
    try {
      const response = await deps.fetch(input, init);
      onAnswer({ ...request, status: response.status, answeredAt: clock.now() });
      return response;
    } catch (thrown) {
      onAnswer({ ...request, status: null, answeredAt: clock.now() });
      throw thrown;
    }
  };
}

function factsOf(input: string | URL | Request, init: RequestInit | undefined) {
  const asked = input instanceof Request ? input : { method: "GET", headers: {} };
  return { method: init?.method ?? asked.method, headers: new Headers(init?.headers ?? asked.headers) };
}
