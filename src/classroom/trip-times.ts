/** The way to the service may take so much longer for one call than for another, whatever else is known (ms). */
const unevenness = 25;
/**
 * What this may cost: so much (ms) may calls be counted later than their bytes left, on average. With 4 calls in 1,000 ms more
 * would be less than 3.8 a second.
 */
const budget = 33;
/** A call is taken to be on its way no longer than this (ms); after answers 429 longer. */
const longestWay = { usually: 400, afterRefusals: 2_000 };
/** An answer after this comes too late: by then the next call has been planned. */
const usefulUntil = 850;
/** So many calls say what one takes at least: more than are made while everything is slow for some seconds. */
const rememberedTrips = 200;
/** So many of them are looked at to keep to the budget. */
const lookedAt = 80;
/** From so many calls on, the quickest of them says what a call takes at least. */
const enough = 20;

/** What one process has learnt about how long its calls take from when their bytes left until the answer. Milliseconds. */
export type TripTimes = {
  /**
   * How much later than its bytes left the service may have seen a call that was answered `trip` later. It saw it before it
   * answered. What an answer took longer than the quickest of late may have been spent on the way there, and is counted as far
   * as the budget goes: where all answers take equally long, all of it; where they vary, hardly more than the unevenness.
   */
  answered: (trip: number) => number;
  /** The same for a call without an answer; never less than what `answered` says of it later. */
  unanswered: () => number;
  /** How careful to be: 0 usually, one more after each answer 429, up to `mostCareful`. */
  setCare: (care: number) => void;
};

/** Nothing counts before it was answered: for a service that counts calls when it replies. */
export const mostCareful = 3;

/** Nothing learnt yet. */
export function createTripTimes(): TripTimes {
  const trips: number[] = [];
  let care = 0;
  let most = budget;

  const factor = () => 4 ** care;
  const least = () => unevenness * factor();
  const greatest = () => (care === 0 ? longestWay.usually : longestWay.afterRefusals);

  function learn(): void {
    if (trips.length < enough) {
      most = budget * factor();
      return;
    }
    const quickest = Math.min(...trips);
    const excesses = trips.slice(-lookedAt).map((trip) => (trip > usefulUntil ? Infinity : trip - quickest));
    most = withinBudget(excesses, { least: least(), greatest: greatest(), mean: budget * factor() });
  }

  return {
    answered: (trip) => {
      const quickest = trips.length < enough ? 0 : Math.min(...trips);
      const late = Math.min(trip, Math.max(least(), Math.min(trip - quickest, most)));
      trips.push(trip);
      if (trips.length > rememberedTrips) trips.shift();
      learn();
      return late;
    },
    unanswered: () => Math.max(least(), most),
    setCare: (wanted) => {
      if (wanted === care) return;
      care = wanted;
      learn();
    },
  };
}

/** The greatest limit up to which these may be counted, so that their mean keeps to the budget. */
function withinBudget(
  excesses: readonly number[],
  { least, greatest, mean }: { least: number; greatest: number; mean: number },
): number {
  const allowed = mean * excesses.length;
  const cost = (limit: number) =>
    excesses.reduce((sum, excess) => sum + Math.max(least, Math.min(excess, limit)), 0);
  if (cost(greatest) <= allowed) return greatest;
  let [enoughFor, tooMuch] = [least, greatest];
  while (tooMuch - enoughFor > 1) {
    const middle = (enoughFor + tooMuch) / 2;
    if (cost(middle) <= allowed) enoughFor = middle;
    else tooMuch = middle;
  }
  return enoughFor;
}
