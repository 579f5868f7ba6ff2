import { AsyncLocalStorage } from "node:async_hooks";

/** By the tool's own ids, never by name. */
export type Actor =
  | { kind: "person"; registrationId: string; personId: string; role: string }
  | { kind: "operator" }
  | { kind: "lms-administrator"; registrationId: string; personId: string };

/** What log lines say of a request besides its id, where the operator wants it. */
export type Acting = { client: string; actor?: Actor };

/** A person waits for the answer since a moment of this process (ms). */
type WaitingPerson = { since: number };

type Request = {
  id: string | null;
  acting: Acting | null;
  person: WaitingPerson | null;
  /** How long what it has read counts (ms): another process may have changed it. */
  readsCountMs: number;
};

/** How long reads of a request count: it may be a stream, or may wait and read again. */
const readsCountMs = 500;

const scope = new AsyncLocalStorage<Request>();
const waiting = new Set<WaitingPerson>();

/**
 * Runs work under a request id, which its log lines and everything it starts carry.
 * @param acting The client's address; the actor is added when known. Null where log lines must not say it.
 */
export function inRequest<T>(id: string, work: () => T, acting: Acting | null = null): T {
  return scope.run({ id, acting, person: null, readsCountMs }, work);
}

const background: Request = { id: null, acting: null, person: null, readsCountMs };

/** Remembers what work reads, as in a request (`storage/read-once.ts`), and nothing that was read before it. */
export function withFreshReads<T>(work: () => T, countMs = readsCountMs): T {
  return scope.run({ ...(scope.getStore() ?? background), readsCountMs: countMs }, work);
}

/** Null outside of requests, as in workers. */
export function currentRequest(): string | null {
  return scope.getStore()?.id ?? null;
}

/** Something that is the same throughout the current request or `withFreshReads`, to remember things by; undefined outside. */
export function requestKey(): { readonly readsCountMs: number } | undefined {
  return scope.getStore();
}

/** Whether a person waits for the answer of the current request, and not a program. */
export function isForPerson(): boolean {
  return scope.getStore()?.person != null;
}

/** Notes that a person waits for the answer of the current request. @returns to be called once it is answered, or never will be. */
export function notePerson(): () => void {
  const person = { since: performance.now() };
  const request = scope.getStore();
  if (request !== undefined) request.person = person;
  waiting.add(person);
  return () => {
    waiting.delete(person);
  };
}

/** An answer that takes longer waits for something else, or is a stream. */
const personWaitsMs = 100;

/** Whether a person waits for an answer of this process. */
export function isPersonWaiting(): boolean {
  const since = performance.now() - personWaitsMs;
  for (const person of waiting) {
    if (person.since >= since) return true;
    waiting.delete(person);
  }
  return false;
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
