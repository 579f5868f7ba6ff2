import { AsyncLocalStorage } from "node:async_hooks";

/** Who acts in a request: by the tool's own ids, never by name. */
export type Actor =
  | { kind: "person"; registrationId: string; personId: string; role: string }
  | { kind: "operator" }
  | { kind: "lms-administrator"; registrationId: string; personId: string };

/** What log lines say of a request besides its id, where an operator wants it. */
export type Acting = { client: string; actor?: Actor };

type Request = { id: string; acting: Acting | null };

const scope = new AsyncLocalStorage<Request>();

/**
 * Does something on behalf of the request with this id; whatever it sets going, and logs, is that request's, too.
 * @param acting Where log lines may say who acts: the client's address; the actor is added as soon as it is known.
 */
export function inRequest<T>(id: string, work: () => T, acting: Acting | null = null): T {
  return scope.run({ id, acting }, work);
}

/** Id of the request on whose behalf the code that asks is running; null outside of requests, as in workers. */
export function currentRequest(): string | null {
  return scope.getStore()?.id ?? null;
}

/** Who acts in that request; null where log lines must not say it. */
export function currentActing(): Acting | null {
  return scope.getStore()?.acting ?? null;
}

/** Says who acts in this request, once their session, ticket or launch was found good. */
export function noteActor(actor: Actor): void {
  const acting = currentActing();
  if (acting !== null) acting.actor = actor;
}
