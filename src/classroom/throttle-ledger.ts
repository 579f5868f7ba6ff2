import { z } from "zod";
import { greatestDelay } from "./trip-times.ts";

/**
 * What all processes that share an API key know together; one record in the store. It holds no moments of
 * anybody's clock but ages ("this permit is for 320 ms before this record was written", or after it when negative):
 * whoever reads the record knows it was written before, so an age only grows, and clocks need not agree. `writtenAt`
 * only tells a record of long ago from one of just now.
 */
const sharedSchema = z.object({
  /**
   * The latest permits; `age` in ms at writing; `late` is how much later the service may see the call, a guess until
   * the call was answered (`sure`). Its process stands by the guess when it was there after the call was made (`made`).
   */
  permits: z.array(
    z.object({
      n: z.number(),
      age: z.number(),
      late: z.number(),
      sure: z.boolean().default(false),
      made: z.boolean().default(false),
    }),
  ),
  /** Everybody stands still for `ms` after writing. The id tells another pause from one already known. */
  pause: z.object({ id: z.string(), ms: z.number() }),
  waiting: z.array(z.object({ by: z.string(), rank: z.number(), aged: z.boolean(), opensIn: z.number() })),
  /** Processes in the order of their latest permit, latest last. */
  served: z.array(z.string()),
  /** Permits since the last one that ignored priority. */
  sinceAged: z.number(),
  /** By how much a guess may be too small: somebody who works alone does not write down every small delay. */
  rough: z.number().default(15),
  /** Milliseconds since the epoch by the writer's clock. */
  writtenAt: z.number(),
});
type Shared = z.infer<typeof sharedSchema>;

/** How this process stands in the shared line. */
export type Standing = { rank: number; aged: boolean };

/** When a record was read or written, and whether this process wrote it. */
type From = { at: number; mine: boolean };

/**
 * A permit as this process knows it; `told` is how late the record says it is, and `toldMade` whether it says that its
 * process was there after the call. Only a permit that is not `mine` needs that.
 */
type Known = {
  noLaterThan: number;
  late: number;
  sure: boolean;
  made: boolean;
  mine: boolean;
  told: number;
  toldMade: boolean;
};

/** Clocks of machines that share a key may differ by this much. */
const clockTolerance = 5_000;
/** Every so many permits, one goes to whoever has waited very long, whatever the priority: nobody starves. */
const agedEvery = 20;
/** More permits than the limit are remembered, since a late one counts longer than those after it. */
const remembered = 12;
/** So long after another process made a call this one keeps an eye on what is written. */
const othersMatterFor = 3_000;
/** Delays smaller than this are inside the window's margin and not worth a write. */
const worthTelling = 2;
/** The same while nobody else is at work; whoever comes reckons with it. */
const worthTellingAlone = 15;
/** So many calls that only this process knows to have been made are worth a write while nobody else is at work. */
const untoldAlone = 2;
/** That a call was so much earlier than the record says is worth a write. */
const worthTellingEarlier = 15;
/** No process plans a call further ahead than this. */
export const greatestLead = 400;
/** Longer pauses come from a clock that was set back. */
const greatestPause = 600_000;
/** A permit that was given back lies so far in the past that it does not count. */
const givenBackAge = 60_000;
/** A process that cannot take the open place for another 20 ms is not waited for. */
const ableWithin = 20;

/** A call of this process that is only planned. */
const unheard = { sure: false, made: false, mine: true, noLaterThan: Infinity, told: 0, toldMade: false };

