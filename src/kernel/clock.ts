// In milliseconds.
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/** Clocks that differ by at most this agree. A process whose clock differs more isn't ready. */
export const inStepMs = 3_000;

/** Passed in, so tests decide what time it is. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds passed, unaffected by changes of the time of day. Callers use `now` if a clock lacks it. */
  elapsed?: () => number;
};

/** Ends a sleep. Made once, because creating an error with its stack costs more than the sleep. */
export const woken = new Error("woken");

/** The machine's clock. A pending sleep keeps the process alive, because commands of the CLI wait with it. */
export const systemClock: Clock & Required<Pick<Clock, "elapsed">> = {
  now: () => Date.now(),
  // Counted since the machine started, so all its processes agree. A single number of nanoseconds would lose precision after 104 days.
  elapsed: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * secondMs + nanoseconds / 1e6;
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      if (signal?.aborted === true) {
        reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
        return;
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", abort, { once: true });
    }),
};

/** A clock that only goes forward, for measuring durations in seconds. */
export function steadyClock(clock: Clock): Clock {
  return { now: clock.elapsed ?? clock.now, sleep: clock.sleep };
}

/** Day, time, offset. We check the form because Date.parse accepts "2026-09-14junk", and reads unknown zones as local time. */
const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?:Z|UTC|([+-])(\d{2})(?::?(\d{2}))?)?)?$/i;

/** Later timestamps count as unreadable. JavaScript's dates end a little later. */
export const latestMomentMs = 100_000_000_000_000;

/** Reads ISO 8601 text (UTC if it has no zone, interface 6.6), seconds or milliseconds. @returns ms, or null if unreadable or before 1970 */
export function readTimestamp(value: string | number): number | null {
  if (typeof value === "number" || /^\d{9,14}$/.test(value)) {
    const number = Number(value);
    // Microseconds read as milliseconds would be thousands of years ahead, and no later webhook would ever count as newer.
    if (!(number > 0 && number < latestMomentMs)) return null;
    return number < 100_000_000_000 ? Math.round(number * 1000) : Math.round(number);
  }
  const [, day, clock = "00:00", sign, hours, minutes = "00"] = isoTime.exec(value) ?? [];
  if (day === undefined) return null;
  const time = Date.parse(`${day}T${clock}${sign === undefined ? "Z" : `${sign}${hours}:${minutes}`}`);
  // Some services write the first moment of their calendar to say "none".
  return time > 0 ? time : null;
}
