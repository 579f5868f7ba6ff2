import type { Clock } from "../kernel/clock.ts";
import type { FilledRoute } from "./fill-template.ts";

/** What came of one HTTP request. */
export type SendOutcome =
  | {
      kind: "answer";
      status: number;
      /** The JSON value, or the text when it is none. */
      reply: unknown;
      retryAfterMs: number | null;
      /** The Location header as it came. */
      location: string | null;
      /** The methods of an Allow header. */
      allow: readonly string[];
      /** The service's own time, in milliseconds since the epoch; null when it tells none. */
      date: number | null;
    }
  | {
      kind: "failure";
      /** A word for the log such as "timed out" or "ECONNREFUSED"; never the request. */
      reason: string;
      /** True when the request certainly did not reach the service. */
      neverSent: boolean;
    };

/** Replies longer than this are not read. */
const greatestReply = 2_000_000;
/** Errors from before a connection existed. */
const beforeSending = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Sends one request and reads the whole reply within `timeoutMs`. Redirects are not followed: the key must not
 * travel to another address.
 * @param answered Called when the service began to answer, or failed to.
 * @throws the signal's reason when the caller gave up.
 */
export async function sendOnce(
  deps: { fetch: typeof fetch; clock: Clock; timeoutMs: number },
  request: Omit<FilledRoute, "contentType"> & { headers: Record<string, string> },
  answered: () => void,
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  const done = new AbortController();
  const late = new AbortController();
  deps.clock.sleep(deps.timeoutMs, done.signal).then(
    () => late.abort(),
    () => undefined,
  );
  const stops = signal === undefined ? [late.signal] : [late.signal, signal];
  try {
    const response = await deps
      .fetch(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirect: "manual",
        signal: AbortSignal.any(stops),
      })
      .finally(answered);
    const reply = parsedReply(await readText(response));
    const { headers, status } = response;
    const date = Date.parse(headers.get("date") ?? "");
    return {
      kind: "answer",
      status,
      reply,
      retryAfterMs: retryAfter(headers.get("retry-after"), deps.clock.now()),
      location: headers.get("location"),
      allow: (headers.get("allow") ?? "").toUpperCase().match(/[A-Z]+/g) ?? [],
      date: Number.isNaN(date) ? null : date,
    };
  } catch (thrown) {
    signal?.throwIfAborted();
    const code = late.signal.aborted ? "timed out" : codeOf(thrown);
    return { kind: "failure", reason: code, neverSent: beforeSending.has(code) };
  } finally {
    done.abort();
  }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const body: AsyncIterable<Uint8Array> = response.body;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > greatestReply) throw new ReplyTooLong();
  }
  return text + decoder.decode();
}

class ReplyTooLong extends Error {
  readonly code = "reply too long";
}

/** The JSON value, or the text itself when it is none. */
function parsedReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Retry-After as milliseconds from now: seconds or an HTTP date. */
function retryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** The system's code of a fetch failure. Its message is not used: it may quote a header, and so the key. */
function codeOf(thrown: unknown): string {
  for (const error of [thrown instanceof Error ? thrown.cause : null, thrown]) {
    if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
      return error.code;
  }
  return thrown instanceof Error ? thrown.name : "unknown";
}
