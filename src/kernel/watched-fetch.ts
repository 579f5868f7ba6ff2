import type { Clock } from "./clock.ts";

/** A request without its content. */
export type WatchedRequest = {
  method: string;
  /** Its own headers; must not be kept. */
  headers: Headers;
  /** Null when there was no answer. */
  status: number | null;
  /** Sent, and head of the answer received (ms). */
  askedAt: number;
  answeredAt: number;
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
      onAnswer({ ...request, status: response.status, answeredAt: clock.now() });
      return response;
    } catch (thrown) {
      onAnswer({ ...request, status: null, answeredAt: clock.now() });
      throw thrown;
    }
  };
}

function factsOf(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Pick<WatchedRequest, "method" | "headers"> {
  const asked = input instanceof Request ? input : { method: "GET", headers: {} };
  return {
    method: init?.method ?? asked.method,
    headers: new Headers(init?.headers ?? asked.headers),
  };
}
