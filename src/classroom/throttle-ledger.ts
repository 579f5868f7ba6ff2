import { z } from "zod";

/**
 * What all processes that share an API key know together; one record in the store. It holds no moments of
 * anybody's clock but ages ("this permit was given at least 320 ms before this record was written"): whoever reads
 * the record knows it was written before, so an age only grows, and clocks need not agree. `writtenAt` only
 * tells a record of long ago from one of just now.
 */
const sharedSchema = z.object({
  /** The latest permits; `age` in ms at writing; `late` is how much later the service may have seen the call. */
  permits: z.array(z.object({ n: z.number(), age: z.number(), late: z.number() })),
  /** Everybody stands still for `ms` after writing. The id tells another pause from one already known. */
  pause: z.object({ id: z.string(), ms: z.number() }),
  waiting: z.array(z.object({ by: z.string(), rank: z.number(), aged: z.boolean(), opensIn: z.number() })),
  /** Processes in the order of their latest permit, latest last. */
  served: z.array(z.string()),
  /** Permits since the last one that ignored priority. */
  sinceAged: z.number(),
  /** Milliseconds since the epoch by the writer's clock. */
  writtenAt: z.number(),
});
type Shared = z.infer<typeof sharedSchema>;

/** How this process stands in the shared line. */
export type Standing = { rank: number; aged: boolean };

/** Clocks of machines that share a key may differ by this much. */
const clockTolerance = 5_000;
/** Every so many permits, one goes to whoever has waited very long, whatever the priority: nobody starves. */
const agedEvery = 20;
/** More permits than the limit are remembered, since a late one counts longer than those after it. */
const remembered = 8;
/** So long after another process made a call this one keeps an eye on what is written. */
const othersMatterFor = 3_000;
/** Differences smaller than this are inside the window's margin and not worth a write. */
const worthTelling = 15;
/** A process that cannot take the open place for another 20 ms is not waited for. */
const ableWithin = 20;

