/** One API call as the service saw it. */
export type ApiCall = {
  /** Milliseconds since the epoch, at arrival. */
  at: number;
  /** When the limit counted it; null as long as it did not. */
  countedAt: number | null;
  /** It may have come so much earlier (ms), because this process stood still. */
  stalled: number;
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
        mostInOneSecond: mostInOneSecond(
          calls.map((call) => ({ at: call.countedAt ?? call.at, stalled: call.stalled })),
        ),
      };
    },
  };
}

/** The greatest number of calls that came within any rolling second for certain. */
function mostInOneSecond(counted: readonly { at: number; stalled: number }[]): number {
  const calls = counted.toSorted((a, b) => a.at - b.at);
  let most = 0;
  calls.forEach(({ at }, index) => {
    let within = 1;
    for (let earlier = index - 1; earlier >= 0; earlier -= 1) {
      const call = calls[earlier];
      if (call === undefined || at - call.at >= 1_000) break;
      if (at - (call.at - call.stalled) < 1_000) within += 1;
    }
    most = Math.max(most, within);
  });
  return most;
}
