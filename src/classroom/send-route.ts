import { type Clock, woken } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { CostlyJson, isBeyondBounds, parseJson, retryAfterMs } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Dialect, RouteDialect } from "./dialect.ts";
import type { Exchange, ExchangeRequest, OpenExchange } from "./exchange.ts";
import { fillRoute, type TemplateValues } from "./fill-template.ts";
import { linkedAddress, type PageAsk, valuesOfPage } from "./page-ask.ts";
import type { Permit } from "./permits.ts";

/** Sends one request of the dialect. The caller must have a permit. */
type SendRoute = (
  route: RouteDialect,
  values: TemplateValues,
  options: {
    permit: Permit;
    signal?: AbortSignal | undefined;
    page?: PageAsk | null | undefined;
    withoutKey?: boolean | undefined;
  },
) => Promise<SendOutcome>;

/** Adds address, words, headers and the key. @throws NamedError "classroom-key-unusable" when no header can carry the key. */
export function createSendRoute(deps: {
  environment: { baseUrl: string; apiKey: string };
  dialect: Dialect;
  open: OpenExchange;
  clock: Clock;
  timeoutMs: number;
}): SendRoute {
  const { environment, dialect } = deps;
  const { header, scheme, query } = dialect.apiKey;
  const key = headerValue(scheme === "" ? environment.apiKey : `${scheme} ${environment.apiKey}`);

  function headersOf(contentType: string | null, withKey: boolean): Record<string, string> {
    const headers = new Headers({ accept: "application/json" });
    if (contentType !== null) headers.set("content-type", contentType);
    for (const [name, value] of Object.entries(dialect.headers)) headers.set(name, value);
    if (withKey) headers.set(header, key);
    return Object.fromEntries(headers);
  }

  /** @throws NamedError if a page's stored address no longer belongs to the service. */
  function requestOf(route: RouteDialect, values: TemplateValues, page: PageAsk | null) {
    const isLink = page?.kind === "link";
    const paged = valuesOfPage(values, isLink ? null : page, dialect.pages);
    const filled = fillRoute(environment.baseUrl, route, paged);
    if (!isLink) return filled;
    const url = linkedAddress(page.value, environment.baseUrl, filled.url);
    if (url === null) throw refusal("classroom-page-elsewhere");
    return { method: "GET", url, body: null, contentType: null };
  }

  return (route, values, options) => {
    const written = inTheirWords(dialect, route, values);
    const { contentType, ...request } = requestOf(route, written, options.page ?? null);
    const keyed = options.withoutKey !== true;
    const url = keyed && query !== null ? withParameter(request.url, query, environment.apiKey) : request.url;
    const headers = headersOf(contentType, keyed && query === null);
    return sendOnce(deps, { ...request, url, headers }, options.permit, options.signal);
  };
}

function inTheirWords(dialect: Dialect, { words }: RouteDialect, values: TemplateValues): TemplateValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? (words[name]?.[value] ?? dialect.words[name]?.[value] ?? value) : value,
    ]),
  );
}

function withParameter(url: string, name: string, value: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams([[name, value]]).toString()}`;
}

/** @throws NamedError "classroom-key-unusable", before Node throws an error that quotes the key. */
function headerValue(key: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(key)) return key;
  throw refusal("classroom-key-unusable");
}

export type SendOutcome =
  | {
      kind: "answer";
      status: number;
      /** The JSON value, or the text if it isn't JSON. */
      reply: unknown;
      retryAfterMs: number | null;
      location: string | null;
      /** The Link header (RFC 8288). */
      link: string | null;
    }
  | {
      kind: "failure";
      /** A reason such as "timed out" or "ECONNREFUSED"; never part of the request. */
      reason: string;
      /** True if the request certainly didn't reach the service. */
      neverSent: boolean;
      /** The answer was too long or too deep to read, and would be again. */
      beyondBounds: boolean;
    };

const beforeSending = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/**
 * Sends a request at its permit's moment and reads the whole reply. Doesn't follow redirects, because the key must not go to another
 * address. @param deps.timeoutMs For the connection, and again for the answer with its body.
 * @throws the signal's reason if the caller gave up, or what the permit throws.
 */
export async function sendOnce(
  deps: { open: OpenExchange; clock: Clock; timeoutMs: number },
  request: ExchangeRequest,
  permit: Permit,
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  const { clock } = deps;
  let exchange: Exchange | null = null;
  let sent = false;
  const done = new AbortController();
  try {
    signal?.throwIfAborted();
    exchange = deps.open(request);
    const giveUp = givingUp(exchange, signal);
    await giveUp(within(deps, exchange.ready, done.signal));
    await giveUp(permit.begin());
    sent = true;
    const reply = replyTo(exchange, permit, clock);
    return await giveUp(within(deps, reply, done.signal));
  } catch (thrown) {
    signal?.throwIfAborted();
    if (thrown instanceof NamedError) throw thrown;
    const code = codeOf(thrown);
    const neverSent = !sent || beforeSending.has(code);
    return { kind: "failure", reason: code, neverSent, beyondBounds: isBeyondBounds(thrown) };
  } finally {
    done.abort(woken);
    permit.answered();
    exchange?.end();
  }
}

async function replyTo(exchange: Exchange, permit: Permit, clock: Clock): Promise<SendOutcome> {
  await exchange.send();
  permit.left();
  const { status, headers, text } = await exchange.answer;
  permit.answered();
  return {
    kind: "answer",
    status,
    reply: parsedReply(await text()),
    retryAfterMs: retryAfterMs({ headers }, clock.now()),
    location: headers.get("location"),
    link: headers.get("link"),
  };
}

function givingUp(exchange: Exchange, signal: AbortSignal | undefined) {
  return async <T>(work: Promise<T>): Promise<T> => {
    if (signal === undefined) return work;
    let stop = (): void => undefined;
    const givenUp = new Promise<never>((_resolve, reject) => {
      stop = () => {
        exchange.end();
        reject(new Error("given up"));
      };
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      signal.throwIfAborted();
      return await Promise.race([work, givenUp]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

async function within<T>(
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
  work: Promise<T>,
  done: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const late = clock.sleep(timeoutMs, AbortSignal.any([over.signal, done])).then(() => {
    throw new TimedOut();
  });
  late.catch(() => undefined); // it wasn't late
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort(woken);
  }
}

class TimedOut extends Error {
  readonly code = "timed out";
}

function parsedReply(text: string): unknown {
  try {
    return parseJson(text);
  } catch (thrown) {
    if (thrown instanceof CostlyJson) throw thrown;
    return text;
  }
}

/** The system's error code. The error's message may quote a header, and so the key. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown";
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : thrown.name;
}
