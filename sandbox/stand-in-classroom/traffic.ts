// From: document 8 (limits); when a call counts, how long replies take and what goes wrong is assumed.
import { z } from "zod";
import { seededRandom } from "../seeded-random.ts";

/** A fault for the next `times` calls of an operation ("*" is any). */
export const faultSchema = z.object({
  operation: z.string().default("*"),
  kind: z.enum(["429", "500", "garbage", "empty", "slow", "drop"]),
  times: z.number().int().positive().default(1),
  /** For "slow": delay before the normal response (ms). */
  delayMs: z.number().int().nonnegative().default(3_000),
  /** For "429": Retry-After (s); null leaves it out. */
  retryAfterSeconds: z.number().int().nonnegative().nullable().default(1),
  /** For "500", "garbage", "empty" and "drop": whether the operation takes effect. */
  takesEffect: z.boolean().default(false),
});

export type Fault = z.infer<typeof faultSchema>;
export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  let pending: Fault[] = [];
  return {
    add: (fault: z.input<typeof faultSchema>): void => {
      pending.push(faultSchema.parse(fault));
    },
    clear: (): void => {
      pending = [];
    },
    /** Uses up one time of the first matching fault. */
    take: (operation: string): Fault | null => {
      const fault = pending.find((each) => each.operation === "*" || each.operation === operation);
      if (fault === undefined) return null;
      fault.times -= 1;
      if (fault.times === 0) pending = pending.filter((each) => each !== fault);
      return fault;
    },
  };
}

export type ApiCall = {
  /** At arrival (ms). */
  at: number;
  /** When the limit counted it; null before that. */
  countedAt: number | null;
  /** How much earlier it may have arrived (ms), because this process was stalled. */
  stalled: number;
  /** "createApiUser", "authorize", ...; "unknown" when no route matched. */
  operation: string;
  method: string;
  /** Without the query. */
  path: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  status: number | null;
  /** Whether it was refused by the limit, not by a fault's 429. */
  refusedByLimit: boolean;
  /** The fault that hit it; null for none. */
  fault: Fault | null;
};

/** Enough for a bench of an hour. */
const maxCallsKept = 20_000;

export type CallLog = ReturnType<typeof createCallLog>;

/** Newest last. */
export function createCallLog() {
  const calls: ApiCall[] = [];
  return {
    add: (call: ApiCall): void => {
      calls.push(call);
      if (calls.length > maxCallsKept) calls.shift();
    },
    all: (): readonly ApiCall[] => calls,
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

/** The highest number of calls that certainly came within one rolling second. */
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
/**
 * When a call counts; the document ("fewer than 5 queries per second", part 8) does not say. Assumed (`limitCountsArrivals`): at arrival,
 * before any work, as gateways count (nginx `limit_req`). The opposite: when the reply is ready.
 */
export type LimitCounts = "arrivals" | "replies";

/** "Fewer than 5 queries per second" (document part 8). */
export const usualLimit = { calls: 4, perMs: 1_000 };

/**
 * A rolling window; whether refused calls count is an assumption (`refusedCallsAreFree`). @returns whether a call may pass; `stalled` is
 * how much earlier it may have arrived (ms): only calls that certainly exceed the limit are refused.
 */
export function createRateLimit(limit: { calls: number; perMs: number }, refusedCount: boolean) {
  let passed: number[] = [];
  return (now: number, stalled: number): boolean => {
    passed = passed.filter((at) => now - at < limit.perMs);
    const allowed = passed.length < limit.calls;
    if (allowed || refusedCount) passed.push(now - stalled);
    return allowed;
  };
}

/** In milliseconds. Assumed (`repliesTakeTime`): the document does not say; web services with a database take tens to hundreds of ms. */
export type ReplyTimes = { from: number; to: number };

export const usualReplyTimes: ReplyTimes = { from: 30, to: 600 };

/** The same times in the same order in each run. */
const seedCode = 14;

/** `set` changes later replies; null responds without delay. */
export function createReplyTimes(initial: ReplyTimes | null = usualReplyTimes) {
  const random = seededRandom(seedCode);
  let times = initial;
  return {
    next: (): number => {
      const share = random();
      return times === null ? 0 : times.from + share * (times.to - times.from);
    },
    set: (wanted: ReplyTimes | null): void => {
      times = wanted;
    },
  };
}
/** (ms) between ticks. */
const tickMs = 10;
/** Usual lateness of timers (ms). */
const usualLatenessMs = 5;

/** For a clock that stops with the process. */
export const noStalls = { now: () => 0, close: () => undefined };

/**
 * How long this process has just been stalled (ms). A limiter on its own machine counts a request at arrival; this one may share two cores
 * with test runs, and a request during a stall may have come at its beginning or its end. Sockets are read once per turn of the event loop,
 * and a tick belongs to one turn: what is read now came after the tick before last, on a new connection after the one before that.
 */
export function watchStalls(): { now: () => number; close: () => void } {
  const start = performance.now();
  /** Earliest first. */
  let ticks: readonly [number, number, number] = [start, start, start];
  const timer = setInterval(() => {
    ticks = [ticks[1], ticks[2], performance.now()];
  }, tickMs);
  timer.unref();
  return {
    now: () => {
      const now = performance.now();
      const [first, second, third] = ticks;
      const longest = Math.max(second - first, third - second, now - third);
      return longest > tickMs + usualLatenessMs ? now - first : 0;
    },
    close: () => {
      clearInterval(timer);
    },
  };
}
