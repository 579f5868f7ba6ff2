import {
  budgetTripCount,
  latenessBudgetMs,
  longestWayMs,
  minTrips,
  maxTrips,
  unevennessMs,
  usefulUntilMs,
} from "./limits.ts";

/** How long this process's calls take, from the moment their bytes leave until the answer (ms). */
export type TripTimes = ReturnType<typeof createTripTimes>;

export function createTripTimes() {
  const trips: number[] = [];
  let care = 0;
  let limitMs = latenessBudgetMs;

  const factor = () => 4 ** care;
  const least = () => unevennessMs * factor();
  const greatest = () => (care === 0 ? longestWayMs.usually : longestWayMs.afterRefusals);

  function learn(): void {
    if (trips.length < minTrips) {
      limitMs = latenessBudgetMs * factor();
      return;
    }
    const quickest = Math.min(...trips);
    const excesses = trips
      .slice(-budgetTripCount)
      .map((trip) => (trip > usefulUntilMs ? Infinity : trip - quickest));
    limitMs = withinBudget(excesses, {
      least: least(),
      greatest: greatest(),
      mean: latenessBudgetMs * factor(),
    });
  }

  return {
    /**
     * How much later than its bytes left the service may have seen a call whose answer came after `trip`. Whatever the answer took beyond
     * the recent quickest may have been the way there. It counts within the budget: fully if answers take equally long, hardly more than the
     * unevenness if they vary.
     */
    answered: (trip: number) => {
      const quickest = trips.length < minTrips ? 0 : Math.min(...trips);
      const late = Math.min(trip, Math.max(least(), Math.min(trip - quickest, limitMs)));
      trips.push(trip);
      if (trips.length > maxTrips) trips.shift();
      learn();
      return late;
    },
    /** The same for an unanswered call; never less than what `answered` later returns for it. */
    unanswered: () => Math.max(least(), limitMs),
    /** How careful to be: usually 0, one more after each 429, up to `maxCare`. */
    setCare: (next: number) => {
      if (next === care) return;
      care = next;
      learn();
    },
  };
}

/** The greatest limit for these excesses whose mean stays within the budget. */
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
