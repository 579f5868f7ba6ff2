/** One API call as the service saw it. */
export type ApiCall = {
  /** Milliseconds since the epoch, at arrival. */
  at: number;
  /** "createApiUser", "authorize", ...; "unknown" when no route matched. */
  operation: string;
  method: string;
  /** Without the query. */
  path: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  status: number | null;
  /** Refused because there were too many calls (a 429 that a fault made does not count). */
  refusedByLimit: boolean;
};

/** What the API was asked, newest last. */
export type CallLog = {
  add: (call: ApiCall) => void;
  all: () => readonly ApiCall[];
  counts: () => { accepted: number; refusedByLimit: number; mostInOneSecond: number };
};

/** The log keeps this many calls; a bench of an hour fits. */
const kept = 20_000;

/** A call log in memory. */
export function createCallLog(): CallLog {
  const calls: ApiCall[] = [];
  return {
    add: (call) => {
      calls.push(call);
      if (calls.length > kept) calls.shift();
    },
    all: () => calls,
    counts: () => {
      const refusedByLimit = calls.filter((call) => call.refusedByLimit).length;
      return {
        accepted: calls.length - refusedByLimit,
        refusedByLimit,
        mostInOneSecond: mostInOneSecond(calls.map((call) => call.at)),
      };
    },
  };
}

/** The greatest number of arrivals within any rolling second. */
function mostInOneSecond(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  times.forEach((time, index) => {
    while (time - (times[first] ?? time) >= 1_000) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
