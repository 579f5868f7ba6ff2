import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<string>();

/** Does something on behalf of the request with this id; whatever it sets going, and logs, is that request's, too. */
export function inRequest<T>(id: string, work: () => T): T {
  return scope.run(id, work);
}

/** Id of the request on whose behalf the code that asks is running; null outside of requests, as in workers. */
export function currentRequest(): string | null {
  return scope.getStore() ?? null;
}
