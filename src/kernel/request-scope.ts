import { AsyncLocalStorage } from "node:async_hooks";

/** Who acts, by the tool's own ids, never by name. */
export type Actor =
  | { kind: "person"; registrationId: string; personId: string; role: string }
  | { kind: "operator" }
  | { kind: "lms-administrator"; registrationId: string; personId: string };

/** What a request's log lines say besides its id, if the operator wants it. */
export type Acting = { client: string; actor?: Actor };

/** A person who waits for an answer. `since` is a moment of this process (ms). */
type WaitingPerson = { since: number };

type Request = {
  id: string | null;
  acting: Acting | null;
  person: WaitingPerson | null;
  /** How long the request may reuse what it has read (ms), since another process may change it. */
  readsCountMs: number;
};

/** Default for requests. It is short because a request may be a stream, or may wait and read again. */
const readsCountMs = 500;

const scope = new AsyncLocalStorage<Request>();
const waiting = new Set<WaitingPerson>();

/**
 * Runs work under a request id. Its log lines, and everything it starts, carry the id.
 * @param acting The client's address; the actor is added once known. Null if log lines must not say them.
 */
export function inRequest<T>(id: string, work: () => T, acting: Acting | null = null): T {
  return scope.run({ id, acting, person: null, readsCountMs }, work);
}

const background: Request = { id: null, acting: null, person: null, readsCountMs };

/** Lets work reuse what it reads, as a request does (`storage/read-once.ts`), but nothing that was read before. */
export function withFreshReads<T>(work: () => T, countMs = readsCountMs): T {
  return scope.run({ ...(scope.getStore() ?? background), readsCountMs: countMs }, work);
}

/** Null outside requests, as in workers. */
export function currentRequest(): string | null {
  return scope.getStore()?.id ?? null;
}

/** An object that stays the same throughout a request or `withFreshReads`, as a key for caches; undefined outside. */
export function requestKey(): { readonly readsCountMs: number } | undefined {
  return scope.getStore();
}

/** Whether a person, and not a program, waits for the answer of the current request. */
export function isForPerson(): boolean {
  return scope.getStore()?.person != null;
}

/** Notes that a person waits for the current request's answer. @returns a function to call once it is answered or given up. */
export function notePerson(): () => void {
  const person = { since: performance.now() };
  const request = scope.getStore();
  if (request !== undefined) request.person = person;
  waiting.add(person);
  return () => {
    waiting.delete(person);
  };
}

/** After this long (ms), the answer depends on something else, or is a stream. */
const personWaitsMs = 100;

/** Whether a person waits for an answer from this process. */
export function isPersonWaiting(): boolean {
  const since = performance.now() - personWaitsMs;
  for (const person of waiting) {
    if (person.since >= since) return true;
    waiting.delete(person);
  }
  return false;
}

/** Null if log lines must not say it. */
export function currentActing(): Acting | null {
  return scope.getStore()?.acting ?? null;
}

/** To be called once the session, ticket or launch is verified. */
export function noteActor(actor: Actor): void {
  const acting = currentActing();
  if (acting !== null) acting.actor = actor;
}
