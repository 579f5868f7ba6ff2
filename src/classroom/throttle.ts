import { createHash } from "node:crypto";
import { type Clock, woken } from "../kernel/clock.ts";
import { messageOf, type NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Ids, sha256 } from "../kernel/ids.ts";
import { createLedger, type WaitingEntry } from "./throttle-ledger.ts";
import { createPermits, createWaitingLine, sleepUntil } from "./permits.ts";
import { createTripTimes } from "./trip-times.ts";
import {
  defaultCallsPerWindow,
  freshReadMs,
  graceMs,
  headStartMs,
  leadMs,
  readEveryMs,
  readLaterMs,
  marginMs,
  maxCare,
  maxPlanAheadMs,
  slackMs,
} from "./limits.ts";

/** Where all processes with one key keep their shared record. Its text means nothing to the store. */
export type ThrottleStore = {
  read: (key: string) => Promise<{ revision: number; record: string } | null>;
  /**
   * Writes if the revision is still the given one (null: there is none yet). The new revision is one higher (or 1). @returns false if
   * another process was faster. Atomic over all processes.
   */
  replace: (key: string, revision: number | null, record: string) => Promise<boolean>;
};

/** Keeps calls below the service's limit in all processes that share the store and the API key. */
export type Throttle = ReturnType<typeof createThrottle>;

/** A call that is recorded but not made yet. */
type Planned = { n: number; at: number; aged: boolean };

type Turn = { opensAt: number; aged: boolean; earlier: readonly string[] };

/**
 * A permit is recorded shortly before its moment, and given to the first caller at that moment, so writing costs no time.
 * @param deps.key The store only sees its digest.
 * @param deps.clock Must be steady, because setting a clock would bring calls forward.
 * @param deps.dayTime The time of day (ms), to recognise an old record; default: the clock's.
 * @param deps.limit How many calls are allowed within any `windowMs` ms; default: 4 in 1,000.
 * @param deps.counts Whether the service counts requests on arrival, or replies when made.
 */
