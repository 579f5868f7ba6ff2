export type ApiCall = {
  /** At arrival (ms). */
  at: number;
  /** When the limit counted it; null before. */
  countedAt: number | null;
  /** How much earlier it may have come (ms), because this process stood still. */
  stalled: number;
  /** "createApiUser", "authorize", ...; "unknown" when no route matched. */
  operation: string;
  method: string;
  /** Without the query. */
  path: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  status: number | null;
  /** Not by a fault's 429. */
  refusedByLimit: boolean;
};

/** Newest last. */
export type CallLog = {
  add: (call: ApiCall) => void;
  all: () => readonly ApiCall[];
  counts: () => { accepted: number; refusedByLimit: number; mostInOneSecond: number };
};

/** Enough for a bench of an hour. */
const maxCallsKept = 20_000;

export function createCallLog(): CallLog {
  const calls: ApiCall[] = [];
  return {
    add: (call) => {
      calls.push(call);
      if (calls.length > maxCallsKept) calls.shift();
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

/** Calls that certainly came within one rolling second, at most. */
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
