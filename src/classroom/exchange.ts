import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { type AccountId, isBuiltIn } from "../domain/account.ts";
import { userAgentOf } from "../kernel/build.ts";
import { LongReply, maxReplyBytes, readReply } from "../kernel/outside-reply.ts";
import type { ClassroomConfig } from "./account.ts";
import { idleConnectionMs } from "./limits.ts";

export type ExchangeRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
};

/** The head of an answer. `text` reads its body. */
export type Answer = {
  status: number;
  headers: Headers;
  /** @throws LongReply */
  text: () => Promise<string>;
};

/** A request that connects before it sends its bytes, so we know the moment they leave. */
export type Exchange = {
  /** Resolves when connected. Rejects if there is no connection, before any byte is sent. */
  ready: Promise<void>;
  /** Resolves when the operating system has all bytes of the request. */
  send: () => Promise<void>;
  answer: Promise<Answer>;
  /** Has no effect on an exchange that has ended. */
  end: () => void;
};

/** Opens exchanges. `fetch` can't do this: it doesn't say when a request leaves, and connects only then. */
export type OpenExchange = (request: ExchangeRequest) => Exchange;

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
export type ProxyVariables = Readonly<Record<string, string>>;

const decoders = new Map([
  ["gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/**
 * Exchanges over kept-alive connections.
 * @param how.proxyEnv The variables of an outgoing proxy, as Node reads them for its own calls; null without a proxy.
 * @param how.userAgent Tells the service's logs who calls.
 * @param how.lookup Resolves host names; default: the machine's resolver. A proxy resolves names itself.
 */
export function createExchanges(
  how: { userAgent?: string; proxyEnv?: ProxyVariables | null; lookup?: LookupFunction | undefined } = {},
): OpenExchange {
  const { userAgent = userAgentOf(), proxyEnv = null, lookup } = how;
  const options = {
    keepAlive: true,
    timeout: idleConnectionMs,
    ...(proxyEnv === null ? {} : { proxyEnv }),
    ...(lookup === undefined ? {} : { lookup }),
  };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };

  return ({ method, url, headers, body }) => {
    const secure = new URL(url).protocol === "https:";
    const options = {
      method,
      headers: { "accept-encoding": "identity", "user-agent": userAgent, ...headers },
    };
    const request = secure
      ? requestHttps(url, { ...options, agent: agents.https })
      : requestHttp(url, { ...options, agent: agents.http });
    const failed = new Promise<never>((_resolve, reject) => {
      request.once("error", reject);
    });
    const orFailed = <T>(work: Promise<T>): Promise<T> => {
      const either = Promise.race([work, failed]);
      either.catch(() => undefined); // the code that awaits it gets the error
      return either;
    };
    return {
      ready: orFailed(connected(request, secure)),
      send: () =>
        orFailed(
          new Promise((resolve) => {
            request.once("finish", resolve);
            if (body === null) request.end();
            else request.end(body);
          }),
        ),
      answer: orFailed(
        new Promise((resolve) => {
          request.once("response", (response) => resolve(answerOf(response, new URL(url).host)));
        }),
      ),
      end: () => {
        request.destroy();
      },
    };
  };
}

/**
 * How to call the services of accounts. @param outsideLookup Resolves host names of stored accounts. An institution's administrator
 * may have entered the address, which must not lead into our network. Default: the machine's own lookup.
 * @returns `open` for built-in accounts; `openOf` chooses by account
 */
export function exchangesOf(
  { publicUrl, outgoingProxy: proxyEnv = null }: Pick<ClassroomConfig, "publicUrl" | "outgoingProxy">,
  outsideLookup?: LookupFunction,
) {
  const open = createExchanges({ userAgent: userAgentOf(publicUrl), proxyEnv });
  const stored = createExchanges({ userAgent: userAgentOf(publicUrl), proxyEnv, lookup: outsideLookup });
  return { open, openOf: (account: AccountId) => (isBuiltIn(account) ? open : stored) };
}

function connected(request: ClientRequest, secure: boolean): Promise<void> {
  return new Promise((resolve) => {
    request.once("socket", (socket) => {
      if (socket.connecting) socket.once(secure ? "secureConnect" : "connect", () => resolve());
      else resolve();
    });
  });
}

function answerOf(response: IncomingMessage, from: string): Answer {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return { status: response.statusCode ?? 0, headers, text: () => textOf(response, headers, from) };
}

async function textOf(response: IncomingMessage, headers: Headers, from: string): Promise<string> {
  const whole = await readReply(response, from);
  // We don't ask for compression, but some servers always compress.
  const decode = decoders.get((headers.get("content-encoding") ?? "").trim().toLowerCase());
  if (decode === undefined || whole.length === 0) return new TextDecoder().decode(whole);
  return new TextDecoder().decode(await decode(whole, { maxOutputLength: maxReplyBytes }).catch(asTooLong));
}

function asTooLong(thrown: unknown): never {
  const isLonger = thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
  throw isLonger ? new LongReply(maxReplyBytes) : thrown;
}