export function createThrottle(deps: {
  store: ThrottleStore;
  key: string;
  clock: Clock;
  dayTime?: () => number;
  ids: Ids;
  limit?: number;
  windowMs?: number;
  counts?: "arrivals" | "replies";
}) {
  const { store, clock, limit = defaultCallsPerWindow, windowMs = 1_000, dayTime = clock.now } = deps;
  const key = throttleKey(deps.key);
  const by = deps.ids.id("proc");
  const ledger = createLedger({ by, limit, windowMs: windowMs + marginMs, maxCare });
  const line = createWaitingLine(clock);
  const times = createTripTimes();
  const planned = new Set<Planned>();
  const writes: number[] = [];
  let revision: number | null = null;
  let hasRead = false;
  let readBegan = -Infinity;
  let readAt = -Infinity;
  let running = false;
  let waking = new AbortController();
  let deferredSince: number | null = null;
  let lost = 0;

  function writeTakes(): number {
    return writes.length === 0 ? 0 : Math.round(writes.reduce((sum, ms) => sum + ms, 0) / writes.length);
  }

  async function readRecord(): Promise<void> {
    const notBefore = readBegan;
    const began = clock.now();
    const found = await store.read(key);
    readAt = clock.now();
    if (hasRead && found?.revision === revision) {
      readBegan = began;
      return;
    }
    if (found?.revision !== revision) deferredSince = null;
    revision = found?.revision ?? null;
    hasRead = true;
    readBegan = began;
    ledger.observe(found?.record ?? null, dayTime(), { at: readAt, mine: false, notBefore });
  }

  type Change = Parameters<typeof ledger.record>[2];

  /** Writes the record. @returns false, after reading again, if another process wrote first. */
  async function write(at: number, change: Change): Promise<boolean> {
    const record = ledger.record(at, dayTime(), change);
    if (!(await store.replace(key, revision, record))) {
      lost += 1;
      await readRecord();
      return false;
    }
    lost = 0;
    revision = (revision ?? 0) + 1;
    readBegan = at;
    readAt = clock.now();
    ledger.observe(record, dayTime(), { at, mine: true, notBefore: at });
    return true;
  }

  function ownEntry(): WaitingEntry | null {
    const best = line.best(planned.size);
    const aged = line.aged() !== null && ![...planned].some((call) => call.aged);
    return best === null ? null : { rank: best.rank, aged };
  }

  function leadNow(now: number): number {
    const base = ledger.contended(now) ? leadMs.contended : leadMs.alone;
    return Math.min(base + 2 * writeTakes(), leadMs.max);
  }

  /** How late the service may see a call that hasn't been sent, and one that was sent but not answered. */
  function mayBeLate(now: number): { unsent: number; unanswered: number } {
    times.setCare(deps.counts === "replies" ? maxCare : ledger.care(now));
    const unanswered = times.unanswered();
    return { unsent: slackMs + unanswered, unanswered };
  }

  /** Records a call for the moment at which the permit opens. */
  async function plan(now: number, opensAt: number, aged: boolean, without: readonly string[]) {
    const at = Math.ceil(Math.max(opensAt, now + Math.min(writeTakes(), maxPlanAheadMs - 1)));
    const call = { n: ledger.nextNumber(), at, aged };
    planned.add(call);
    let written = false;
    try {
      const permit = { at, aged, late: mayBeLate(now).unsent };
      written = await write(now, { entry: ownEntry(), permit, without });
    } finally {
      if (!written) planned.delete(call);
    }
    if (!written) return;
    writes.push(clock.now() - now);
    if (writes.length > 20) writes.shift();
    deferredSince = null;
    void give(call);
  }

  const permits = createPermits({
    clock,
    ledger,
    line,
    times,
    slack: slackMs,
    mayBeLate,
    wake: () => wake(),
  });

  /** Gives a planned call to the first caller shortly before its moment. If nobody waits, or it is too late, gives it back. */
  async function give(call: Planned): Promise<void> {
    const { n, at, aged } = call;
    await sleepUntil(clock, at - headStartMs);
    const now = clock.now();
    planned.delete(call);
    const isInTime = now >= at - headStartMs && now <= at + slackMs && !ledger.paused(at);
    const waiter = isInTime ? ((aged ? line.aged() : null) ?? line.best()) : null;
    if (waiter !== null && line.remove(waiter)) waiter.admit({ n, plannedAt: at });
    else ledger.giveBack(n, now);
    wake();
  }

  /** Whether others may have written since the last reading. */
  function isStale(now: number): boolean {
    return ledger.contended(now) && now - readAt > freshReadMs;
  }

  /** One turn: reports something, plans a call, or waits. */
  async function step(): Promise<void> {
    if (!hasRead) await readRecord();
    const now = clock.now();
    const mine = ownEntry();
    const reportDue = (ledger.reportAt(now) ?? Infinity) <= now;
    const turn = mine === null ? null : turnOf(mine, now);
    const calls = turn !== null && isMine(turn, now);
    // Without a recent reading, a write usually fails.
    const stands = sameEntry(mine, ledger.ownEntry());
    if ((reportDue || calls || !stands) && isStale(now)) return readRecord();
    if (reportDue) return change(now, { entry: mine });
    if (calls) return plan(now, turn.opensAt, turn.aged, turn.earlier);
    if (!stands) return change(now, { entry: mine });
    await rest(now, turn);
  }

  /** When the next permit opens, and who goes first. */
  function turnOf(mine: WaitingEntry, now: number): Turn {
    const opensAt = ledger.opensAt(now);
    const agedTurn = ledger.agedTurn(mine);
    const earlier = ledger.earlier(Math.max(opensAt, now), mine, agedTurn);
    return { opensAt, aged: agedTurn && mine.aged, earlier };
  }

  /** Whether to take the next permit now: it opens soon, and no live process goes first. */
  function isMine({ opensAt, earlier }: Turn, now: number): boolean {
    if (opensAt > now + leadNow(now)) return false;
    if (earlier.length === 0) return true;
    deferredSince ??= now;
    return now - deferredSince >= graceMs;
  }

  /** Writes something other than a call. The wait afterwards is spread out, so many writers don't collide again. */
  async function change(now: number, what: Change): Promise<void> {
    if (await write(now, what)) return;
    await clock.sleep(spread(by, revision ?? 0, Math.min(20 * 2 ** Math.min(lost, 8), 4_000)));
  }

  /** Waits until there is something to do, a caller comes or leaves, or a pause begins. Then reads what others wrote. */
  async function rest(now: number, turn: Turn | null): Promise<void> {
    const contended = ledger.contended(now);
    const reportAt = ledger.reportAt(now) ?? Infinity;
    const actAt = turn === null ? Infinity : turn.opensAt - leadNow(now);
    const nextReadAt =
      contended && turn !== null ? now + untilNextRead(now, actAt, turn.earlier.length) : actAt;
    waking = new AbortController();
    try {
      await clock.sleep(
        Math.max(1, Math.min(reportAt, nextReadAt, now + readEveryMs.far) - now),
        waking.signal,
      );
    } catch {
      return; // woken
    }
    if (contended && clock.now() >= nextReadAt) await readRecord();
  }

  function untilNextRead(now: number, actAt: number, earlierCount: number): number {
    if (earlierCount >= limit)
      return Math.min(Math.max(readEveryMs.soon, earlierCount * readLaterMs), readEveryMs.far);
    if (actAt <= now || ledger.mayOpenSooner(now)) return readEveryMs.near;
    return Math.min(actAt - now, readEveryMs.soon);
  }

  function busy(): boolean {
    if (line.best(planned.size) !== null || ledger.ownEntry() !== null) return true;
    return ledger.reportAt(clock.now()) !== null;
  }

  async function run(): Promise<void> {
    running = true;
    try {
      while (busy()) await step();
    } catch (thrown) {
      ledger.giveUpReporting();
      hasRead = false;
      line.refuseAll(storeError(thrown));
    } finally {
      running = false;
    }
  }

  function wake(): void {
    if (running) waking.abort(woken);
    else void run();
  }

  return {
    /** Resolves when it is the caller's turn, a little before its moment. Rejects with the signal's reason if aborted. */
    acquire: permits.acquire,
    pause: (ms: number) => {
      ledger.pauseUntil(clock.now() + ms);
      wake();
    },
    /** The service answered 429. Pauses all calls for `ms`, and is more careful for a while. */
    refused: (ms: number) => {
      const now = clock.now();
      ledger.refused(now);
      ledger.pauseUntil(now + ms);
      wake();
    },
    /** Waiting callers of this process, by priority. */
    waiting: line.counts,
  };
}

export function throttleKey(apiKey: string): string {
  return sha256(`classroom-throttle\n${apiKey}`);
}

/** A number up to `max` that differs between processes and revisions. */
function spread(by: string, revision: number, max: number): number {
  return createHash("sha256").update(`${by} ${revision}`).digest().readUInt16BE(0) % max;
}

function sameEntry(one: WaitingEntry | null, other: WaitingEntry | null): boolean {
  return one?.rank === other?.rank && one?.aged === other?.aged;
}

function storeError(thrown: unknown): NamedError {
  return refusal("throttle-store-unreachable", {
    status: 503,
    temporary: true,
    details: { reason: messageOf(thrown) },
    cause: thrown,
  });
}