/** What one process knows; all times are of its own clock. */
export function createLedger(deps: { by: string; limit: number; windowMs: number }) {
  const { by, limit, windowMs } = deps;
  const permits = new Map<number, { noLaterThan: number; late: number }>();
  let pause = { id: "", until: 0 };
  let pauses = 0;
  let waiting: { by: string; rank: number; aged: boolean; ableAt: number }[] = [];
  let served: string[] = [];
  let sinceAged = 0;
  let knowsMore = false;
  let toldAbout = 0;
  let othersSeenAt = -Infinity;

  function opensAt(now: number): number {
    // A clock that was set back must not make permits lie in the future.
    for (const permit of permits.values()) permit.noLaterThan = Math.min(permit.noLaterThan, now);
    const seenByService = [...permits.values()]
      .map((each) => each.noLaterThan + each.late)
      .sort((a, b) => b - a);
    const blocking = seenByService[limit - 1];
    return Math.max(blocking === undefined ? 0 : blocking + windowMs, pause.until);
  }

  function latest(): number {
    return Math.max(0, ...permits.keys());
  }

  function learnPermits(told: Shared["permits"], writtenBy: number): void {
    for (const n of permits.keys()) if (!told.some((each) => each.n === n)) permits.delete(n);
    for (const { n, age, late } of told) {
      const known = permits.get(n) ?? { noLaterThan: Infinity, late: 0 };
      if (known.late - late > worthTelling) knowsMore = true;
      else if (writtenBy - age - known.noLaterThan > worthTelling) tellOnce();
      permits.set(n, {
        noLaterThan: Math.min(known.noLaterThan, writtenBy - age),
        late: Math.max(known.late, late),
      });
    }
  }

  /** At most once per permit: with a slow store two processes would else correct each other for ever. */
  function tellOnce(): void {
    if (toldAbout === latest()) return;
    toldAbout = latest();
    knowsMore = true;
  }

  /** Of the same pause the earlier end is the better estimate; of two pauses the later end counts. */
  function learnPause(told: Shared["pause"], writtenBy: number, now: number): void {
    const until = writtenBy + told.ms;
    if (told.id === pause.id) pause.until = Math.min(pause.until, until);
    else if (until >= pause.until) pause = { id: told.id, until };
    else if (pause.until > now) knowsMore = true;
  }

  return {
    /** When the next permit may be given, as far as this process knows. */
    opensAt,

    /** Takes in a record that was read (or written) at `at`; null when there is none. */
    observe: (record: string | null, at: number): void => {
      const shared = record === null ? null : parse(record);
      if (shared === null) return;
      const writtenBy = Math.min(at, shared.writtenAt + clockTolerance);
      knowsMore = false;
      learnPermits(shared.permits, writtenBy);
      learnPause(shared.pause, writtenBy, at);
      const longAgo = at - shared.writtenAt > clockTolerance;
      waiting = longAgo ? [] : shared.waiting.map((each) => ({ ...each, ableAt: at + each.opensIn }));
      ({ served, sinceAged } = shared);
      if (!longAgo && served.at(-1) !== by) othersSeenAt = at;
    },

    /** Whether the record says less than this process knows, so that others would wait without need. */
    knowsMore: (): boolean => knowsMore,

    /** Gives up telling: the store does not answer. */
    forgetToTell: (): void => {
      knowsMore = false;
    },

    /** The record to write; `permit` gives one permit to this process, `without` drops entries not waited for. */
    record: (
      now: number,
      change: {
        standing: Standing | null;
        permit?: { aged: boolean; late: number };
        without?: readonly string[];
      },
    ): { text: string; n: number } => {
      const n = latest() + 1;
      const kept = waiting.filter((each) => each.by !== by && !(change.without ?? []).includes(each.by));
      const opensIn = Math.max(0, Math.round(opensAt(now) - now));
      const shared: Shared = {
        permits: [...permits]
          .map(([number, each]) => ({ n: number, age: now - each.noLaterThan, late: each.late }))
          .concat(change.permit === undefined ? [] : [{ n, age: 0, late: change.permit.late }])
          .sort((a, b) => a.n - b.n)
          .slice(-remembered),
        pause: { id: pause.id, ms: Math.max(0, pause.until - now) },
        waiting: kept
          // Whoever reads this record knows as much as its writer.
          .map(({ ableAt, ...each }) => ({ ...each, opensIn: Math.max(0, Math.min(ableAt - now, opensIn)) }))
          .concat(change.standing === null ? [] : [{ by, ...change.standing, opensIn }]),
        served:
          change.permit === undefined ? served : [...served.filter((each) => each !== by), by].slice(-32),
        sinceAged: change.permit === undefined ? sinceAged : change.permit.aged ? 0 : sinceAged + 1,
        writtenAt: now,
      };
      return { text: JSON.stringify(shared), n };
    },

    /** Whether the next permit is one that ignores priority. */
    agedTurn: (mine: Standing): boolean =>
      sinceAged >= agedEvery - 1 && (mine.aged || waiting.some((each) => each.aged && each.by !== by)),

    /** The processes that go before this one for a place that is open now. */
    ahead: (now: number, mine: Standing, agedTurn: boolean): string[] => {
      const place = (each: { by: string; rank: number; aged: boolean }): [number, number] => [
        agedTurn ? Number(!each.aged) : each.rank,
        served.lastIndexOf(each.by),
      ];
      const [myClass, myTurn] = place({ by, ...mine });
      return waiting
        .filter((each) => each.by !== by && each.ableAt <= now + ableWithin)
        .filter((each) => {
          const [itsClass, itsTurn] = place(each);
          if (itsClass !== myClass) return itsClass < myClass;
          return itsTurn === myTurn ? each.by < by : itsTurn < myTurn;
        })
        .map((each) => each.by);
    },

    /** How the shared record shows this process. */
    shownStanding: (): Standing | null => waiting.find((each) => each.by === by) ?? null,

    /** Whether other processes are at work with the same key. */
    contended: (now: number): boolean =>
      waiting.some((each) => each.by !== by) || now - othersSeenAt < othersMatterFor,

    /** The service may have seen permit `n` this much after it was given. */
    delay: (n: number, late: number): void => {
      const permit = permits.get(n);
      if (permit === undefined) return;
      const known = permit.late;
      permit.late = Math.max(known, Math.round(late));
      if (permit.late - known > worthTelling) knowsMore = true;
    },

    /** Nobody calls before `until`. */
    pauseUntil: (until: number): void => {
      if (until <= pause.until) return;
      pauses += 1;
      pause = { id: `${by} ${pauses}`, until };
      knowsMore = true;
    },
  };
}

/** Null for a record of another version: it is written anew, and for one window the two versions count apart. */
function parse(record: string): Shared | null {
  try {
    return sharedSchema.safeParse(JSON.parse(record)).data ?? null;
  } catch {
    return null;
  }
}
