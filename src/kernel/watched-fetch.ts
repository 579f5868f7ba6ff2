import type { Clock } from "./clock.ts";

/** One request that was made, without anything of what it carried. */
export type WatchedRequest = {
  url: string;
  method: string;
  /** Its own headers; whoever looks must not keep what they say. */
  headers: Headers;
  /** Null when there was no answer. */
  status: number | null;
  /** When it was sent and when the head of its answer had come (ms). */
  askedAt: number;
  answeredAt: number;
  /** The Date header of the answer (ms); null without one, or when a cache gave the answer. */
  date: number | null;
};

/** A `fetch` that tells of each request how it went. */
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

/** An answer out of a cache tells the time at which it was put there. */
function dateOf(headers: Headers): number | null {
  if (headers.has("age")) return null;
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? null : date;
}
