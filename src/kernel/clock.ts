// Milliseconds.
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/** Clocks this far apart agree; further apart a process is not ready. */
export const inStepMs = 3_000;

/** Passed in, so tests decide what time it is. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds that have passed, whatever is done to the time of day; `now` where a clock has none. */
  elapsed?: () => number;
};

/** The machine's time of day. A sleep keeps the process alive: commands of the CLI wait by it. */
export const systemClock: Clock & Required<Pick<Clock, "elapsed">> = {
  now: () => Date.now(),
  // Since the machine's start: the same for all processes on it. One number of nanoseconds would be rounded after 104 days.
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

/** Only goes forward: for seconds that must be measured right. */
export function steadyClock(clock: Clock): Clock {
  return { now: clock.elapsed ?? clock.now, sleep: clock.sleep };
}

/** Day, time, offset. Checked here: Date.parse takes "2026-09-14junk", and local time for unknown zones. */
const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?:Z|UTC|([+-])(\d{2})(?::?(\d{2}))?)?)?$/i;

/** Times beyond are none; calendars end a little later. */
export const latestMomentMs = 100_000_000_000_000;

/** Milliseconds of an ISO 8601 text (UTC without a zone, interface 6.6) or of seconds or milliseconds; null for others, and before 1970. */
export function readTimestamp(value: string | number): number | null {
  if (typeof value === "number" || /^\d{9,14}$/.test(value)) {
    const number = Number(value);
    // Microseconds read as milliseconds would be thousands of years ahead, so no later webhook would ever be newer.
    if (!(number > 0 && number < latestMomentMs)) return null;
    return number < 100_000_000_000 ? Math.round(number * 1000) : Math.round(number);
  }
  const [, day, clock = "00:00", sign, hours, minutes = "00"] = isoTime.exec(value) ?? [];
  if (day === undefined) return null;
  const time = Date.parse(`${day}T${clock}${sign === undefined ? "Z" : `${sign}${hours}:${minutes}`}`);
  // Some services write the beginning of their calendar for "none".
  return time > 0 ? time : null;
}
