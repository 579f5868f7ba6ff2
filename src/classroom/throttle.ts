import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import { createLedger, farthestAhead, type Standing } from "./throttle-ledger.ts";
import { createPermits, type Permit, sleepUntil, type Waiting } from "./permits.ts";
import { createTripTimes, mostCareful } from "./trip-times.ts";
import { createWaitingLine, type Priority } from "./waiting-line.ts";

/** Where all processes with the same key keep their one shared record; the text means nothing to the store. */
export type ThrottleStore = {
  read: (key: string) => Promise<{ revision: number; record: string } | null>;
  /**
   * Writes the record when its revision is still the given one (null: when there is none yet); the new revision
   * is one more (or 1). False when somebody else was faster. Atomic over all processes.
   */
  replace: (key: string, revision: number | null, record: string) => Promise<boolean>;
};

/** Keeps calls below the service's limit, over all processes that share the store and the API key. */
export type Throttle = {
  /**
   * Resolves when it is the caller's turn, a little before its moment; rejects with the signal's reason when it aborts first.
   */
  acquire: (options: Waiting) => Promise<Permit>;
  /** Stops everybody for `ms` milliseconds. */
  pause: (ms: number) => void;
  /** The service answered 429: everybody stops for `ms` milliseconds, and is more careful for a while. */
  refused: (ms: number) => void;
  /** How many callers of this process wait, by priority. */
  waiting: () => Record<Priority, number>;
};

/** "Fewer than 5 queries per second" (document part 8). */
const defaultLimit = 4;
/** Rounding of times, and clocks of which one is a little faster. */
export const margin = 3;
/** So long before its moment a call is given to its caller, who then makes its connection ready. */
const headStart = 10;
/** So long after its moment the bytes of a call may still leave; others reckon with it until they hear better. */
const slack = 250;
/** How long a place is left to a process that goes first; then it is taken for dead. */
const grace = 150;
/** How long before its moment a call is planned, alone and with other processes at work; twice a write is added, up to `most`. */
const lead = { alone: 30, contended: 130, most: 400 };
/** How often to look at what the others did: when one's own turn may come any moment, and at least and at most before. */
const lookEvery = { near: 40, soon: 80, far: 2_000 };
/** For each process that goes first a look can wait so much longer; four are served in a second. */
const lookLaterFor = 60;

/** A look that ended so long ago (ms) is good enough to write after it. */
const freshFor = 10;

/** A call that is written down and not made yet. */
type Planned = { n: number; at: number; aged: boolean };

/** The next place: when it opens, whether it goes to who waited long, and which processes go first. */
type Turn = { opensAt: number; aged: boolean; ahead: readonly string[] };

