import { AsyncLocalStorage } from "node:async_hooks";

/** By the tool's own ids, never by name. */
export type Actor =
  | { kind: "person"; registrationId: string; personId: string; role: string }
  | { kind: "operator" }
  | { kind: "lms-administrator"; registrationId: string; personId: string };

/** What log lines say of a request besides its id, where the operator wants it. */
export type Acting = { client: string; actor?: Actor };

type Request = { id: string; acting: Acting | null };

const scope = new AsyncLocalStorage<Request>();

/**
 * Runs work under a request id, which its log lines and everything it starts carry.
 * @param acting The client's address; the actor is added when known. Null where log lines must not say it.
 */
export function inRequest<T>(id: string, work: () => T, acting: Acting | null = null): T {
  return scope.run({ id, acting }, work);
}

/** Null outside of requests, as in workers. */
export function currentRequest(): string | null {
  return scope.getStore()?.id ?? null;
}

/** Null where log lines must not say it. */
export function currentActing(): Acting | null {
  return scope.getStore()?.acting ?? null;
}

/** Called once the session, ticket or launch is found good. */
export function noteActor(actor: Actor): void {
  const acting = currentActing();
  if (acting !== null) acting.actor = actor;
}