/** What one process knows; all times are of its own clock. */
export function createLedger(deps: { by: string; limit: number; windowMs: number }) {
  const { by, limit, windowMs } = deps;
  const permits = new Map<number, Known>();
  let pause = { id: "", until: 0 };
  let pauses = 0;
  let waiting: { by: string; rank: number; aged: boolean; ableAt: number }[] = [];
  let served: string[] = [];
  let sinceAged = 0;
  let knowsMore = false;
  let toldAbout = 0;
  let othersSeenAt = -Infinity;

  function opensAt(now: number): number {
    // A clock that was set back must not make permits lie far in the future.
    for (const permit of permits.values())
      permit.noLaterThan = Math.min(permit.noLaterThan, now + greatestLead);
    pause.until = Math.min(pause.until, now + greatestPause);
    const seenByService = [...permits.values()]
      .map((each) => each.noLaterThan + mayBeLate(each))
      .sort((a, b) => b - a);
    const blocking = seenByService[limit - 1];
    return Math.max(blocking === undefined ? 0 : blocking + windowMs, pause.until);
  }

  function latest(): number {
    return Math.max(0, ...permits.keys());
  }

  function contended(now: number): boolean {
    return waiting.some((each) => each.by !== by) || now - othersSeenAt < othersMatterFor;
  }

  function learnPermits({ permits: listed, rough: itsRough }: Shared, writtenBy: number, from: From): void {
    const rough = from.mine ? 0 : itsRough;
    for (const n of permits.keys()) if (!listed.some((each) => each.n === n)) permits.delete(n);
    for (const { n, age, late, sure, made } of listed) {
      const told = sure ? late : late + rough;
      const known = permits.get(n) ?? { noLaterThan: Infinity, late: told, sure, made, mine: from.mine };
      if (writtenBy - age - known.noLaterThan > worthTellingEarlier) tellOnce();
      const permit = {
        noLaterThan: Math.min(known.noLaterThan, writtenBy - age),
        late: sure ? late : known.sure ? known.late : Math.max(known.late, late),
        sure: sure || known.sure,
        made: made || known.made,
        mine: known.mine,
        told,
        toldMade: made,
      };
      permits.set(n, permit);
      compare(permit, from.at);
    }
  }

  /** Whether the others should know about a delay, or may call earlier than they think. */
  function compare({ late, sure, told }: Known, now: number): void {
    const together = contended(now);
    const untold = [...permits.values()].filter((each) => each.mine && each.made && !each.toldMade);
    if (untold.length >= (together ? 1 : untoldAlone)) knowsMore = true;
    if (late - told > (together ? worthTelling : worthTellingAlone)) knowsMore = true;
    if (together && sure && told - late > worthTellingEarlier) knowsMore = true;
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

    /** Takes in a record that was read at `at`, or written by this process then; null when there is none. */
    observe: (record: string | null, { at, mine }: From): void => {
      const shared = record === null ? null : parse(record);
      if (shared === null) return;
      const writtenBy = Math.min(at, shared.writtenAt + clockTolerance);
      knowsMore = false;
      const longAgo = at - shared.writtenAt > clockTolerance;
      waiting = longAgo ? [] : shared.waiting.map((each) => ({ ...each, ableAt: at + each.opensIn }));
      ({ served, sinceAged } = shared);
      if (!longAgo && served.at(-1) !== by) othersSeenAt = at;
      learnPermits(shared, writtenBy, { at, mine });
      learnPause(shared.pause, writtenBy, at);
    },

    /** Whether the record says less than this process knows, so that others would wait without need. */
    knowsMore: (): boolean => knowsMore,

    /** Gives up telling: the store does not answer. */
    forgetToTell: (): void => {
      knowsMore = false;
    },

    /** The number of the next permit. */
    nextNumber: (): number => latest() + 1,

    /** The record to write; `permit` gives one permit to this process, `without` drops entries not waited for. */
    record: (
      now: number,
      change: {
        standing: Standing | null;
        permit?: { at: number; aged: boolean; late: number };
        without?: readonly string[];
      },
    ): string => {
      const { permit } = change;
      const n = latest() + 1;
      const highest = permit === undefined ? latest() : n;
      const kept = waiting.filter((each) => each.by !== by && !(change.without ?? []).includes(each.by));
      const opensIn = Math.max(0, Math.round(opensAt(now) - now));
      const shared: Shared = {
        permits: [...permits]
          .map(([number, each]) => ({ ...each, n: number, age: now - each.noLaterThan }))
          .concat(permit === undefined ? [] : [{ ...unheard, n, age: now - permit.at, late: permit.late }])
          .sort((a, b) => a.age - mayBeLate(a) - (b.age - mayBeLate(b)))
          .map(({ n: number, age, late, sure, made }) => ({ n: number, age, late, sure, made }))
          // The latest number stays even when it was given back: no number is used twice.
          .filter((each, index) => index < remembered || each.n === highest),
        pause: { id: pause.id, ms: Math.max(0, pause.until - now) },
        waiting: kept
          // Whoever reads this record knows as much as its writer.
          .map(({ ableAt, ...each }) => ({ ...each, opensIn: Math.max(0, Math.min(ableAt - now, opensIn)) }))
          .concat(change.standing === null ? [] : [{ by, ...change.standing, opensIn }]),
        served: permit === undefined ? served : [...served.filter((each) => each !== by), by].slice(-32),
        sinceAged: permit === undefined ? sinceAged : permit.aged ? 0 : sinceAged + 1,
        rough: contended(now) ? 0 : worthTellingAlone,
        writtenAt: now,
      };
      return JSON.stringify(shared);
    },

    /** Whether the next permit is one that ignores priority. */
    agedTurn: (mine: Standing): boolean =>
      sinceAged >= agedEvery - 1 && (mine.aged || waiting.some((each) => each.aged && each.by !== by)),

    /** The processes that go before this one for the place that opens at `opens`. */
    ahead: (opens: number, mine: Standing, agedTurn: boolean): string[] => {
      const place = (each: { by: string; rank: number; aged: boolean }): [number, number] => [
        agedTurn ? Number(!each.aged) : each.rank,
        served.lastIndexOf(each.by),
      ];
      const [myClass, myTurn] = place({ by, ...mine });
      return waiting
        .filter((each) => each.by !== by && each.ableAt <= opens + ableWithin)
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
    contended,

    /**
     * There is no answer yet to the call of permit `n`: the service may see it this much after its moment.
     * @param made Whether this process stands by that, also if it should die now.
     */
    delay: (n: number, late: number, now: number, made: boolean): void => {
      const permit = permits.get(n);
      if (permit === undefined || permit.sure) return;
      permit.late = Math.max(permit.late, late);
      permit.made ||= made;
      compare(permit, now);
    },

    /** The call of permit `n` was answered: the service saw it at most this much after its moment. */
    settle: (n: number, late: number, now: number): void => {
      const permit = permits.get(n);
      if (permit === undefined) return;
      permit.late = late;
      permit.sure = true;
      permit.made = true;
      compare(permit, now);
    },

    /** No call is made with permit `n`. */
    giveBack: (n: number, now: number): void => {
      const permit = permits.get(n);
      if (permit === undefined) return;
      permit.noLaterThan = Math.min(permit.noLaterThan, now - givenBackAge);
      knowsMore = true;
    },

    /** Whether everybody stands still. */
    paused: (now: number): boolean => pause.until > now,

    /** Nobody calls before `until`. */
    pauseUntil: (until: number): void => {
      if (until <= pause.until) return;
      pauses += 1;
      pause = { id: `${by} ${pauses}`, until };
      knowsMore = true;
    },
  };
}

/**
 * How late the service may see a call. Nobody but its own process hears of its delay: as long as that has said nothing
 * since, it may have been killed while the call was on its way.
 */
function mayBeLate({ late, made, mine }: Pick<Known, "late" | "made" | "mine">): number {
  return made || mine ? late : Math.max(late, greatestDelay);
}

/** What a shared record says to somebody who only looks. Times of the clock of whoever wrote it. */
export type SharedState = {
  /** When calls were (or are to be) made, as far as the record remembers them (ms). */
  callsAt: readonly number[];
  /** Nobody calls before (ms). */
  pausedUntil: number;
  /** The most urgent call that each waiting process has, by rank. */
  waiting: readonly { by: string; rank: number }[];
};

/** Reads a shared record; null for one of another version. */
export function readShared(record: string): SharedState | null {
  const shared = parse(record);
  return (
    shared && {
      callsAt: shared.permits.map(({ age }) => shared.writtenAt - age),
      pausedUntil: shared.writtenAt + shared.pause.ms,
      waiting: shared.waiting.map(({ by, rank }) => ({ by, rank })),
    }
  );
}

/** Null for a record of another version: it is written anew, and for one window the two versions count apart. */
function parse(record: string): Shared | null {
  try {
    return sharedSchema.safeParse(JSON.parse(record)).data ?? null;
  } catch {
    return null;
  }
}
