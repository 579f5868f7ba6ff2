/** A call is taken to reach the service at most this much later than planned. */
export const greatestDelay = 2_000;
/** Quicker calls than the quickest of late are faster by no more than this. */
const unevenness = 21;
/** The first calls of a process may be this late: connections, and code that runs for the first time. */
const lateAtFirst = 150;
/** Nothing is expected to be later than this, whatever happened of late. */
const greatestExpected = 300;
/** So many calls' delays and writes are remembered. */
const remembered = 20;
/**
 * So many calls of a kind are remembered for what one takes at least: more than are made while everything is slow for some
 * seconds, when all of them are held up on their way.
 */
const rememberedTrips = 200;
/** From so many calls on, the quickest of them says what a call takes at least. */
const enough = 20;

/** What one process has learnt about how long its calls and its writes take. All in milliseconds. */
export type TripTimes = {
  written: (ms: number) => void;
  /** What a write of the shared record takes, on average. */
  writeTakes: () => number;
  /** How late the service may see the next call, counted from when it is planned: the latest of the last calls. */
  expectedLate: () => number;
  /**
   * How late the service may have seen a call that was made `after` its planned moment and answered `trip` later.
   * It saw it before it answered; and where answers take long anyway, what is longer than usual was on the way there.
   * What is usual depends on the kind of call.
   */
  answered: (call: { kind: string; after: number; trip: number }) => number;
  /** The same for a call that has no answer yet after `trip`, and perhaps none before `nextLook` later. */
  unanswered: (call: { kind: string; after: number; trip: number }, nextLook: number) => number;
};

/** Nothing learnt yet. */
export function createTripTimes(): TripTimes {
  const trips = new Map<string, number[]>();
  const lates: number[] = [];
  const writes: number[] = [];
  const usual = (kind: string) => {
    const known = trips.get(kind) ?? [];
    return known.length < enough ? 0 : Math.min(...known);
  };

  return {
    written: (ms) => remember(writes, Math.min(Math.max(ms, 0), greatestDelay)),
    writeTakes: () => meanOf(writes),
    expectedLate: () => (lates.length === 0 ? lateAtFirst : Math.min(Math.max(...lates), greatestExpected)),
    answered: ({ kind, after, trip }) => {
      const known = trips.get(kind) ?? [];
      trips.set(kind, known);
      remember(known, trip, rememberedTrips);
      const late = Math.ceil(after + Math.min(trip, trip - usual(kind) + unevenness));
      remember(lates, Math.min(late, greatestDelay));
      return Math.min(late, greatestDelay);
    },
    unanswered: ({ kind, after, trip }, nextLook) =>
      Math.ceil(Math.min(after + trip - usual(kind) + nextLook, greatestDelay)),
  };
}

function remember(values: number[], value: number, most = remembered): void {
  values.push(value);
  if (values.length > most) values.shift();
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