/**
 * A throttle for one API key. A permit is written down shortly before its moment, and given at that moment to
 * whoever goes first then; so writing costs no time.
 * @param deps.key The API key; the store sees only its digest.
 * @param deps.clock A steady one: a clock that is set would make calls earlier than they were.
 * @param deps.dayTime The time of day (ms), to tell a record of long ago; the clock's when left out.
 * @param deps.limit So many calls are allowed within any `windowMs` milliseconds; 4 in 1,000 when left out.
 * @param deps.counts What the service counts: requests as they arrive, or replies as it makes them.
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
}): Throttle {
  const { store, clock, limit = defaultLimit, windowMs = 1_000, dayTime = clock.now } = deps;
  const key = throttleKey(deps.key);
  const by = deps.ids.id("proc");
  const ledger = createLedger({ by, limit, windowMs: windowMs + margin, mostCareful });
  const line = createWaitingLine(clock);
  const times = createTripTimes();
  const planned = new Set<Planned>();
  const writes: number[] = [];
  let revision: number | null = null;
  let looked = false;
  let lookBegan = -Infinity;
  let lookedAt = -Infinity;
  let running = false;
  let wake = new AbortController();
  let deferredSince: number | null = null;
  let lost = 0;

  /** What a write of the shared record takes, on average. */
  function writeTakes(): number {
    return writes.length === 0 ? 0 : Math.round(writes.reduce((sum, ms) => sum + ms, 0) / writes.length);
  }

  async function look(): Promise<void> {
    const notBefore = lookBegan;
    const began = clock.now();
    const found = await store.read(key);
    lookedAt = clock.now();
    if (looked && found?.revision === revision) {
      lookBegan = began;
      return;
    }
    if (found?.revision !== revision) deferredSince = null;
    revision = found?.revision ?? null;
    looked = true;
    lookBegan = began;
    ledger.observe(found?.record ?? null, dayTime(), { at: lookedAt, mine: false, notBefore });
  }

  type Change = Parameters<typeof ledger.record>[2];

  /** Writes the record; false (and a fresh look) when another process wrote first. */
  async function write(at: number, change: Change): Promise<boolean> {
    const record = ledger.record(at, dayTime(), change);
    if (!(await store.replace(key, revision, record))) {
      lost += 1;
      await look();
      return false;
    }
    lost = 0;
    revision = (revision ?? 0) + 1;
    lookBegan = at;
    lookedAt = clock.now();
    ledger.observe(record, dayTime(), { at, mine: true, notBefore: at });
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
    return Math.min(base + 2 * writeTakes(), lead.most);
  }

  /** How late a call may be seen that has not left yet, and one that has and was not answered. */
  function mayBeLate(now: number): { unsent: number; unanswered: number } {
    times.setCare(deps.counts === "replies" ? mostCareful : ledger.care(now));
    const unanswered = times.unanswered();
    return { unsent: slack + unanswered, unanswered };
  }

  /** Writes down a call for the moment at which the place opens. */
  async function plan(
    now: number,
    opensAt: number,
    aged: boolean,
    without: readonly string[],
  ): Promise<void> {
    const at = Math.ceil(Math.max(opensAt, now + Math.min(writeTakes(), farthestAhead - 1)));
    const call = { n: ledger.nextNumber(), at, aged };
    planned.add(call);
    let written = false;
    try {
      const permit = { at, aged, late: mayBeLate(now).unsent };
      written = await write(now, { standing: standing(), permit, without });
    } finally {
      if (!written) planned.delete(call);
    }
    if (!written) return;
    writes.push(clock.now() - now);
    if (writes.length > 20) writes.shift();
    deferredSince = null;
    void give(call);
  }

  const permits = createPermits({ clock, ledger, line, times, slack, mayBeLate, stir: () => stir() });

  /** Gives a planned call to whoever goes first shortly before its moment. If nobody does, or it is too late, it is given back. */
  async function give(call: Planned): Promise<void> {
    const { n, at, aged } = call;
    await sleepUntil(clock, at - headStart);
    const now = clock.now();
    planned.delete(call);
    const isInTime = now >= at - headStart && now <= at + slack && !ledger.paused(at);
    const waiter = isInTime ? ((aged ? line.aged() : null) ?? line.best()) : null;
    if (waiter !== null && line.remove(waiter)) waiter.admit({ n, plannedAt: at });
    else ledger.giveBack(n, now);
    stir();
  }

  /** Whether others may have written since the last look. */
  function isStale(now: number): boolean {
    return ledger.contended(now) && now - lookedAt > freshFor;
  }

  /** One look at the situation: tells the others something, plans a call, or waits. */
  async function step(): Promise<void> {
    if (!looked) await look();
    const now = clock.now();
    const mine = standing();
    const tells = (ledger.tellAt(now) ?? Infinity) <= now;
    const turn = mine === null ? null : turnOf(mine, now);
    const calls = turn !== null && isMine(turn, now);
    // Whoever writes without having looked just now mostly writes in vain.
    const stands = sameStanding(mine, ledger.shownStanding());
    if ((tells || calls || !stands) && isStale(now)) return look();
    if (tells) return change(now, { standing: mine });
    if (calls) return plan(now, turn.opensAt, turn.aged, turn.ahead);
    if (!stands) return change(now, { standing: mine });
    await rest(now, turn);
  }

  /** When the next place opens, and who goes first then. */
  function turnOf(mine: Standing, now: number): Turn {
    const opensAt = ledger.opensAt(now);
    const agedTurn = ledger.agedTurn(mine);
    const ahead = ledger.ahead(Math.max(opensAt, now), mine, agedTurn);
    return { opensAt, aged: agedTurn && mine.aged, ahead };
  }

  /** Whether to take the next place now: it opens soon, and nobody goes first or whoever does is taken for dead. */
  function isMine({ opensAt, ahead }: Turn, now: number): boolean {
    if (opensAt > now + leadNow(now)) return false;
    if (ahead.length === 0) return true;
    deferredSince ??= now;
    return now - deferredSince >= grace;
  }

  /** Writes something that is no call; where many write at once, not all of them at once again. */
  async function change(now: number, what: Change): Promise<void> {
    if (await write(now, what)) return;
    await clock.sleep(spread(by, revision ?? 0, Math.min(20 * 2 ** Math.min(lost, 8), 4_000)));
  }

  /** Waits until something is to be done, or somebody comes, leaves or is told to pause; and looks what the others did. */
  async function rest(now: number, turn: Turn | null): Promise<void> {
    const contended = ledger.contended(now);
    const tellAt = ledger.tellAt(now) ?? Infinity;
    const actAt = turn === null ? Infinity : turn.opensAt - leadNow(now);
    const lookAt = contended && turn !== null ? now + untilNextLook(now, actAt, turn.ahead.length) : actAt;
    wake = new AbortController();
    try {
      await clock.sleep(Math.max(1, Math.min(tellAt, lookAt, now + lookEvery.far) - now), wake.signal);
    } catch {
      return; // woken
    }
    if (contended && clock.now() >= lookAt) await look();
  }

  function untilNextLook(now: number, actAt: number, ahead: number): number {
    if (ahead >= limit) return Math.min(Math.max(lookEvery.soon, ahead * lookLaterFor), lookEvery.far);
    if (actAt <= now || ledger.mayOpenSooner(now)) return lookEvery.near;
    return Math.min(actAt - now, lookEvery.soon);
  }

  /** Whether there is anything to plan, to tell, or to look out for. */
  function busy(): boolean {
    if (line.best(planned.size) !== null || ledger.shownStanding() !== null) return true;
    return ledger.tellAt(clock.now()) !== null;
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

  return {
    acquire: permits.acquire,
    pause: (ms) => {
      ledger.pauseUntil(clock.now() + ms);
      stir();
    },
    refused: (ms) => {
      const now = clock.now();
      ledger.refused(now);
      ledger.pauseUntil(now + ms);
      stir();
    },
    waiting: line.counts,
  };
}

/** Under which key the shared record of an API key is kept. */
export function throttleKey(apiKey: string): string {
  return createHash("sha256").update(`classroom-throttle\n${apiKey}`).digest("hex");
}

/** A number up to `most` that differs between processes and from one revision to the next. */
function spread(by: string, revision: number, most: number): number {
  return createHash("sha256").update(`${by} ${revision}`).digest().readUInt16BE(0) % most;
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
