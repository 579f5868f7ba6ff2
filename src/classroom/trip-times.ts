/** Ways to the service may differ by this for single calls, whatever else is known (ms). */
const unevenness = 25;
/**
 * Calls may be counted this much later than their bytes left, on average (ms). With 4 calls in 1,000 ms, more would
 * mean less than 3.8 a second.
 */
const budget = 33;
/** The longest assumed way of a call (ms); after 429 answers longer. */
const longestWay = { usually: 400, afterRefusals: 2_000 };
/** A later answer is useless: by then the next call is planned. */
const usefulUntil = 850;
/** More calls than are made while everything is slow for some seconds. */
const rememberedTrips = 200;
/** How many of them are used to keep to the budget. */
const lookedAt = 80;
/** Minimum of calls before the fastest is used as the least a call takes. */
const enough = 20;

/** How long this process's calls take from their bytes' leaving until the answer (ms). */
export type TripTimes = {
  /**
   * How much later than its bytes left the service may have seen a call answered `trip` later. It saw it before
   * answering. What an answer took beyond the recent quickest may have been spent on the way there, and is counted
   * within the budget: all of it where answers take equally long, hardly more than the unevenness where they vary.
   */
  answered: (trip: number) => number;
  /** The same for an unanswered call; never less than what `answered` says of it later. */
  unanswered: () => number;
  /** How careful to be: 0 usually, one more after each 429, up to `mostCareful`. */
  setCare: (care: number) => void;
};

export const mostCareful = 3;

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

/** The greatest limit for these whose mean keeps to the budget. */
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
