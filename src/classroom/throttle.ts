import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import { createLedger, greatestLead, type Standing } from "./throttle-ledger.ts";
import { createTripTimes, greatestDelay } from "./trip-times.ts";
import { createWaitingLine, type Permitted, priorities, type Priority, type Waiter } from "./waiting-line.ts";

/** Where all processes with the same key keep their one shared record; the text means nothing to the store. */
export type ThrottleStore = {
  read: (key: string) => Promise<{ revision: number; record: string } | null>;
  /**
   * Writes the record when its revision is still the given one (null: when there is none yet); the new revision
   * is one more (or 1). False when somebody else was faster. Atomic over all processes.
   */
  replace: (key: string, revision: number | null, record: string) => Promise<boolean>;
};

/** The right to make one call now. */
type Permit = {
  /** To be called when the service has answered or the call failed: a slow way there counts. */
  answered: () => void;
};

/** Keeps calls below the service's limit, over all processes that share the store and the API key. */
export type Throttle = {
  /**
   * Resolves when the caller may make one call; rejects with the signal's reason when it aborts first.
   * @param options.doing What is being done: calls of one kind take about equally long.
   */
  acquire: (options: {
    priority: Priority;
    signal?: AbortSignal | undefined;
    doing?: string;
  }) => Promise<Permit>;
  /** Stops everybody for `ms` milliseconds: the service asked for it with Retry-After. */
  pause: (ms: number) => void;
  /** How many callers of this process wait, by priority. */
  waiting: () => Record<Priority, number>;
};

/** "Fewer than 5 queries per second" (document part 8). */
const defaultLimit = 4;
/** Rounding of times, timers that fire early, and delays too small to be told: 4 calls in 1006 ms are 99 %. */
export const margin = 6;
/** How often a waiting process looks at what the others did. */
const lookEvery = 15;
/** How long a place is left to a process that goes first; then it is taken for dead. */
const grace = 100;
/** How long before its moment a call is planned, alone and with other processes at work; twice a write is added. */
const lead = { alone: 30, contended: 130 };
/** Nobody calls so long after the planned moment: others may count on the place by then. */
const stale = 300;
/** A call without an answer is told as later so often, long before its place opens again. */
const overdueEvery = 100;
/** From then on a process vouches for a call without an answer; others may use its place only when somebody does. */
const standsByAfter = 500;

/** A call that is written down and not made yet. */
type Planned = { n: number; at: number; aged: boolean };

/**
 * A throttle for one API key. A permit is written down shortly before its moment, and given at that moment to
 * whoever goes first then; so writing costs no time.
 * @param deps.key The API key; the store sees only its digest.
 * @param deps.limit So many calls are allowed within any `windowMs` milliseconds; 4 in 1,000 when left out.
 */
