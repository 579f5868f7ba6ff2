import type { Clock } from "./clock.ts";

/** A request without its content. */
export type WatchedRequest = {
  url: string;
  method: string;
  /** Its own headers; must not be kept. */
  headers: Headers;
  /** Null when there was no answer. */
  status: number | null;
  /** Sent, and head of the answer received (ms). */
  askedAt: number;
  answeredAt: number;
  /** The answer's Date header (ms); null without one, or for an answer from a cache. */
  date: number | null;
};

/** Reports each request of a `fetch`. */
export function watchedFetch(
  deps: { fetch: typeof fetch; clock: Pick<Clock, "now"> },
  onAnswer: (request: WatchedRequest) => void,
): typeof fetch {
  const { clock } = deps;
  return async (input, init) => {
    const request = { ...factsOf(input, init), askedAt: clock.now() };
    try {
      const response = await deps.fetch(input, init);
      const { status, headers } = response;
      onAnswer({ ...request, status, answeredAt: clock.now(), date: dateOf(headers) });
      return response;
    } catch (thrown) {
      onAnswer({ ...request, status: null, answeredAt: clock.now(), date: null });
      throw thrown;
    }
  };
}

function factsOf(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Pick<WatchedRequest, "url" | "method" | "headers"> {
  const asked = input instanceof Request ? input : { url: input.toString(), method: "GET", headers: {} };
  return {
    url: asked.url,
    method: init?.method ?? asked.method,
    headers: new Headers(init?.headers ?? asked.headers),
  };
}

/** A cached answer has the time at which it was cached. */
function dateOf(headers: Headers): number | null {
  if (headers.has("age")) return null;
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? null : date;
}
