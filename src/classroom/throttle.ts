import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import { createLedger, type Standing } from "./throttle-ledger.ts";
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
  /** Resolves when the caller may make one call; rejects with the signal's reason when it aborts first. */
  acquire: (options: { priority: Priority; signal?: AbortSignal | undefined }) => Promise<Permit>;
  /** Stops everybody for `ms` milliseconds: the service asked for it with Retry-After. */
  pause: (ms: number) => void;
  /** How many callers of this process wait, by priority. */
  waiting: () => Record<Priority, number>;
};

/** "Fewer than 5 queries per second" (document part 8). */
const limit = 4;
/** A second, and what timers, the store and the network may be off by: 4 calls in 1025 ms are 97 % of the limit. */
const windowMs = 1_025;
/** How often a waiting process looks at what the others did. */
const lookEvery = 15;
/** How long an open place is left to a process that goes first; then it is taken for dead. */
const grace = 100;
/** A call is taken to reach the service at most this much later than the quickest calls do. */
const greatestDelay = 500;

/**
 * A throttle for one API key.
 * @param deps.key The API key; the store sees only its digest.
 */
export function createThrottle(deps: {
  store: ThrottleStore;
  key: string;
  clock: Clock;
  ids: Ids;
}): Throttle {
  const { store, clock } = deps;
  const key = createHash("sha256").update(`classroom-throttle\n${deps.key}`).digest("hex");
  const by = deps.ids.id("proc");
  const ledger = createLedger({ by, limit, windowMs });
  const line = createWaitingLine(clock);
  /** How long the latest calls took to be answered, and the latest permits to be written down. */
  const latencies: number[] = [];
  const writeTimes: number[] = [];
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
    ledger.observe(found?.record ?? null, clock.now());
  }

  /** Writes the record; false (and a fresh look) when another process wrote first. */
  async function write(record: string, at: number): Promise<boolean> {
    if (!(await store.replace(key, revision, record))) {
      await look();
      return false;
    }
    revision = (revision ?? 0) + 1;
    ledger.observe(record, at);
    return true;
  }

  function standing(): Standing | null {
    const best = line.best();
    return best === null ? null : { rank: best.rank, aged: line.aged() !== null };
  }

  /** Gives the open place to the waiter whose turn it is; the record is written before anybody calls. */
  async function give(now: number, agedTurn: boolean, without: readonly string[]): Promise<void> {
    const waiter = (agedTurn ? line.aged() : null) ?? line.best();
    if (waiter === null || !line.remove(waiter)) return;
    const permit = { aged: agedTurn, late: meanOf(writeTimes) };
    const { text, n } = ledger.record(now, { standing: standing(), permit, without });
    try {
      if (!(await write(text, now))) {
        if (waiter.abandoned()) waiter.refuse(new Error("the caller gave up"));
        else line.addFirst(waiter);
        return;
      }
    } catch (thrown) {
      waiter.refuse(storeError(thrown));
      throw thrown;
    }
    const at = clock.now();
    remember(writeTimes, Math.min(at - now, greatestDelay));
    ledger.delay(n, at - now);
    deferredSince = null;
    waiter.admit({ n, at, written: at - now });
  }

  /** One look at the situation: tells the others something, gives a permit, or waits. */
  async function step(): Promise<void> {
    if (!looked) await look();
    const now = clock.now();
    const mine = standing();
    if (ledger.knowsMore()) {
      await write(ledger.record(now, { standing: mine }).text, now);
      return;
    }
    const opensAt = ledger.opensAt(now);
    if (mine !== null && opensAt <= now) {
      const agedTurn = ledger.agedTurn(mine);
      const ahead = ledger.ahead(now, mine, agedTurn);
      deferredSince ??= now;
      if (ahead.length === 0 || now - deferredSince >= grace) return give(now, agedTurn && mine.aged, ahead);
    }
    if (!sameStanding(mine, ledger.shownStanding()))
      await write(ledger.record(now, { standing: mine }).text, now);
    else if (mine !== null) await rest(Math.max(1, opensAt - now));
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

  async function run(): Promise<void> {
    running = true;
    try {
      while (line.best() !== null || ledger.knowsMore() || ledger.shownStanding() !== null) await step();
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

  function answered({ n, at, written }: Permitted): void {
    const latency = clock.now() - at;
    remember(latencies, latency);
    // The quickest of many calls is what a call takes on a warm connection; before that, expect the worst.
    const usual = latencies.length < 8 ? 0 : Math.min(...latencies);
    ledger.delay(n, Math.min(written + latency - usual, greatestDelay));
    if (ledger.knowsMore()) stir();
  }

  return {
    acquire: ({ priority, signal }) =>
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
          abandoned: () => signal?.aborted === true,
          admit: (permitted) => {
            signal?.removeEventListener("abort", leave);
            resolve({ answered: () => answered(permitted) });
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

function remember(values: number[], value: number): void {
  values.push(value);
  if (values.length > 20) values.shift();
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
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