export function createThrottle(deps: {
  store: ThrottleStore;
  key: string;
  clock: Clock;
  ids: Ids;
  limit?: number;
  windowMs?: number;
}): Throttle {
  const { store, clock, limit = defaultLimit, windowMs = 1_000 } = deps;
  const key = throttleKey(deps.key);
  const by = deps.ids.id("proc");
  const ledger = createLedger({ by, limit, windowMs: windowMs + margin });
  const line = createWaitingLine(clock);
  const times = createTripTimes();
  const planned = new Set<Planned>();
  let revision: number | null = null;
  let looked = false;
  let running = false;
  let wake = new AbortController();
  let deferredSince: number | null = null;

  async function look(): Promise<void> {
    const found = await store.read(key);
    if (looked && found?.revision === revision) return;
    if (found?.revision !== revision) deferredSince = null;
    revision = found?.revision ?? null;
    looked = true;
    ledger.observe(found?.record ?? null, { at: clock.now(), mine: false });
  }

  /** Writes the record; false (and a fresh look) when another process wrote first. */
  async function write(record: string, at: number): Promise<boolean> {
    if (!(await store.replace(key, revision, record))) {
      await look();
      return false;
    }
    revision = (revision ?? 0) + 1;
    ledger.observe(record, { at, mine: true });
    return true;
  }

  /** How this process stands in the line with those for whom nothing is planned yet. */
  function standing(): Standing | null {
    const best = line.best(planned.size);
    const aged = line.aged() !== null && ![...planned].some((call) => call.aged);
    return best === null ? null : { rank: best.rank, aged };
  }

  function leadNow(now: number): number {
    const base = ledger.contended(now) ? lead.contended : lead.alone;
    return Math.min(base + 2 * times.writeTakes(), greatestLead);
  }

  /** Writes down a call for the moment at which the place opens. */
  async function plan(
    now: number,
    opensAt: number,
    aged: boolean,
    without: readonly string[],
  ): Promise<void> {
    const at = Math.max(opensAt, now + times.writeTakes());
    const call = { n: ledger.nextNumber(), at, aged };
    planned.add(call);
    let written = false;
    try {
      const permit = { at, aged, late: times.expectedLate() };
      written = await write(ledger.record(now, { standing: standing(), permit, without }), now);
    } finally {
      if (!written) planned.delete(call);
    }
    if (!written) return;
    times.written(clock.now() - now);
    deferredSince = null;
    void give(call);
  }

  /** Gives a planned call to whoever goes first at its moment. If nobody does, or it is too late, it is given back. */
  async function give(call: Planned): Promise<void> {
    const { n, at, aged } = call;
    for (let left = at - clock.now(); left > 0 && left <= greatestLead; left = at - clock.now())
      await clock.sleep(left);
    const now = clock.now();
    planned.delete(call);
    const inTime = Math.abs(now - at) <= stale && !ledger.paused(now);
    const waiter = inTime ? ((aged ? line.aged() : null) ?? line.best()) : null;
    if (waiter !== null && line.remove(waiter)) waiter.admit({ n, plannedAt: at });
    else ledger.giveBack(n, now);
    stir();
  }

  /** One look at the situation: tells the others something, plans a call, or waits. */
  async function step(): Promise<void> {
    if (!looked) await look();
    const now = clock.now();
    const mine = standing();
    if (ledger.knowsMore()) {
      await write(ledger.record(now, { standing: mine }), now);
      return;
    }
    const opensAt = ledger.opensAt(now);
    if (mine !== null && opensAt <= now + leadNow(now)) {
      const agedTurn = ledger.agedTurn(mine);
      const ahead = ledger.ahead(Math.max(opensAt, now), mine, agedTurn);
      deferredSince ??= now;
      if (ahead.length === 0 || now - deferredSince >= grace)
        return plan(now, opensAt, agedTurn && mine.aged, ahead);
    }
    if (!sameStanding(mine, ledger.shownStanding())) await write(ledger.record(now, { standing: mine }), now);
    else await rest(mine === null ? lookEvery : Math.max(1, opensAt - leadNow(now) - now));
  }

  async function rest(ms: number): Promise<void> {
    const contended = ledger.contended(clock.now());
    wake = new AbortController();
    try {
      await clock.sleep(contended ? lookEvery : ms, wake.signal);
    } catch {
      return; // woken: somebody came, left or was told to pause
    }
    if (contended) await look();
  }

  /** Whether there is anything to plan, to tell, or to look out for. */
  function busy(): boolean {
    if (line.best(planned.size) !== null || ledger.knowsMore() || ledger.shownStanding() !== null)
      return true;
    return planned.size > 0 && ledger.contended(clock.now());
  }

  async function run(): Promise<void> {
    running = true;
    try {
      while (busy()) await step();
    } catch (thrown) {
      ledger.forgetToTell();
      looked = false;
      line.refuseAll(storeError(thrown));
    } finally {
      running = false;
    }
  }

  function stir(): void {
    if (running) wake.abort();
    else void run();
  }

  function permitFor({ n, plannedAt }: Permitted, kind: string): Permit {
    const at = clock.now();
    const answer = new AbortController();
    const call = () => ({ kind, after: at - plannedAt, trip: clock.now() - at });
    const watch = async () => {
      while (clock.now() - at < greatestDelay) {
        await clock.sleep(overdueEvery, answer.signal);
        const standsBy = clock.now() - at >= standsByAfter;
        ledger.delay(n, times.unanswered(call(), overdueEvery), clock.now(), standsBy);
        if (ledger.knowsMore()) stir();
      }
    };
    watch().catch(() => undefined); // answered
    return {
      answered: () => {
        answer.abort();
        ledger.settle(n, times.answered(call()), clock.now());
        if (ledger.knowsMore()) stir();
      },
    };
  }

  return {
    acquire: ({ priority, signal, doing = "" }) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(reasonOf(signal));
          return;
        }
        const leave = () => {
          if (!line.remove(waiter)) return;
          reject(reasonOf(signal));
          stir();
        };
        const waiter: Waiter = {
          rank: priorities.indexOf(priority),
          since: clock.now(),
          admit: (permitted) => {
            signal?.removeEventListener("abort", leave);
            resolve(permitFor(permitted, doing));
          },
          refuse: (reason) => {
            signal?.removeEventListener("abort", leave);
            reject(reason instanceof Error ? reason : new Error("the throttle stopped"));
          },
        };
        signal?.addEventListener("abort", leave, { once: true });
        line.add(waiter);
        stir();
      }),
    pause: (ms) => {
      ledger.pauseUntil(clock.now() + ms);
      stir();
    },
    waiting: line.counts,
  };
}

/** Under which key the shared record of an API key is kept. */
export function throttleKey(apiKey: string): string {
  return createHash("sha256").update(`classroom-throttle\n${apiKey}`).digest("hex");
}

function sameStanding(one: Standing | null, other: Standing | null): boolean {
  return one?.rank === other?.rank && one?.aged === other?.aged;
}

function storeError(thrown: unknown): NamedError {
  return new NamedError(
    "throttle-store-unreachable",
    "The shared record of classroom calls cannot be read or written, so no call is made. Check the database.",
    { status: 503, temporary: true, details: { reason: messageOf(thrown) }, cause: thrown },
  );
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error("aborted");
}
